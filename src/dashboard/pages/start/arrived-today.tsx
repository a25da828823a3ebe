import { Group, Text, Title } from '@mantine/core'
import { CountCard } from '../../components/count-card.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { dropWord } from '../../data/drop-word.ts'
import { hidesContent } from '../../data/query-client.ts'
import { useRead } from '../../data/use-operation.ts'
import { usePageText } from '../../i18n/use-page-text.ts'

/** Midnight (UTC) at which the present day starts, epoch seconds. */
function today(): number {
  return Math.floor(Date.now() / 86_400_000) * 86_400
}

/** What came in today and what became of it; followed while the page is open. */
export function ArrivedToday() {
  const text = usePageText()
  const { data, error, refetch } = useRead(
    'fetchTrafficLedger',
    { startTimestamp: today(), endTimestamp: 0, limit: 1 },
    { refreshEvery: 3000 },
  )
  if (hidesContent(error, data)) return <FailureNotice error={error} onRetry={() => void refetch()} />
  if (data === undefined) return null
  const { totals } = data
  const dropped = Object.entries(totals.dropped)
  return (
    <section aria-label="Arrived today" aria-live="polite">
      <Title order={2} mb={4}>
        3. See it arrive
      </Title>
      {totals.received === 0 ? (
        <Text size="sm" c="dimmed">
          Nothing has arrived today (UTC) yet. Counts appear with the first message.
        </Text>
      ) : (
        <Group gap="sm">
          <CountCard value={totals.received} word="received today" />
          <CountCard value={totals.accepted} word="accepted" />
          <CountCard value={totals.duplicates} word="known before" />
          <CountCard value={totals.rejected} word="unreadable" />
          {dropped.map(([rule, count]) => (
            <CountCard key={rule} value={count} word={`left out: ${dropWord(rule, text)}`} />
          ))}
        </Group>
      )}
    </section>
  )
}
