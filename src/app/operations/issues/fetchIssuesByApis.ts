import { findEndpoint } from '../../../inventory/index.ts'
import { type EndpointIssues, type IssueFilter, openByEndpoint } from '../../../issues/index.ts'
import type { Call, Handler } from '../../handler.ts'
import { wireApiInfo } from '../collections/wire-endpoint.ts'
import { readFilter } from './issue-selection.ts'

/** Endpoints that an answer counts. */
const MAX_ENDPOINTS = 1000

/** Numbers of open issues by endpoint; with several categories one such object for each. */
export const fetchIssuesByApis: Handler<'fetchIssuesByApis'> = async (input, call) => {
  const filter = {
    ...(await readFilter(call, { filterCollectionsId: input.apiCollectionIds })),
    activeOnly: true,
  }
  const categories = input.categoryTypes ?? []
  const least = categories.length > 0 ? 1 : 2
  const one = (categories: readonly string[]) =>
    countsOf(call, { ...filter, categories }, input.showIssues ? least : null)
  if (categories.length < 2) return one(categories)
  const all = []
  for (const category of categories) all.push([category, await one([category])] as const)
  return Object.fromEntries(all)
}

interface IssuesOfApis {
  countByAPIs: Record<string, number>
  issueNamesByAPIs?: { apiInfo: ReturnType<typeof wireApiInfo>; issueNames: string[] }[]
}

/** @param namedFrom number of issues from which the tests of an endpoint are named; null names none */
async function countsOf(call: Call, filter: IssueFilter, namedFrom: number | null): Promise<IssuesOfApis> {
  const endpoints = await openByEndpoint(call.app.store, filter, MAX_ENDPOINTS)
  const countByAPIs = Object.fromEntries(
    endpoints.map((one) => [`${one.collectionId} ${one.url} ${one.method}`, one.count]),
  )
  if (namedFrom === null) return { countByAPIs }
  const named = endpoints.filter((one) => one.count >= namedFrom)
  return { countByAPIs, issueNamesByAPIs: await namesOf(call, named) }
}

async function namesOf(call: Call, endpoints: readonly EndpointIssues[]) {
  const names = []
  for (const { collectionId, method, url, testIds } of endpoints) {
    const endpoint = await findEndpoint(call.app.store, { apiCollectionId: collectionId, method, url })
    if (endpoint) names.push({ apiInfo: wireApiInfo(endpoint, call.caller), issueNames: testIds })
  }
  return names
}
