import type { EndpointKey } from '../../../contract/browser.ts'

/**
 * Address of an endpoint's page. Inside a group (`within`) the group stays in the address, so that the way back leads
 * there; the key names the endpoint's own collection.
 */
export function endpointAddress(key: EndpointKey, within: number | null = null): string {
  const query = new URLSearchParams({ method: key.method, url: key.url })
  if (within !== null && within !== key.apiCollectionId) query.set('from', String(within))
  return `/apis/${key.apiCollectionId}/endpoint?${query}`
}
