import { Text } from '@mantine/core'
import { getCoreRowModel, useReactTable } from '@tanstack/react-table'
import { useMemo } from 'react'
import type { EndpointKey } from '../../../contract/browser.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import { hidesContent } from '../../data/query-client.ts'
import { useRead } from '../../data/use-operation.ts'
import { useTests } from '../../data/use-tests.ts'
import { resultColumns } from '../run/result-columns.tsx'

const noResults = [] as const

/** What became of each test on one endpoint, and why it came to no verdict. */
export default function TestsPanel({ endpointKey }: { endpointKey: EndpointKey }) {
  const { data, error, refetch } = useRead('fetchEndpointResults', endpointKey)
  const { byId } = useTests()
  const columns = useMemo(
    () => resultColumns(byId, { withVerdict: true, withTriage: true }).filter(({ id }) => id !== 'endpoint'),
    [byId],
  )
  const results = data?.testingRunResults
  const table = useReactTable({
    data: results ?? (noResults as never),
    columns,
    enableSorting: false,
    getCoreRowModel: getCoreRowModel(),
    getRowId: ({ hexId }) => hexId,
  })
  if (hidesContent(error, data)) return <FailureNotice error={error} onRetry={() => void refetch()} />
  if (results === undefined) return <TableSkeleton label="Loading the tests" />
  if (results.length === 0)
    return (
      <Text size="sm" c="dimmed" p="md">
        Never tested. “Test this endpoint” chooses tests and starts a run.
      </Text>
    )
  return <DataTable table={table} label="Tests of this endpoint" emptyText="Never tested." />
}
