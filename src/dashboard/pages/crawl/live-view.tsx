import { Image, Paper, Text, Title } from '@mantine/core'
import { useRead } from '../../data/use-operation.ts'

const lookMs = 2_000

/** What a crawl looks at, as long as this page is open. */
export function LiveView({ crawlId }: { crawlId: string }) {
  const { data } = useRead('getLatestCrawlerFrame', { crawlId }, { refreshEvery: lookMs })
  const hasFrame = data !== undefined && data.frameData !== ''
  return (
    <Paper withBorder p="md" component="section" aria-label="Live view">
      <Title order={2} mb="xs">
        Live view
      </Title>
      <Text size="sm" c="dimmed" mb="sm" style={{ overflowWrap: 'anywhere' }}>
        {hasFrame ? data.currentUrl : 'Pictures come once the crawl has a page open. Passwords are covered.'}
      </Text>
      {hasFrame && (
        <Image
          src={`data:image/jpeg;base64,${data.frameData}`}
          alt={`The page that is crawled: ${data.currentUrl}`}
          maw={800}
          radius="sm"
          style={{ border: '1px solid var(--mantine-color-default-border)' }}
        />
      )}
    </Paper>
  )
}
