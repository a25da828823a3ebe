import type { ApiCollection, EndpointOverview } from '../../../contract/browser.ts'

type EndpointState = EndpointOverview['state']

/** Whether an endpoint is tested and listed, in words. */
export const endpointStateWords: Readonly<Record<EndpointState, string>> = {
  ACTIVE: 'Active: tested and listed',
  DEACTIVATED: 'Deactivated: left out of test runs',
  IGNORED: 'Ignored: left out of lists as well',
}

/** States of the endpoints that lists show and overviews count: all but the ignored ones. */
export const listedStates: EndpointState[] = ['ACTIVE', 'DEACTIVATED']

/** Operations whose answers change with tags, owners and states. */
export const careReads = [
  'searchEndpoints',
  'getSingleEndpoint',
  'fetchEndpointTags',
  'countTestStates',
  'fetchCollectionWiseApiEndpoints',
  'getCollection',
  'getAllCollections',
] as const

/** Endpoints of a collection that lists show. */
export function shownEndpoints(collection: Pick<ApiCollection, 'urlsCount' | 'ignoredUrlsCount'>): number {
  return collection.urlsCount - collection.ignoredUrlsCount
}
