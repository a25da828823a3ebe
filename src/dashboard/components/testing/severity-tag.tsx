import { Group, Text } from '@mantine/core'
import { type SeverityCounts, severities } from '../../../contract/browser.ts'
import { countText } from '../../data/words.ts'
import { Tag, type TagTone } from '../tag.tsx'

const looks: Record<string, { word: string; tone: TagTone }> = {
  CRITICAL: { word: 'Critical', tone: 'violet' },
  HIGH: { word: 'High', tone: 'red' },
  MEDIUM: { word: 'Medium', tone: 'orange' },
  LOW: { word: 'Low', tone: 'blue' },
  INFO: { word: 'Info', tone: 'gray' },
}

/** A severity as people say it: "Critical". */
export function severityWord(severity: string): string {
  return looks[severity]?.word ?? severity
}

/** How bad a finding is. */
export function SeverityTag({ severity }: { severity: string }) {
  return <Tag tone={looks[severity]?.tone ?? 'gray'}>{severityWord(severity)}</Tag>
}

/** How many findings of each severity; those without any are left out. */
export function SeverityCountTags({ counts }: { counts: Partial<SeverityCounts> }) {
  const some = severities.filter((severity) => (counts[severity] ?? 0) > 0)
  if (some.length === 0) {
    return (
      <Text span size="sm" c="dimmed">
        none
      </Text>
    )
  }
  return (
    <Group gap={4} wrap="nowrap">
      {some.map((severity) => (
        <Tag key={severity} tone={looks[severity]?.tone ?? 'gray'}>
          {countText(counts[severity] ?? 0)} {severityWord(severity)}
        </Tag>
      ))}
    </Group>
  )
}
