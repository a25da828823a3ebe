import { ActionIcon, Button, Group, Menu, Paper, Tabs, Text } from '@mantine/core'
import {
  IconBug,
  IconCalendarDue,
  IconDots,
  IconEyeOff,
  IconPlayerPlay,
  IconReport,
} from '@tabler/icons-react'
import { getCoreRowModel, useReactTable } from '@tanstack/react-table'
import { useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import { type IssueGroup, severities } from '../../../contract/browser.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { ClearFilters, OneFilter, SeveralFilter } from '../../components/filters.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import { Pager } from '../../components/table/pager.tsx'
import { SelectAll } from '../../components/table/select-all.tsx'
import { sortingOut, useSorting } from '../../components/table/sorting.ts'
import { useChosen } from '../../components/table/use-chosen.ts'
import { Tag } from '../../components/tag.tsx'
import { severityWord } from '../../components/testing/severity-tag.tsx'
import { filterKey, pageTurns } from '../../data/list-address.ts'
import { useCollectionNames } from '../../data/use-collection-names.ts'
import { useRead } from '../../data/use-operation.ts'
import { useMayWrite } from '../../data/use-own-user.ts'
import { usePeople } from '../../data/use-people.ts'
import { useTests } from '../../data/use-tests.ts'
import { countText } from '../../data/words.ts'
import { BulkActions } from './bulk-actions.tsx'
import { issueColumns } from './columns.tsx'
import { DeadlinesDialog } from './deadlines-dialog.tsx'
import { ExportMenu } from './export-menu.tsx'
import { fetchEveryGroup } from './fetch-every-group.ts'
import { ages, dueTimes, issueFilterNames, nobody, statusTabs, useIssues } from './issue-query.ts'
import { ReportButton } from './report-button.tsx'
import { TrendCard } from './trend-card.tsx'
import { ViewsMenu } from './views-menu.tsx'

const usualSort = { id: 'severity', desc: true } as const
const ageChoices = ages.map((days) => ({ value: days, label: `Found over ${days} days ago` }))
const severityChoices = severities.map((value) => ({ value, label: severityWord(value) }))

/** What must be fixed, over all runs. */
export default function Issues() {
  const issues = useIssues()
  const { address, status, counts, rows, error, refetch, filtered } = issues
  const collectionIds = address.several('collection').map(Number).filter(Number.isSafeInteger)
  const never = !filtered && rows !== undefined && Object.values(counts).every((count) => count === 0)
  return (
    <>
      <PageHeader
        title="Issues"
        description="One entry per root cause, with every place where runs found it."
        actions={
          !never && (
            <>
              <ViewsMenu search={address.search} />
              <ExportMenu issues={issues} />
              <ReportButton issues={issues} icon={<IconReport size={16} />} />
              <MoreMenu />
            </>
          )
        }
      />
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {never ? (
        <Paper withBorder>
          <EmptyState
            icon={<IconBug size={28} />}
            title="No issue yet"
            actions={
              <Button component={Link} to="/runs/new" leftSection={<IconPlayerPlay size={16} />}>
                New run
              </Button>
            }
          >
            Issues appear when a run proves a weakness. Untested endpoints have none either: each run lists
            what it skipped.
          </EmptyState>
        </Paper>
      ) : (
        <>
          <TrendCard collectionIds={collectionIds} />
          <Paper withBorder>
            <Tabs
              value={status}
              onChange={(next) => address.change({ status: next === 'OPEN' ? '' : (next ?? '') })}
            >
              <Tabs.List px="sm" aria-label="Issues by status">
                {statusTabs.map((tab) => (
                  <Tabs.Tab key={tab.status} value={tab.status}>
                    {tab.word}{' '}
                    <Text span size="xs">
                      ({countText(counts[tab.status])})
                    </Text>
                  </Tabs.Tab>
                ))}
              </Tabs.List>
              {statusTabs.map((tab) => (
                <Tabs.Panel key={tab.status} value={tab.status}>
                  {tab.status === status && (
                    <>
                      <Filters issues={issues} />
                      {rows === undefined && !error && <TableSkeleton label="Loading the issues" />}
                      {rows !== undefined && <IssueTable key={filterKey(address.search)} issues={issues} />}
                    </>
                  )}
                </Tabs.Panel>
              ))}
            </Tabs>
          </Paper>
        </>
      )}
    </>
  )
}

/** What belongs to all issues. */
function MoreMenu() {
  const [showsDeadlines, setShowsDeadlines] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon ref={button} variant="default" size={36} aria-label="More">
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconCalendarDue size={14} />} onClick={() => setShowsDeadlines(true)}>
            Deadlines
          </Menu.Item>
          <Menu.Item component={Link} to="/issues/false-positives" leftSection={<IconEyeOff size={14} />}>
            False positives
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {showsDeadlines && <DeadlinesDialog onClose={() => setShowsDeadlines(false)} returnTo={button} />}
    </>
  )
}

