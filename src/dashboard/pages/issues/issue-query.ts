import type { RequestBodyOf } from '../../../contract/browser.ts'
import { exactTime } from '../../components/time-ago.tsx'
import { pageIn, pageSizeIn, useListAddress } from '../../data/list-address.ts'
import { useRead } from '../../data/use-operation.ts'

type IssueQuery = RequestBodyOf<'fetchIssueGroups'>

/** Names of the filters in the address, beside the status. */
export const issueFilterNames = [
  'q',
  'severity',
  'collection',
  'test',
  'assignee',
  'age',
  'tag',
  'due',
  'found',
  'reopened',
  'fixed',
  'openBefore',
] as const

/** Word of the assignee filter for issues that nobody has. */
export const nobody = 'nobody'

/** Least age that the list can ask for, in days. */
export const ages = ['7', '30', '90'] as const

/** Words of the filter by due date: days from now before which an issue is due. */
export const dueTimes = [
  { value: 'overdue', label: 'Overdue', days: 0 },
  { value: '7', label: 'Due within 7 days', days: 7 },
  { value: '30', label: 'Due within 30 days', days: 30 },
] as const

/** Before this moment issues are due that the address asks for, rounded to the minute; 0 for any. */
function dueBefore(word: string): number {
  const known = dueTimes.find(({ value }) => value === word)
  return known === undefined ? 0 : Math.floor(Date.now() / 60_000) * 60 + known.days * 86_400
}

/** Before this moment issues of the least age that the address asks for were found; rounded to the hour. */
function foundBefore(days: string): number {
  const known = ages.find((one) => one === days)
  return known === undefined ? 0 : Math.floor(Date.now() / 3_600_000) * 3600 - Number(known) * 86_400
}

/** Statuses that tabs show, each with its word; open is the usual one, ALL any. */
export const statusTabs = [
  { status: 'OPEN', word: 'Open' },
  { status: 'IGNORED', word: 'Ignored' },
  { status: 'FIXED', word: 'Fixed' },
  { status: 'ALL', word: 'All' },
] as const

/** The page of issues that the address names. */
export function useIssues() {
  const address = useListAddress()
  const { one, several } = address
  const status = statusTabs.find((known) => known.status === one('status'))?.status ?? 'OPEN'
  const pageSize = pageSizeIn(one)
  const page = pageIn(one)
  const sort = one('sort') || '-severity'
  const moment = (name: string) => Number(one(name)) || 0
  const request: IssueQuery = {
    filterStatus: status === 'ALL' ? [] : [status],
    searchString: one('q') || null,
    filterAssignee: several('assignee').map((login) => (login === nobody ? '' : login)),
    reopenedSince: moment('reopened'),
    fixedSince: moment('fixed'),
    openBefore: moment('openBefore'),
    filterTag: several('tag'),
    dueBefore: dueBefore(one('due')),
    filterSeverity: several('severity') as IssueQuery['filterSeverity'],
    filterCollectionsId: several('collection').map(Number).filter(Number.isSafeInteger),
    filterSubCategory: several('test'),
    // As the overview counts; those of a deactivated collection are listed when it is chosen.
    activeCollections: several('collection').length === 0,
    sortKey: sort.replace('-', '') as IssueQuery['sortKey'],
    sortOrder: sort.startsWith('-') ? -1 : 1,
    startEpoch: moment('found'),
    endTimeStamp: foundBefore(one('age')),
    limit: pageSize,
    skip: page * pageSize,
  }
  const query = useRead('fetchIssueGroups', request, { keepLast: true, refreshEvery: 30_000 })
  const { data } = query
  const counts = {
    OPEN: data?.openGroupsCount,
    IGNORED: data?.ignoredGroupsCount,
    FIXED: data?.fixedGroupsCount,
    ALL: data && data.openGroupsCount + data.ignoredGroupsCount + data.fixedGroupsCount,
  }
  return {
    ...query,
    request,
    address,
    status,
    page,
    pageSize,
    rows: data?.issueGroups ?? undefined,
    counts,
    total: counts[status],
    filtered: issueFilterNames.some((name) => one(name) !== ''),
    ...moments(one),
  }
}

/** What the list is narrowed to by a link of the overview, in words; null without one. */
function moments(one: (name: string) => string): { narrowed: string | null } {
  const at = (name: string) => exactTime(Number(one(name)) || 0)
  if (one('reopened') !== '') return { narrowed: `Reopened since ${at('reopened')}` }
  if (one('fixed') !== '') return { narrowed: `Fixed since ${at('fixed')}` }
  if (one('openBefore') !== '') return { narrowed: `Were open at ${at('openBefore')}` }
  return { narrowed: one('found') === '' ? null : `First found since ${at('found')}` }
}
