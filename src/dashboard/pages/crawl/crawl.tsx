import { Anchor, Breadcrumbs, Paper, Stack, Tabs, Text } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { isCrawling } from '../../components/crawl/crawl-state.tsx'
import { DetailFailure } from '../../components/feedback/missing.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { useListAddress } from '../../data/list-address.ts'
import { useMayWrite } from '../../data/use-own-user.ts'
import { countText } from '../../data/words.ts'
import { CrawlActions } from './crawl-actions.tsx'
import { urlFilterNames, useCrawl } from './crawl-data.ts'
import { GraphPanel } from './graph-panel.tsx'
import { LiveView } from './live-view.tsx'
import { LogPanel } from './log-panel.tsx'
import { ProgressPanel } from './progress-panel.tsx'
import { SummaryPanel } from './summary-panel.tsx'
import { UrlsPanel } from './urls-panel.tsx'

const tabs = ['urls', 'graph', 'log'] as const

/** One crawl: how far it is, what it looks at, what it found and why it left things out. */
export default function Crawl() {
  const { crawl: crawlId = '' } = useParams()
  const { data, error, refetch, isPending } = useCrawl(crawlId)
  const mayWrite = useMayWrite()
  const { one, change } = useListAddress()
  const shown = tabs.find((tab) => tab === one('show')) ?? 'urls'
  const crawl = data?.crawlerRun
  const live = isCrawling(crawl?.status ?? null)
  const choose = (next: string | null) =>
    change({
      ...Object.fromEntries(urlFilterNames.map((name) => [name, ''])),
      show: next === 'urls' ? '' : (next ?? ''),
    })
  return (
    <>
      <PageHeader
        title={crawl === undefined ? 'Crawl' : `Crawl of ${crawl.hostname}`}
        trail={
          <Breadcrumbs>
            <Anchor component={Link} to="/crawls" size="sm">
              Crawls
            </Anchor>
          </Breadcrumbs>
        }
        actions={mayWrite && crawl !== undefined && <CrawlActions crawl={crawl} />}
      />
      {error && <DetailFailure kind="crawl" error={error} onRetry={() => void refetch()} />}
      {isPending && (
        <Paper withBorder>
          <TableSkeleton label="Loading the crawl" />
        </Paper>
      )}
      {data !== undefined && crawl !== undefined && (
        <Stack>
          <ProgressPanel crawl={crawl} progress={data.progress} />
          <SummaryPanel progress={data.progress} />
          {(crawl.status === 'RUNNING' || crawl.status === 'STOP_REQUESTED') && (
            <LiveView crawlId={crawlId} />
          )}
          <Paper withBorder component="section" aria-label="What was found">
            <Tabs value={shown} onChange={choose}>
              <Tabs.List px="sm" aria-label="What was found">
                <Tabs.Tab value="urls">
                  URLs <Count count={data.progress.acceptedUrls + data.progress.rejectedUrls} />
                </Tabs.Tab>
                <Tabs.Tab value="graph">
                  Navigation graph <Count count={data.progress.steps} />
                </Tabs.Tab>
                <Tabs.Tab value="log">Log</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="urls">
                {shown === 'urls' && <UrlsPanel crawlId={crawlId} live={live} />}
              </Tabs.Panel>
              <Tabs.Panel value="graph">
                {shown === 'graph' && <GraphPanel crawlId={crawlId} live={live} />}
              </Tabs.Panel>
              <Tabs.Panel value="log">
                {shown === 'log' && <LogPanel crawlId={crawlId} live={live} />}
              </Tabs.Panel>
            </Tabs>
          </Paper>
        </Stack>
      )}
    </>
  )
}

function Count({ count }: { count: number }) {
  return (
    <Text span size="xs">
      ({countText(count)})
    </Text>
  )
}
