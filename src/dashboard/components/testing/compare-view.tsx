import { Group, Stack, Switch, Text, Title } from '@mantine/core'
import { Fragment, useMemo, useState } from 'react'
import classes from './compare-view.module.css'
import { CopyMenu } from './copy-menu.tsx'
import { type DiffLine, diffLines } from './diff-lines.ts'
import { comparableLines } from './exchange-text.ts'
import { markedParts, maskedParts, matchedPhrases } from './marked-parts.ts'
import type { EvidenceAttempt, EvidenceExchange, ResultEvidence } from './read-evidence.ts'

interface Column {
  readonly name: string
  readonly request: readonly DiffLine[]
  readonly response: readonly DiffLine[]
  /** What conditions matched in the answer. */
  readonly phrases: readonly string[]
}

/** Lines of equal text that are kept around a difference when only differences are shown. */
const around = 1
/** Lines of one message shown at most; the single tabs show all. */
const mostShown = 600

interface CompareViewProps {
  readonly evidence: ResultEvidence
  /** The attempt that proves the finding, or the first. */
  readonly attempt: EvidenceAttempt
}

/** Original, attack and control beside each other: different lines and what the conditions matched are marked. */
export function CompareView({ evidence, attempt }: CompareViewProps) {
  const [onlyDifferent, setOnlyDifferent] = useState(false)
  const columns = useMemo(() => columnsOf(evidence, attempt), [evidence, attempt])
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Switch
          size="xs"
          label="Only differences"
          checked={onlyDifferent}
          onChange={(event) => setOnlyDifferent(event.currentTarget.checked)}
        />
        <CopyMenu attempt={attempt} />
      </Group>
      <Text size="xs" c="dimmed">
        Lines marked − differ from the attack, lines marked + from the original (in the control: from the
        attack). Framed text is what the condition matched; underlined text stands for a masked value.
      </Text>
      {(['request', 'response'] as const).map((half) => (
        <section key={half} aria-label={half === 'request' ? 'Requests' : 'Responses'}>
          <Title order={3} mb={4}>
            {half === 'request' ? 'Requests' : 'Responses'}
          </Title>
          <div className={classes['columns']}>
            {columns.map((column, at) => (
              <Side
                key={column.name}
                name={`${column.name} ${half}`}
                heading={column.name}
                sign={at === 0 && columns.length > 1 && column.name === 'Original' ? '−' : '+'}
                lines={column[half]}
                phrases={half === 'response' ? column.phrases : []}
                onlyDifferent={onlyDifferent}
              />
            ))}
          </div>
        </section>
      ))}
    </Stack>
  )
}

function plain(lines: readonly string[]): DiffLine[] {
  return lines.map((text) => ({ text, isCommon: true }))
}

function columnsOf({ baseline, control }: ResultEvidence, attempt: EvidenceAttempt): Column[] {
  const attack = attempt.exchange
  if (attack === null) return []
  const sides = { request: comparableLines(attack.request), response: comparableLines(attack.response) }
  const against = (other: EvidenceExchange, half: 'request' | 'response') =>
    diffLines(comparableLines(other[half]), sides[half])
  const phrases = matchedPhrases(attempt.reasons, sides.response)
  const columns: Column[] = []
  const original = baseline && {
    request: against(baseline, 'request'),
    response: against(baseline, 'response'),
  }
  if (original !== null) {
    const { request, response } = original
    columns.push({ name: 'Original', request: request.before, response: response.before, phrases: [] })
  }
  columns.push({
    name: 'Attack',
    request: original?.request.after ?? plain(sides.request),
    response: original?.response.after ?? plain(sides.response),
    phrases,
  })
  const controlled = control?.attempt?.exchange
  if (controlled) {
    columns.push({
      name: 'Control',
      request: against(controlled, 'request').before,
      response: against(controlled, 'response').before,
      phrases,
    })
  }
  return columns
}

interface SideProps {
  readonly name: string
  readonly heading: string
  readonly sign: string
  readonly lines: readonly DiffLine[]
  readonly phrases: readonly string[]
  readonly onlyDifferent: boolean
}

function Side({ name, heading, sign, lines, phrases, onlyDifferent }: SideProps) {
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - around), at + around + 1).some(({ isCommon }) => !isCommon)
  const shown = lines
    .map((line, at) => ({ ...line, at }))
    .filter(({ at }) => !onlyDifferent || isNear(at))
    .slice(0, mostShown)
  return (
    <div className={classes['side']}>
      <Text size="sm" fw={600} mb={2}>
        {heading}
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={classes['block']} aria-label={name} tabIndex={0}>
        <pre>
          {shown.map(({ text, isCommon, at }) => (
            <span key={at} className={classes['line']} data-different={!isCommon || undefined}>
              <span className={classes['sign']}>{isCommon ? ' ' : sign}</span>
              {markedParts(text, phrases).map((part, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one line never move
                <Fragment key={index}>
                  {part.isMatch ? <mark>{part.text}</mark> : <Masked text={part.text} />}
                </Fragment>
              ))}
              {'\n'}
            </span>
          ))}
          {shown.length === 0 && 'No difference.'}
        </pre>
      </section>
    </div>
  )
}

/** Text of a message; masked values stand out. */
function Masked({ text }: { readonly text: string }) {
  return maskedParts(text).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one line never move
      <span key={at} className={classes['masked']} title="Masked: a credential or sensitive value">
        {part}
      </span>
    ),
  )
}
