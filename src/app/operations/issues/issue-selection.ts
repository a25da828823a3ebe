import type { IssueFilter, IssueView } from '../../../issues/index.ts'
import { findIssue } from '../../../issues/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Call } from '../../handler.ts'
import { requireGranted } from '../../require-collection.ts'
import { readIssueId } from './wire-issue.ts'

/** Filters that most operations about issues take. */
interface SentIssueFilters {
  readonly filterCollectionsId?: readonly number[] | null
  readonly filterSeverity?: readonly string[] | null
  readonly filterSubCategory?: readonly string[] | null
  readonly filterCompliance?: readonly string[] | null
}

/** A test id that no test can have: a filter that nothing fits. */
const NOTHING = ['']

/**
 * The filter that a client means.
 *
 * @throws Failure COLLECTION_DENIED when a named collection was not granted to the caller
 */
export async function readFilter({ app, caller }: Call, sent: SentIssueFilters): Promise<IssueFilter> {
  for (const id of sent.filterCollectionsId ?? []) requireGranted(caller, id)
  const filter: IssueFilter = {
    visible: caller.collectionIds,
    collectionIds: sent.filterCollectionsId ?? null,
    severities: sent.filterSeverity ?? null,
    testIds: sent.filterSubCategory ?? null,
  }
  if (!sent.filterCompliance?.length) return filter
  const mapped = await app.catalogue.idsByStandards(sent.filterCompliance)
  const asked = sent.filterSubCategory ?? []
  const both = asked.length === 0 ? mapped : mapped.filter((id) => asked.includes(id))
  return { ...filter, testIds: both.length === 0 ? NOTHING : both }
}

/** The issue of an id. @throws Failure ISSUE_NOT_FOUND when there is none that the caller may see */
export async function requireIssue(
  { app, caller }: Call,
  sent: Parameters<typeof readIssueId>[0],
): Promise<IssueView> {
  const issue = await findIssue(app.store, readIssueId(sent), caller.collectionIds)
  if (issue === undefined) throw new Failure('ISSUE_NOT_FOUND', {})
  return issue
}
