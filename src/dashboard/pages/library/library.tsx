import { Anchor, Button, Group, Paper, Stack, Switch, Text } from '@mantine/core'
import { IconListCheck, IconPencilPlus } from '@tabler/icons-react'
import {
  createColumnHelper,
  getCoreRowModel,
  getPaginationRowModel,
  useReactTable,
} from '@tanstack/react-table'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { severities, type TestTemplate } from '../../../contract/browser.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { notifyFailure } from '../../components/feedback/notify-failure.ts'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { OneFilter, SeveralFilter } from '../../components/filters.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import { Pager } from '../../components/table/pager.tsx'
import { rowLinkProps } from '../../components/table/row-keys.ts'
import { Tag } from '../../components/tag.tsx'
import { SeverityTag, severityWord } from '../../components/testing/severity-tag.tsx'
import { matchesTest } from '../../components/testing/test-categories.tsx'
import { useListAddress } from '../../data/list-address.ts'
import { useWrite } from '../../data/use-operation.ts'
import { useMayWrite } from '../../data/use-own-user.ts'
import { useTests } from '../../data/use-tests.ts'
import { countOf } from '../../data/words.ts'

const column = createColumnHelper<TestTemplate>()
const severityChoices = severities.map((value) => ({ value, label: severityWord(value) }))
const switches = [
  { value: 'on', label: 'Switched on' },
  { value: 'off', label: 'Switched off' },
]

/** Every test: by category, severity and words, each with its switch. */
export default function Library() {
  const { data, error, refetch } = useTests()
  const mayWrite = useMayWrite()
  const off = data?.tests.filter((test) => test.inactive).length ?? 0
  return (
    <>
      <PageHeader
        title="Test library"
        description={
          data
            ? `${countOf(data.tests.length, 'test')}, ${off} switched off. Runs can take any that is on.`
            : 'Every test that runs can take.'
        }
        actions={
          <>
            <Button
              component={Link}
              to="/library/suites"
              variant="default"
              leftSection={<IconListCheck size={16} />}
            >
              Test suites
            </Button>
            {mayWrite && (
              <Button component={Link} to="/library/new" leftSection={<IconPencilPlus size={16} />}>
                New test
              </Button>
            )}
          </>
        }
      />
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      <Paper withBorder>
        {data === undefined && !error && <TableSkeleton label="Loading the tests" />}
        {data && (
          <TestTable
            tests={data.tests}
            categories={data.categories.map(({ name, displayName }) => ({ value: name, label: displayName }))}
          />
        )}
      </Paper>
    </>
  )
}

interface TestTableProps {
  readonly tests: readonly TestTemplate[]
  readonly categories: readonly { value: string; label: string }[]
}

function TestTable({ tests, categories }: TestTableProps) {
  const address = useListAddress()
  const { one, several } = address
  const mayWrite = useMayWrite()
  const [text, chosen, bad, state] = [one('q'), several('category'), several('severity'), one('state')]
  const wanted = `${chosen.join(' ')}|${bad.join(' ')}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: `wanted` stands for the two lists, which are new each time
  const rows = useMemo(
    () => tests.filter((test) => fits(test, text, chosen, bad, state)),
    [tests, text, wanted, state],
  )
  const columns = useMemo(() => testColumns(mayWrite), [mayWrite])
  const [pagination, setPagination] = useState({ pageIndex: 0, pageSize: 50 })
  const page = Math.min(pagination.pageIndex, Math.max(0, Math.ceil(rows.length / pagination.pageSize) - 1))
  const table = useReactTable({
    data: rows,
    columns,
    state: { pagination: { ...pagination, pageIndex: page } },
    onPaginationChange: setPagination,
    getRowId: (row) => row.name,
    getCoreRowModel: getCoreRowModel(),
    getPaginationRowModel: getPaginationRowModel(),
    autoResetPageIndex: false,
  })
  return (
    <>
      <Group p="sm" gap="xs">
        <SearchField label="Search tests" value={text} onSearch={(q) => address.change({ q })} />
        <SeveralFilter address={address} name="category" label="Category" data={categories} width={160} />
        <SeveralFilter address={address} name="severity" label="Severity" data={severityChoices} />
        <OneFilter address={address} name="state" label="State" data={switches} />
      </Group>
      <DataTable
        table={table}
        label="Tests"
        emptyText="No test matches the search and filters. Clear one of them."
        minWidth={760}
      />
      <Pager
        page={page}
        pageSize={pagination.pageSize}
        total={rows.length}
        shown={table.getRowModel().rows.length}
        onPage={table.setPageIndex}
        onPageSize={table.setPageSize}
        what="tests"
      />
    </>
  )
}

function fits(
  test: TestTemplate,
  text: string,
  categories: readonly string[],
  bad: readonly string[],
  state: string,
): boolean {
  if (categories.length > 0 && !categories.includes(test.superCategory.name)) return false
  if (bad.length > 0 && !bad.includes(test.superCategory.severity._name)) return false
  if (state !== '' && test.inactive !== (state === 'off')) return false
  return matchesTest(test, text)
}

function testColumns(mayWrite: boolean) {
  return [
    column.accessor('testName', {
      header: 'Test',
      enableSorting: false,
      cell: ({ row: { original }, getValue }) => (
        <Stack gap={0}>
          <Anchor
            component={Link}
            to={`/library/${encodeURIComponent(original.name)}`}
            size="sm"
            {...rowLinkProps}
          >
            {getValue()}
          </Anchor>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {original.name}
          </Text>
        </Stack>
      ),
      meta: { minWidth: 230 },
    }),
    column.accessor((test) => test.superCategory.displayName, {
      id: 'category',
      header: 'Category',
      enableSorting: false,
    }),
    column.accessor((test) => test.superCategory.severity._name, {
      id: 'severity',
      header: 'Severity',
      enableSorting: false,
      cell: ({ getValue }) => <SeverityTag severity={getValue()} />,
    }),
    column.accessor((test) => test.attributes?.nature._name, {
      id: 'nature',
      header: 'Effect',
      enableSorting: false,
      cell: ({ getValue }) =>
        getValue() === 'INTRUSIVE' ? <Tag tone="orange">changes data</Tag> : <Tag>only reads</Tag>,
    }),
    column.accessor('cwe', {
      id: 'cwe',
      header: 'CWE',
      enableSorting: false,
      cell: ({ getValue }) => (
        <Group gap="0 6px">
          {getValue().map((cwe) => (
            <Text key={cwe} span size="sm" style={{ whiteSpace: 'nowrap' }}>
              {cwe}
            </Text>
          ))}
        </Group>
      ),
    }),
    column.accessor('inactive', {
      header: 'On',
      enableSorting: false,
      cell: ({ row: { original } }) => <TestSwitch test={original} mayWrite={mayWrite} />,
    }),
  ]
}

/** Switches a test off or on. */
export function TestSwitch({ test, mayWrite }: { test: TestTemplate; mayWrite: boolean }) {
  const set = useWrite('setTestInactive', ['fetchAllSubCategories'])
  return (
    <Switch
      size="xs"
      aria-label={`${test.testName} is on`}
      checked={!test.inactive}
      disabled={!mayWrite || set.isPending}
      onChange={(event) =>
        set.mutate(
          { originalTestId: test.name, inactive: !event.currentTarget.checked },
          { onError: notifyFailure },
        )
      }
    />
  )
}
