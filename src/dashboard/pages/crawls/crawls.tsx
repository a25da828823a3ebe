import { Button, Paper } from '@mantine/core'
import { IconPlayerPlay, IconSpiral } from '@tabler/icons-react'
import { getCoreRowModel, getPaginationRowModel, useReactTable } from '@tanstack/react-table'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { CrawlerRun } from '../../../contract/browser.ts'
import { isCrawling } from '../../components/crawl/crawl-state.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import { Pager } from '../../components/table/pager.tsx'
import { useCollectionNames } from '../../data/use-collection-names.ts'
import { useRead } from '../../data/use-operation.ts'
import { useMayWrite } from '../../data/use-own-user.ts'
import { crawlColumns } from './columns.tsx'

/** Every crawl with its state. */
export default function Crawls() {
  const mayWrite = useMayWrite()
  const { data, error, refetch } = useRead(
    'fetchAllDastScans',
    { includeAllStatuses: true },
    {
      refreshEvery: (answer) =>
        answer?.crawlerRuns.some(({ status }) => isCrawling(status)) ? 2_000 : 20_000,
    },
  )
  const crawls = data?.crawlerRuns
  return (
    <>
      <PageHeader
        title="Crawls"
        description="Web applications explored in a headless browser to find the requests they send."
        actions={mayWrite && <NewCrawlButton />}
      />
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {!(error && crawls === undefined) && (
        <Paper withBorder>
          {crawls === undefined && <TableSkeleton label="Loading the crawls" />}
          {crawls?.length === 0 && (
            <EmptyState
              icon={<IconSpiral size={28} />}
              title="Nothing was crawled yet"
              actions={mayWrite && <NewCrawlButton />}
            >
              A crawl opens an application in a browser, signs in, fills forms and follows what it finds.
              Every call it sees becomes part of the inventory; what may do harm is held back.
            </EmptyState>
          )}
          {crawls !== undefined && crawls.length > 0 && <CrawlTable crawls={crawls} />}
        </Paper>
      )}
    </>
  )
}

function NewCrawlButton() {
  return (
    <Button component={Link} to="/crawls/new" leftSection={<IconPlayerPlay size={16} />}>
      New crawl
    </Button>
  )
}

function CrawlTable({ crawls }: { crawls: CrawlerRun[] }) {
  const { names } = useCollectionNames()
  const columns = useMemo(() => crawlColumns(names), [names])
  const [pagination, setPagination] = useState({ pageIndex: 0, pageSize: 50 })
  const last = Math.max(0, Math.ceil(crawls.length / pagination.pageSize) - 1)
  const page = Math.min(pagination.pageIndex, last)
  const table = useReactTable({
    data: crawls,
    columns,
    state: { pagination: { ...pagination, pageIndex: page } },
    onPaginationChange: setPagination,
    getRowId: ({ crawlId }) => crawlId,
    getCoreRowModel: getCoreRowModel(),
    getPaginationRowModel: getPaginationRowModel(),
    autoResetPageIndex: false,
  })
  return (
    <>
      <DataTable table={table} label="Crawls" emptyText="There is nothing on this page." minWidth={740} />
      <Pager
        page={page}
        pageSize={pagination.pageSize}
        total={crawls.length}
        shown={table.getRowModel().rows.length}
        onPage={table.setPageIndex}
        onPageSize={table.setPageSize}
        what="crawls"
      />
    </>
  )
}
