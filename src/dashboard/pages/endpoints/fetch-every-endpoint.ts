import type { EndpointOverview, RequestBodyOf } from '../../../contract/browser.ts'
import { client } from '../../data/client.ts'

/** Most endpoints that are chosen at once; what is beyond needs a narrower filter. */
const mostEndpoints = 10_000
/** Of one page. */
const most = 500

/** The endpoints of all pages of a list. @throws Error when there are more than can be chosen at once */
export async function fetchEveryEndpoint(
  request: RequestBodyOf<'searchEndpoints'>,
): Promise<EndpointOverview[]> {
  const endpoints: EndpointOverview[] = []
  for (;;) {
    const page = { ...request, limit: most, skip: endpoints.length }
    const answer = await client.call('searchEndpoints', page)
    endpoints.push(...answer.endpoints)
    if (answer.endpoints.length < most) return endpoints
    const { total, isTotalExact } = answer
    // The server counts no further than to the most endpoints.
    if (endpoints.length >= mostEndpoints && (!isTotalExact || total > endpoints.length))
      throw new Error(
        `More than ${mostEndpoints} endpoints meet the filters: choose a collection or a method first`,
      )
  }
}
