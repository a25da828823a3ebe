import type { EndpointOverview } from '../../../contract/browser.ts'
import { endpointAddress } from '../../components/endpoint/endpoint-address.ts'
import { csvLines } from '../../data/csv-lines.ts'
import { constantText } from '../../data/words.ts'

const heads = [
  'method',
  'url',
  'collection',
  'risk',
  'open critical',
  'open high',
  'open medium',
  'open low',
  'attacks, 7 days',
  'authentication',
  'access',
  'sensitive in request',
  'sensitive in response',
  'status codes',
  'calls',
  'latency p50, ms',
  'latency p95, ms',
  'discovered',
  'last seen',
  'last tested',
  'described',
  'owner',
  'tags',
  'state',
  'link',
]

function time(seconds: number): string {
  return seconds === 0 ? '' : new Date(seconds * 1000).toISOString()
}

/**
 * Endpoints as lines of comma-separated values (RFC 4180), times in UTC.
 *
 * @param origin address of the dashboard, for links
 */
export function endpointsAsCsv(endpoints: readonly EndpointOverview[], origin: string): string {
  const rows = endpoints.map((endpoint) => [
    endpoint.id.method,
    endpoint.id.url,
    endpoint.collectionName,
    String(endpoint.riskScore),
    ...[
      endpoint.openIssues.CRITICAL,
      endpoint.openIssues.HIGH,
      endpoint.openIssues.MEDIUM,
      endpoint.openIssues.LOW,
      endpoint.recentAttacks,
    ].map(String),
    endpoint.actualAuthType.join(' '),
    endpoint.apiAccessTypes.join(' '),
    endpoint.sensitiveInRequest.join(' '),
    endpoint.sensitiveInResponse.join(' '),
    endpoint.responseCodes.join(' '),
    String(endpoint.callCount),
    String(endpoint.latencyP50 ?? ''),
    String(endpoint.latencyP95 ?? ''),
    time(endpoint.discoveredTimestamp),
    time(endpoint.lastSeen),
    time(endpoint.lastTested),
    endpoint.isDocumented ? 'yes' : 'no',
    endpoint.owner,
    endpoint.tags.join(' '),
    constantText(endpoint.state).toLowerCase(),
    `${origin}${endpointAddress(endpoint.id)}`,
  ])
  return csvLines([heads, ...rows])
}
