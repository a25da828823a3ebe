import { similarIssues } from '../../../issues/index.ts'
import type { Handler } from '../../handler.ts'
import { requireIssue } from './issue-selection.ts'
import { wireIssue } from './wire-issue.ts'

const MAX_SIMILAR = 3

/** Issues of the same test on other endpoints. */
export const fetchAffectedEndpoints: Handler<'fetchAffectedEndpoints'> = async (input, call) => {
  const issue = await requireIssue(call, input.issueId)
  const similar = await similarIssues(call.app.store, issue, call.caller.collectionIds, MAX_SIMILAR)
  return { similarlyAffectedIssues: similar.map((one) => wireIssue(one, call.caller)) }
}
