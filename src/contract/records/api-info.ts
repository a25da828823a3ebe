import type { Static } from 'typebox'
import { decimal, epochSeconds, flag, integer, list, mapOf, model, nullable, oneOf, text } from '../schema.ts'
import { accessTypes, apiTypes, authTypeLabels } from '../vocabulary.ts'
import { endpointKey } from './endpoint-key.ts'

/** Fields of an API info, shared with records that add to them. */
export const apiInfoFields = {
  id: endpointKey,
  responseCodes: list(integer(), { description: 'Status codes seen.' }),
  discoveredTimestamp: epochSeconds(
    'When Vigil first recorded the endpoint; for an import the time of the import.',
  ),
  lastCalculatedTime: epochSeconds('When the risk score was computed; 0 for never.'),
  lastTested: epochSeconds('When a test last ran on it; 0 for never.'),
  lastSeen: epochSeconds('Time of the last message.'),
  sources: mapOf(
    model('SourceSeen', 'When a source first brought the endpoint.', { timestamp: epochSeconds() }),
    {
      description: 'Source name (HAR, MIRRORING, …) to its first time.',
    },
  ),
  violations: nullable(text()),
  description: nullable(text()),
  apiType: nullable(oneOf(apiTypes)),
  severityScore: decimal({ description: 'Sum over open issues: 100 critical and high, 10 medium, 1 low.' }),
  riskScore: decimal({ description: 'From 0 to 5.' }),
  actualAuthType: list(text(), {
    description: `Kinds of authentication in use: ${Object.entries(authTypeLabels)
      .map(([name, label]) => `${name} (${label})`)
      .join(', ')}, or names of kinds of your own.`,
  }),
  allAuthTypesFound: list(list(text()), { description: 'Every combination of kinds seen.' }),
  isSensitive: flag({ description: 'A request or a response carries a sensitive data type.' }),
  collectionIds: list(integer(), { description: 'The owning collection and the groups it is in.' }),
  apiAccessTypes: list(oneOf(accessTypes), { description: 'Who calls it, judged by addresses.' }),
}

/** An item of `apiInfoList`. */
export const apiInfo = model('ApiInfo', 'What is known of one endpoint.', apiInfoFields)

/** An item of `list` of fetchApiInfosFromSTIs. */
export const stiItem = model('StiItem', 'One endpoint of the inventory.', {
  _id: endpointKey,
  startTs: epochSeconds('First time any parameter of the endpoint was seen.'),
  changesCount: integer({ description: 'Number of parameter records.' }),
})

export type ApiInfo = Static<typeof apiInfo>
