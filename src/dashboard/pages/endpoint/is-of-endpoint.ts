import { templateSegments } from '../../../contract/browser.ts'

/** Whether an address as it was observed is one of an endpoint, whose parameters stand for any segment. */
export function isOfEndpoint(observed: string, endpointUrl: string): boolean {
  const path = observed.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').split(/[?#]/)[0]!
  const segments = path.split('/').slice(1)
  const template = templateSegments(endpointUrl)
  return (
    segments.length === template.length && template.every((one, at) => one === null || one === segments[at])
  )
}
