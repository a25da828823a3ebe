import { Group, Text } from '@mantine/core'
import { getCoreRowModel, useReactTable } from '@tanstack/react-table'
import { useMemo } from 'react'
import type { EndpointKey } from '../../../contract/browser.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { ClearFilters, SeveralFilter } from '../../components/filters.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import { useListAddress } from '../../data/list-address.ts'
import { hidesContent } from '../../data/query-client.ts'
import { useRead } from '../../data/use-operation.ts'
import { useTests } from '../../data/use-tests.ts'
import { resultColumns } from '../run/result-columns.tsx'

const noResults = [] as const

/** What became of each test on one endpoint, and why it came to no verdict. */
export default function TestsPanel({ endpointKey }: { endpointKey: EndpointKey }) {
  const { data, error, refetch } = useRead('fetchEndpointResults', endpointKey)
  const { byId, isPending, data: library } = useTests()
  const categories =
    library?.categories.map(({ name, displayName }) => ({ value: name, label: displayName })) ?? []
  const columns = useMemo(
    () =>
      resultColumns({ byId, isPending }, { withVerdict: true, withTriage: true }).filter(
        ({ id }) => id !== 'endpoint',
      ),
    [byId, isPending],
  )
  const address = useListAddress()
  const families = address.several('category')
  const chosen = JSON.stringify(families)
  const results = useMemo(() => {
    const wanted = JSON.parse(chosen) as string[]
    return data?.testingRunResults.filter(
      ({ testSuperType }) => wanted.length === 0 || wanted.includes(testSuperType),
    )
  }, [data, chosen])
  const table = useReactTable({
    data: results ?? (noResults as never),
    columns,
    enableSorting: false,
    getCoreRowModel: getCoreRowModel(),
    getRowId: ({ hexId }) => hexId,
  })
  if (hidesContent(error, data)) return <FailureNotice error={error} onRetry={() => void refetch()} />
  if (results === undefined) return <TableSkeleton label="Loading the tests" />
  if (data?.testingRunResults.length === 0)
    return (
      <Text size="sm" c="dimmed" p="md">
        Never tested. “Test this endpoint” chooses tests and starts a run.
      </Text>
    )
  return (
    <>
      <Group p="sm" gap="xs">
        <SeveralFilter address={address} name="category" label="Category" data={categories} width={160} />
        {families.length > 0 && <ClearFilters change={address.change} names={['category']} />}
      </Group>
      <DataTable
        table={table}
        label="Tests of this endpoint"
        emptyText="No test of the chosen categories ran here."
      />
    </>
  )
}
