import type { ApiInfo, EndpointOverview } from '../../../contract/index.ts'
import type { EndpointOverviewView, EndpointView } from '../../../inventory/index.ts'
import type { Caller } from '../../handler.ts'
import { shownCollections } from '../inventory/shown-collections.ts'

/** What is known of an endpoint, as the caller may see it. */
export function wireApiInfo(view: EndpointView, caller: Caller): ApiInfo {
  return {
    id: { method: view.method, apiCollectionId: view.collectionId, url: view.url },
    responseCodes: view.responseCodes,
    discoveredTimestamp: view.discoveredAt,
    lastCalculatedTime: view.scoredAt,
    lastTested: view.lastTested,
    lastSeen: view.lastSeen,
    sources: Object.fromEntries(
      Object.entries(view.sources).map(([source, timestamp]) => [source, { timestamp }]),
    ),
    violations: null,
    description: view.description,
    apiType: view.apiType as ApiInfo['apiType'],
    severityScore: view.severityScore,
    riskScore: view.riskScore,
    actualAuthType: view.actualAuthTypes,
    allAuthTypesFound: view.authCombinations,
    isSensitive: view.sensitiveInRequest.length + view.sensitiveInResponse.length > 0,
    collectionIds: shownCollections(view, caller),
    apiAccessTypes: view.accessTypes as ApiInfo['apiAccessTypes'],
  }
}

/** An endpoint in a list, on the wire. */
export function wireOverview(view: EndpointOverviewView, caller: Caller): EndpointOverview {
  return {
    ...wireApiInfo(view, caller),
    collectionName: view.collectionName,
    sensitiveInRequest: view.sensitiveInRequest,
    sensitiveInResponse: view.sensitiveInResponse,
    callCount: view.callCount,
    firstSeen: view.firstSeen,
    changedTimestamp: view.changedAt,
    isTemplate: view.isTemplate,
    isDocumented: view.isDocumented,
    openIssues: view.openIssues,
    recentAttacks: view.recentAttacks,
    latencyP50: view.latencyP50 < 0 ? null : view.latencyP50,
    latencyP95: view.latencyP95 < 0 ? null : view.latencyP95,
    tags: view.tags,
    owner: view.owner,
    state: view.state,
  }
}
