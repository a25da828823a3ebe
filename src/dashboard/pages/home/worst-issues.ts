import type { RequestBodyOf } from '../../../contract/browser.ts'

/** The worst open issues, and how many are open: several parts of the overview share the answer. */
export const worstIssues = {
  filterStatus: ['OPEN'],
  activeCollections: true,
  sortKey: 'severity',
  sortOrder: -1,
  limit: 5,
  skip: 0,
} satisfies RequestBodyOf<'fetchIssueGroups'>
