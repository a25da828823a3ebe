import { Group, Paper, Tabs, Text } from '@mantine/core'
import { getCoreRowModel, useReactTable } from '@tanstack/react-table'
import { type ComponentProps, useMemo, useState } from 'react'
import { httpMethods, severities, type TestRunSummary } from '../../../contract/browser.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { ClearFilters, SeveralFilter } from '../../components/filters.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import { sortingOut, useSorting } from '../../components/table/sorting.ts'
import { TurnPages } from '../../components/table/turn-pages.tsx'
import { isUnderWay } from '../../components/testing/run-state.tsx'
import { severityWord } from '../../components/testing/severity-tag.tsx'
import { type VerdictMode, verdictModes } from '../../components/testing/verdict.tsx'
import { useCollectionNames } from '../../data/use-collection-names.ts'
import { useShownByLink } from '../../data/use-shown-by-link.ts'
import { useTests } from '../../data/use-tests.ts'
import { countText } from '../../data/words.ts'
import { resultColumns } from './result-columns.tsx'
import { resultFilterNames, resultPageSize, resultsAnchor, useCounts, useResults } from './run-data.ts'
import { SkippedReasons } from './skipped-reasons.tsx'

const usualSort = { id: 'severity', desc: true } as const
const severityChoices = severities.map((value) => ({ value, label: severityWord(value) }))
const methodChoices = httpMethods.map((value) => ({ value, label: value }))

const emptyTexts: Record<VerdictMode, string> = {
  VULNERABLE: 'No finding. Skipped checks were not tested: see “Skipped”.',
  SECURED: 'Nothing passed.',
  SKIPPED_EXEC: 'No check was skipped.',
  SKIPPED_EXEC_NEED_CONFIG: 'No test lacked a role, a credential or a setting.',
  SKIPPED_EXEC_API_REQUEST_FAILED: 'Every attack request was answered and processed.',
  IGNORED_ISSUES: 'No finding here was ignored or fixed.',
  ALL: 'No result yet.',
}

/** The results of one execution: a tab for each verdict, filters, and the reasons for skipped checks. */
export function ResultsPanel({ execution }: { execution: TestRunSummary }) {
  const live = isUnderWay(execution.state)
  const { counts } = useCounts(execution.hexId, live)
  const results = useResults(execution.hexId, live)
  const { address, mode, error, refetch, rows } = results
  const section = useShownByLink(resultsAnchor)
  return (
    <Paper
      withBorder
      component="section"
      aria-label="Results"
      ref={section}
      tabIndex={-1}
      style={{ scrollMarginTop: 72 }}
    >
      <Tabs
        value={mode}
        onChange={(next) => address.change({ show: next === 'VULNERABLE' ? '' : (next ?? '') })}
      >
        <Tabs.List px="sm" aria-label="Results by verdict">
          {verdictModes.map((one) => (
            <Tabs.Tab key={one.mode} value={one.mode}>
              {one.word}{' '}
              {counts && (
                <Text span size="xs">
                  ({countText(counts[one.mode])})
                </Text>
              )}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {verdictModes.map((one) => (
          <Tabs.Panel key={one.mode} value={one.mode}>
            {one.mode === mode && (
              <>
                {mode.startsWith('SKIPPED') && (counts?.[mode] ?? 0) > 0 && !live && (
                  <SkippedReasons execution={execution} mode={mode} address={address} />
                )}
                <ResultFilters results={results} />
                {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
                {rows === undefined && !error && <TableSkeleton label="Loading the results" />}
                {rows !== undefined && <ResultTable results={results} />}
              </>
            )}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Paper>
  )
}

function ResultFilters({ results }: { results: ReturnType<typeof useResults> }) {
  const { address, filtered } = results
  const { data } = useTests()
  const { choices } = useCollectionNames()
  const categories = useMemo(
    () => data?.categories.map(({ name, displayName }) => ({ value: name, label: displayName })) ?? [],
    [data],
  )
  return (
    <Group p="sm" gap="xs">
      <SearchField
        label="Search path or test"
        value={address.one('q')}
        onSearch={(q) => address.change({ q })}
      />
      <SeveralFilter address={address} name="category" label="Category" data={categories} width={160} />
      <SeveralFilter address={address} name="severity" label="Severity" data={severityChoices} />
      <SeveralFilter address={address} name="method" label="Method" data={methodChoices} width={112} />
      <LinkedFilter address={address} name="collection" label="Collection" data={choices} width={160} />
      <LinkedFilter address={address} name="url" label="Path" data={[]} width={160} />
      {filtered && <ClearFilters change={address.change} names={resultFilterNames} />}
    </Group>
  )
}

/** A filter that only links set. Once set it stays, so that the focus is not lost when its last value is cleared. */
function LinkedFilter(props: ComponentProps<typeof SeveralFilter>) {
  const [wasSet, setWasSet] = useState(false)
  const isSet = props.address.one(props.name) !== ''
  if (isSet && !wasSet) setWasSet(true)
  return isSet || wasSet ? <SeveralFilter {...props} /> : null
}

function ResultTable({ results }: { results: ReturnType<typeof useResults> }) {
  const { address, rows = [], page, hasMore, mode, filtered, isPlaceholderData } = results
  const { byId, isPending } = useTests()
  const sorting = useSorting(address.one('sort'), usualSort)
  const columns = useMemo(
    () =>
      resultColumns(
        { byId, isPending },
        {
          withVerdict: mode === 'ALL',
          withTriage: mode === 'VULNERABLE' || mode === 'IGNORED_ISSUES',
        },
      ),
    [byId, isPending, mode],
  )
  const table = useReactTable({
    data: rows,
    columns,
    state: { sorting },
    onSortingChange: (update) => address.setSearch((now) => sortingOut(now, update, usualSort)),
    getRowId: (row) => row.hexId,
    getCoreRowModel: getCoreRowModel(),
    manualSorting: true,
    enableSortingRemoval: false,
  })
  return (
    <>
      <DataTable
        table={table}
        label="Results"
        stale={isPlaceholderData}
        emptyText={filtered ? 'No result here meets the filters.' : emptyTexts[mode]}
        minWidth={980}
      />
      <TurnPages
        page={page}
        pageSize={resultPageSize}
        shown={rows.length}
        hasMore={hasMore}
        onPage={(next) => address.change({ page: next === 0 ? '' : String(next + 1) })}
        what="Results"
      />
    </>
  )
}
