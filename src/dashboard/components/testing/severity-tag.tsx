import { Anchor, Group, Text } from '@mantine/core'
import { Link } from 'react-router'
import { type SeverityCounts, severities } from '../../../contract/browser.ts'
import { countText } from '../../data/words.ts'
import { type PlainKey, t } from '../../i18n/translate.ts'
import { Tag, type TagTone } from '../tag.tsx'

const looks: Readonly<Record<string, { word: PlainKey; tone: TagTone }>> = {
  CRITICAL: { word: 'severity.critical', tone: 'violet' },
  HIGH: { word: 'severity.high', tone: 'red' },
  MEDIUM: { word: 'severity.medium', tone: 'orange' },
  LOW: { word: 'severity.low', tone: 'blue' },
  INFO: { word: 'severity.info', tone: 'gray' },
}

/** A severity as people say it: "Critical". */
export function severityWord(severity: string): string {
  const look = looks[severity]
  return look === undefined ? severity : t(look.word)
}

/** How bad a finding is. */
export function SeverityTag({ severity }: { severity: string }) {
  return <Tag tone={looks[severity]?.tone ?? 'gray'}>{severityWord(severity)}</Tag>
}

interface SeverityCountTagsProps {
  readonly counts: Partial<SeverityCounts>
  /** Nothing was tested: no finding means nothing then. */
  readonly isUntested?: boolean
  /** Address of the list of those of one severity. */
  readonly to?: (severity: string) => string
}

/** How many findings of each severity; those without any are left out. */
export function SeverityCountTags({ counts, isUntested = false, to }: SeverityCountTagsProps) {
  const some = severities.filter((severity) => (counts[severity] ?? 0) > 0)
  if (some.length === 0) {
    return (
      <Text span size="sm" c="dimmed">
        {t(isUntested ? 'common.notTested' : 'common.none')}
      </Text>
    )
  }
  return (
    <Group gap={4}>
      {some.map((severity) => {
        const tag = (
          <Tag key={severity} tone={looks[severity]?.tone ?? 'gray'}>
            {countText(counts[severity] ?? 0)} {severityWord(severity)}
          </Tag>
        )
        return to === undefined ? (
          tag
        ) : (
          <Anchor key={severity} component={Link} to={to(severity)} underline="hover" c="inherit">
            {tag}
          </Anchor>
        )
      })}
    </Group>
  )
}
