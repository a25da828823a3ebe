import { Anchor, Paper, Stack, Tabs, Title } from '@mantine/core'
import { Link, useNavigate } from 'react-router'
import { PageHeader } from '../../components/page-header.tsx'
import { useListAddress } from '../../data/list-address.ts'
import { useRead } from '../../data/use-operation.ts'
import { CrawlPanel } from './crawl-panel.tsx'
import { EarlierImports } from './earlier-imports.tsx'
import { FilePanel } from './file-panel.tsx'
import { JobList } from './job-list.tsx'
import { LivePanel } from './live-panel.tsx'
import { PastePanel } from './paste-panel.tsx'
import { type ImportTarget, useImports } from './use-imports.ts'
import { type Way, Ways } from './ways.tsx'

const ways = ['file', 'paste', 'live', 'crawl'] as const

/** How traffic gets in: a file, pasted text, live messages, or a crawl. The first page of a new installation. */
export default function Start() {
  const navigate = useNavigate()
  const { one, change } = useListAddress()
  const way = (ways.find((known) => known === one('way')) ?? 'file') satisfies Way
  const collections = useRead('getAllCollectionsBasic', {})
  const { jobs, start, busy } = useImports()
  const targets = collections.data?.apiCollections.filter(
    (collection) =>
      collection.type !== 'API_GROUP' && collection.hostName === null && !collection.deactivated,
  )
  const isFirst =
    collections.data?.apiCollections.every((collection) => collection.type === 'API_GROUP') ?? false
  const run = async (files: readonly File[], target: ImportTarget) => {
    const reports = await start(files, target)
    const only = files.length === 1 ? reports[0] : undefined
    if (only) void navigate(`/start/imports/${only.uploadId}`)
  }
  const names = targets?.map((collection) => collection.name) ?? []
  return (
    <>
      <PageHeader
        title={isFirst ? 'Welcome to Vigil' : 'Add traffic'}
        description={
          isFirst
            ? 'Give it a recording or a description of your API, live traffic, or an application to crawl: it shows every endpoint, who may call it, and which sensitive data it carries.'
            : 'From a file, live from a gateway, proxy or agent, or by a crawl.'
        }
      />
      <Stack>
        <Paper withBorder>
          <Ways way={way} onChange={(next) => change({ way: next === 'file' ? '' : next })}>
            <Tabs.Panel value="file" p="md">
              {way === 'paste' ? (
                <PastePanel names={names} busy={busy} onText={(file, target) => void run([file], target)} />
              ) : (
                <FilePanel names={names} busy={busy} onFiles={(files, target) => void run(files, target)} />
              )}
              <Anchor component={Link} to={way === 'paste' ? '/start' : '/start?way=paste'} size="sm">
                {way === 'paste' ? 'Choose a file instead' : 'Paste text instead (curl commands, raw HTTP)'}
              </Anchor>
            </Tabs.Panel>
            <Tabs.Panel value="live" p="md">
              <LivePanel />
            </Tabs.Panel>
            <Tabs.Panel value="crawl" p="md">
              <CrawlPanel />
            </Tabs.Panel>
          </Ways>
        </Paper>
        {jobs.length > 0 && <JobList jobs={jobs} />}
        <section aria-label="Earlier imports">
          <Title order={2} mb="xs">
            Earlier imports
          </Title>
          <EarlierImports />
        </section>
      </Stack>
    </>
  )
}
