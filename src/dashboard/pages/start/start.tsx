import { Paper, Stack, Tabs, Title } from '@mantine/core'
import { IconClipboardText, IconFileImport, IconRadar } from '@tabler/icons-react'
import { useNavigate } from 'react-router'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { useListAddress } from '../../data/list-address.ts'
import { useRead } from '../../data/use-operation.ts'
import { EarlierImports } from './earlier-imports.tsx'
import { FilePanel } from './file-panel.tsx'
import { JobList } from './job-list.tsx'
import { LivePanel } from './live-panel.tsx'
import { PastePanel } from './paste-panel.tsx'
import { type ImportTarget, useImports } from './use-imports.ts'

/** How traffic gets in: a file, pasted text, or live messages. The first page of a new installation. */
export default function Start() {
  const navigate = useNavigate()
  const { one, change } = useListAddress()
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
            ? 'Give it a recording of your API, and it shows every endpoint, who may call it, and which sensitive data it carries.'
            : 'From a file, from pasted text, or live from a gateway, proxy or agent.'
        }
      />
      <Stack>
        {collections.error && (
          <FailureNotice error={collections.error} onRetry={() => void collections.refetch()} />
        )}
        <Paper withBorder>
          <Tabs
            value={one('way') || 'file'}
            onChange={(way) => change({ way: way === 'file' ? '' : (way ?? '') })}
            keepMounted={false}
          >
            <Tabs.List px="sm" aria-label="Import methods">
              <Tabs.Tab value="file" leftSection={<IconFileImport size={16} />}>
                Drop a file
              </Tabs.Tab>
              <Tabs.Tab value="paste" leftSection={<IconClipboardText size={16} />}>
                Paste text
              </Tabs.Tab>
              <Tabs.Tab value="live" leftSection={<IconRadar size={16} />}>
                Feed live traffic
              </Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="file" p="md">
              <FilePanel names={names} busy={busy} onFiles={(files, target) => void run(files, target)} />
            </Tabs.Panel>
            <Tabs.Panel value="paste" p="md">
              <PastePanel names={names} busy={busy} onText={(file, target) => void run([file], target)} />
            </Tabs.Panel>
            <Tabs.Panel value="live" p="md">
              <LivePanel />
            </Tabs.Panel>
          </Tabs>
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