function Filters({ issues }: { issues: ReturnType<typeof useIssues> }) {
  const { address, filtered, narrowed } = issues
  const people = [{ value: nobody, label: 'Nobody' }, ...usePeople()]
  const { choices } = useCollectionNames()
  const { data } = useTests()
  const tags = useRead('fetchIssueTags', {}).data?.tags.map(({ tag }) => ({ value: tag, label: tag })) ?? []
  const tests = useMemo(
    () => data?.tests.map((test) => ({ value: test.name, label: test.testName })) ?? [],
    [data],
  )
  return (
    <Group p="sm" gap="xs">
      <SearchField
        label="Search test, CWE, path or ticket"
        value={address.one('q')}
        onSearch={(q) => address.change({ q })}
      />
      <SeveralFilter address={address} name="severity" label="Severity" data={severityChoices} />
      <SeveralFilter address={address} name="collection" label="Collection" data={choices} width={150} />
      <SeveralFilter address={address} name="test" label="Test" data={tests} width={200} />
      <SeveralFilter address={address} name="assignee" label="Assigned to" data={people} width={150} />
      <OneFilter address={address} name="age" label="Age" data={ageChoices} />
      <OneFilter address={address} name="due" label="Due" data={dueTimes} />
      {tags.length > 0 && <SeveralFilter address={address} name="tag" label="Tag" data={tags} />}
      {narrowed !== null && <Tag tone="blue">{narrowed}</Tag>}
      {filtered && <ClearFilters change={address.change} names={issueFilterNames} />}
    </Group>
  )
}

const causeOf = ({ causeId }: IssueGroup) => causeId

function IssueTable({ issues }: { issues: ReturnType<typeof useIssues> }) {
  const { address, request, rows = [], page, pageSize, total, status, filtered, isPlaceholderData } = issues
  const { byId } = useTests()
  const mayWrite = useMayWrite()
  const { chosen, setChosen, rowSelection, onRowSelectionChange } = useChosen(rows, causeOf)
  const sorting = useSorting(address.one('sort'), usualSort)
  const columns = useMemo(() => issueColumns(byId, mayWrite), [byId, mayWrite])
  const table = useReactTable({
    data: rows,
    columns,
    state: { sorting, rowSelection },
    onSortingChange: (update) => address.setSearch((now) => sortingOut(now, update, usualSort)),
    onRowSelectionChange,
    getRowId: causeOf,
    getCoreRowModel: getCoreRowModel(),
    manualSorting: true,
    enableSortingRemoval: false,
  })
  return (
    <>
      {chosen.length > 0 && (
        <BulkActions chosen={chosen} status={status} onDone={() => setChosen([])}>
          {table.getIsAllRowsSelected() && (total ?? 0) > chosen.length && (
            <SelectAll
              total={total ?? 0}
              what="issue"
              fetchEvery={() => fetchEveryGroup(request)}
              onSelected={setChosen}
            />
          )}
        </BulkActions>
      )}
      <DataTable
        table={table}
        label="Issues"
        stale={isPlaceholderData}
        emptyText={filtered ? 'No issue here meets the filters.' : 'There is none in this status.'}
        minWidth={980}
      />
      <Pager
        page={page}
        pageSize={pageSize}
        total={total}
        shown={rows.length}
        {...pageTurns(address.change)}
        what="issues"
      />
    </>
  )
}
