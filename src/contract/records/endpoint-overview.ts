import type { Static } from 'typebox'
import {
  count,
  decimal,
  epochSeconds,
  flag,
  integer,
  list,
  model,
  nullable,
  oneOf,
  openObject,
  text,
} from '../schema.ts'
import { changeKinds, endpointStates, parameterPositions } from '../vocabulary.ts'
import { apiInfoFields } from './api-info.ts'
import { endpointKey } from './endpoint-key.ts'
import { severityCounts } from './test-run.ts'

/** A duration that the calls of an endpoint did not exceed, with the share of them. */
export function latency(share: string) {
  return nullable(
    integer({
      description: `Milliseconds that ${share} of the calls did not exceed, as far as sources told durations; null when none did.`,
    }),
  )
}

/** Fields of an endpoint overview beside those of an API info. */
const overviewFields = {
  ...apiInfoFields,
  collectionName: text({ description: 'Name of the owning collection.' }),
  sensitiveInRequest: list(text(), { description: 'Sensitive data types found in requests.' }),
  sensitiveInResponse: list(text(), { description: 'Sensitive data types found in responses.' }),
  callCount: count('Messages counted.'),
  firstSeen: epochSeconds('Time of the first message, or of the document that describes it.'),
  changedTimestamp: epochSeconds('Last change of what is known; 0 for none since discovery.'),
  isTemplate: flag({ description: 'The url has template positions.' }),
  isDocumented: flag({ description: 'An uploaded specification describes it.' }),
  openIssues: severityCounts,
  recentAttacks: integer({ description: 'Malicious requests of the last seven days.' }),
  latencyP50: latency('half'),
  latencyP95: latency('95 %'),
  tags: list(text(), { description: 'Tags that people gave it, or paths behind its template.' }),
  owner: text({ description: 'The person or team that owns it; empty for none.' }),
  state: oneOf(endpointStates, {
    description: 'ACTIVE, DEACTIVATED (left out of test runs) or IGNORED (left out of lists as well).',
  }),
}

export const endpointOverview = model(
  'EndpointOverview',
  'One endpoint with what lists show of it.',
  overviewFields,
)

export const endpointDetail = model('EndpointDetail', 'One endpoint with everything computed of it.', {
  ...overviewFields,
  riskFactors: list(
    model('RiskFactor', 'A reason for the risk score.', {
      factor: text(),
      points: decimal({ description: 'Part of riskScore: the points of all factors add up to it.' }),
      evidence: text({ description: 'What was seen, for a person.' }),
      since: epochSeconds(),
      remedy: text({ description: 'What would lower it.' }),
    }),
  ),
  authSeen: list(
    model('AuthSeen', 'A combination of credentials with the outcomes it had.', {
      types: list(text()),
      outcome: text({ description: 'Class of status: 2xx, 401, 403 or other.' }),
      count: count(),
      lastSeen: epochSeconds(),
    }),
  ),
  attributes: openObject({ description: 'Protocol details, for example the GraphQL operation.' }),
})

/** One parameter record: a name at a place with one type. */
export const parameterRecord = model('ParameterRecord', 'A parameter at one place with one type.', {
  apiCollectionId: integer(),
  url: text(),
  method: text(),
  responseCode: integer({ description: '-1 for the request.' }),
  param: text({
    description:
      'Name; nested keys joined by #, $ for list elements, segment index in paths, and index#name for parameters within a segment (matrix parameters, keys in parentheses).',
  }),
  displayName: text({ description: 'Name for people: {orderId}, user.roles[].name.' }),
  position: oneOf(parameterPositions),
  isHeader: flag(),
  isUrlParam: flag(),
  isQueryParam: flag(),
  subTypeString: text({ description: 'Type name: INTEGER_32, EMAIL, JWT, GENERIC …' }),
  sensitive: flag(),
  count: count('Messages it was seen in.'),
  timestamp: epochSeconds('First seen.'),
  lastSeen: epochSeconds('Last seen.'),
  examples: list(text(), {
    description: 'Up to five values; none for sensitive types and redacted collections.',
  }),
  minValue: nullable(decimal()),
  maxValue: nullable(decimal()),
  distinctValues: nullable(integer({ description: 'Exact up to 20; 21 means more.' })),
  route: nullable(text({ description: 'Way through nested encodings to the finding.' })),
})

export const endpointChange = model('EndpointChange', 'A change of what is known of an endpoint.', {
  apiInfoKey: endpointKey,
  kind: oneOf(changeKinds),
  what: text({ description: 'The parameter, type or template concerned.' }),
  timestamp: epochSeconds(),
})

export type EndpointOverview = Static<typeof endpointOverview>
export type EndpointDetail = Static<typeof endpointDetail>
export type ParameterRecord = Static<typeof parameterRecord>
export type EndpointChange = Static<typeof endpointChange>
