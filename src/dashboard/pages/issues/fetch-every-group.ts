import { type IssueGroup, pageLimits, type RequestBodyOf } from '../../../contract/browser.ts'
import { client } from '../../data/client.ts'

/** Most issues that are read at once; what is beyond needs a narrower filter. */
const mostGroups = 10_000

/** The issues of all pages of a list. @throws Error when there are more than can be read at once */
export async function fetchEveryGroup(request: RequestBodyOf<'fetchIssueGroups'>): Promise<IssueGroup[]> {
  const groups: IssueGroup[] = []
  const limit = pageLimits.issueGroups.most
  while (groups.length < mostGroups) {
    const answer = await client.call('fetchIssueGroups', { ...request, limit, skip: groups.length })
    groups.push(...answer.issueGroups)
    if (answer.issueGroups.length < limit) return groups
  }
  throw new Error(`More than ${mostGroups} issues meet the filters: choose a collection or a severity first`)
}
