import { Alert, Anchor, Group, Paper, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { CrawlerRun, CrawlProgress } from '../../../contract/browser.ts'
import { CountCard } from '../../components/count-card.tsx'
import { CrawlStateTag, endWords, isCrawling } from '../../components/crawl/crawl-state.tsx'
import { Facts } from '../../components/facts.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { useCollectionNames } from '../../data/use-collection-names.ts'
import { countOf, countText, durationText } from '../../data/words.ts'

interface PanelProps {
  readonly crawl: CrawlerRun
  readonly progress: CrawlProgress
}

const harmWords: Readonly<Record<CrawlProgress['harmfulActions'], string>> = {
  AVOID: 'Recorded, not sent',
  LAST: 'Made; what deletes comes last',
  ALLOW: 'All made',
}

/** How far a crawl is, what it found so far, and what it was asked to do. */
export function ProgressPanel({ crawl, progress }: PanelProps) {
  const { names } = useCollectionNames()
  return (
    <Paper withBorder p="md" component="section" aria-label="Progress">
      <Group justify="space-between" mb="sm">
        <Title order={2}>Progress</Title>
        <CrawlStateTag status={crawl.status} />
      </Group>
      <Stack gap="sm">
        {crawl.testRoleError !== null && (
          <Alert color="orange" icon={<IconAlertTriangle size={18} />} title="Crawl is unauthenticated">
            {crawl.testRoleError}
          </Alert>
        )}
        {crawl.errorMessage !== null && (
          <Alert
            color={crawl.status === 'FAILED' ? 'red' : 'blue'}
            icon={<IconAlertTriangle size={18} />}
            title={crawl.status === 'FAILED' ? 'The crawl failed' : 'Note'}
          >
            <Text size="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
              {crawl.errorMessage}
            </Text>
          </Alert>
        )}
        <Bar crawl={crawl} progress={progress} />
        <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="xs">
          <CountCard value={progress.acceptedUrls} word="URLs in scope" />
          <CountCard value={progress.rejectedUrls} word="URLs left out" />
          <CountCard value={progress.capturedExchanges} word="requests captured" />
          <CountCard value={progress.steps} word="steps between pages" />
          <CountCard value={progress.done} word="pieces of work done" />
          <CountCard value={progress.givenUp} word="given up" />
        </SimpleGrid>
        <Facts
          facts={[
            [
              'Collection',
              <Anchor key="collection" component={Link} to={`/apis/${crawl.collectionId}`} size="sm">
                {names.get(crawl.collectionId) ?? `Collection ${crawl.collectionId}`}
              </Anchor>,
            ],
            ['Crawler', crawl.moduleName],
            ['Started', <TimeAgo key="started" seconds={crawl.startTimestamp} />],
            ['Ended', <TimeAgo key="ended" seconds={crawl.endTimestamp} never="not yet" />],
            ['Started by', crawl.startedBy],
            ['Changes to the application', harmWords[progress.harmfulActions]],
            ['Left out', crawl.outScopeUrls ?? 'nothing'],
            ['Begins with', crawl.applicationPages ?? 'only the start URL'],
            ...(progress.restarts > 0
              ? ([['Taken up again', countOf(progress.restarts, 'time')]] as const)
              : []),
          ]}
        />
      </Stack>
    </Paper>
  )
}

function Bar({ crawl, progress }: PanelProps) {
  const percent = Math.min(100, Math.floor((progress.activeSeconds * 100) / crawl.crawlingTime))
  const waiting = Object.values(progress.waiting).reduce((sum, count) => sum + count, 0)
  if (!isCrawling(crawl.status)) {
    const why = progress.end === null ? null : (endWords[progress.end] ?? progress.end)
    return (
      <Text size="sm" c="dimmed">
        Worked for {durationText(Math.round(progress.activeSeconds))}
        {why !== null && `; ended because ${why}`}.
      </Text>
    )
  }
  return (
    <Stack gap={4}>
      <Progress value={percent} aria-label={`Time used: ${percent} percent`} animated />
      <Text size="sm" c="dimmed" role="status">
        {crawl.status === 'PENDING'
          ? 'Waits for its crawler.'
          : `${durationText(Math.round(progress.activeSeconds))} of ${durationText(crawl.crawlingTime)} used, ${countText(waiting)} pieces of work wait.`}
      </Text>
    </Stack>
  )
}
