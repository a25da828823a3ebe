import type { Issue, TestTemplate } from '../../../contract/browser.ts'
import { issueAddress } from '../../components/testing/issue-address.ts'
import { csvLines } from '../../data/csv-lines.ts'

const heads = [
  'severity',
  'status',
  'name',
  'test',
  'CWE',
  'method',
  'url',
  'collection',
  'first found',
  'last found',
  'assignee',
  'ignored because',
  'ignored until',
  'due',
  'tags',
  'note',
  'ticket',
  'link',
]

function time(seconds: number): string {
  return seconds === 0 ? '' : new Date(seconds * 1000).toISOString()
}

/**
 * Issues as lines of comma-separated values (RFC 4180), times in UTC.
 *
 * @param origin address of the dashboard, for links
 */
export function issuesAsCsv(
  issues: readonly Issue[],
  byId: ReadonlyMap<string, TestTemplate>,
  origin: string,
): string {
  const rows = issues.map(({ id, ...issue }) => [
    issue.severity,
    issue.testRunIssueStatus,
    byId.get(id.testSubCategory)?.testName ?? '',
    id.testSubCategory,
    byId.get(id.testSubCategory)?.cwe?.join(' ') ?? '',
    id.apiInfoKey.method,
    id.apiInfoKey.url,
    String(id.apiInfoKey.apiCollectionId),
    time(issue.creationTime),
    time(issue.lastSeen),
    issue.assignee ?? '',
    issue.ignoreReason ?? '',
    time(issue.ignoredUntil),
    time(issue.dueAt),
    issue.tags.join(' '),
    issue.description ?? '',
    issue.ticketId ?? '',
    `${origin}${issueAddress(id)}`,
  ])
  return csvLines([heads, ...rows])
}
