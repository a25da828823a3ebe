import { Group, Skeleton, Text, Title } from '@mantine/core'
import type { ResponseOf } from '../../../contract/browser.ts'
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
  const { data, error, refetch } = useRead(
    'fetchTrafficLedger',
    { startTimestamp: today(), endTimestamp: 0, limit: 1 },
    { refreshEvery: 3000 },
  )
  return (
    <section aria-label="Arrived today" aria-live="polite">
      <Title order={2} mb={4}>
        3. See it arrive
      </Title>
      {hidesContent(error, data) ? (
        <FailureNotice error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={84} />
      ) : (
        <Totals totals={data.totals} />
      )}
    </section>
  )
}

function Totals({ totals }: { readonly totals: ResponseOf<'fetchTrafficLedger'>['totals'] }) {
  const text = usePageText()
  if (totals.received === 0)
    return (
      <Text size="sm" c="dimmed">
        Nothing has arrived today (UTC) yet. Counts appear with the first message.
      </Text>
    )
  return (
    <Group gap="sm">
      <CountCard value={totals.received} word="received today" />
      <CountCard value={totals.accepted} word="accepted" />
      <CountCard value={totals.duplicates} word="known before" />
      <CountCard value={totals.rejected} word="unreadable" />
      {Object.entries(totals.dropped).map(([rule, count]) => (
        <CountCard key={rule} value={count} word={`left out: ${dropWord(rule, text)}`} />
      ))}
    </Group>
  )
}
