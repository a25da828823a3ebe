import type { RequestBodyOf } from '../../../contract/browser.ts'
import { pageIn, pageSizeIn, useListAddress } from '../../data/list-address.ts'
import { useRead } from '../../data/use-operation.ts'

type IssueQuery = RequestBodyOf<'fetchIssueGroups'>

/** Names of the filters in the address, beside the status. */
export const issueFilterNames = ['severity', 'collection', 'test'] as const

/** Statuses that tabs show, each with its word; open is the usual one. */
export const statusTabs = [
  { status: 'OPEN', word: 'Open' },
  { status: 'IGNORED', word: 'Ignored' },
  { status: 'FIXED', word: 'Fixed' },
] as const

/** The page of issues that the address names. */
export function useIssues() {
  const address = useListAddress()
  const { one, several } = address
  const status = statusTabs.find((known) => known.status === one('status'))?.status ?? 'OPEN'
  const pageSize = pageSizeIn(one)
  const page = pageIn(one)
  const sort = one('sort') || '-severity'
  const request: IssueQuery = {
    filterStatus: [status],
    filterSeverity: several('severity') as IssueQuery['filterSeverity'],
    filterCollectionsId: several('collection').map(Number).filter(Number.isSafeInteger),
    filterSubCategory: several('test'),
    activeCollections: false,
    sortKey: sort.replace('-', '') as IssueQuery['sortKey'],
    sortOrder: sort.startsWith('-') ? -1 : 1,
    startEpoch: 0,
    endTimeStamp: 0,
    limit: pageSize,
    skip: page * pageSize,
  }
  const query = useRead('fetchIssueGroups', request, { keepLast: true, refreshEvery: 30_000 })
  const { data } = query
  const counts = {
    OPEN: data?.openGroupsCount,
    IGNORED: data?.ignoredGroupsCount,
    FIXED: data?.fixedGroupsCount,
  }
  return {
    ...query,
    address,
    status,
    page,
    pageSize,
    rows: data?.issueGroups ?? undefined,
    counts,
    total: counts[status],
    filtered: issueFilterNames.some((name) => one(name) !== ''),
  }
}
