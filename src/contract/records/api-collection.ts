import type { Static } from 'typebox'
import { epochSeconds, flag, integer, model, nullable, text } from '../schema.ts'

const whenKnown = (description: string) => nullable(text({ description }))

/** An item of `apiCollections`. */
export const apiCollection = model(
  'ApiCollection',
  'A collection of endpoints, or a group (type API_GROUP).',
  {
    id: integer({ description: 'Identifier of the collection.' }),
    name: text({ description: 'Unique name.' }),
    displayName: text({ description: 'Host name and name joined, or whichever there is.' }),
    description: whenKnown('Free text.'),
    hostName: whenKnown('Set only for collections fed from the traffic of one host.'),
    urlsCount: integer({ description: 'Number of distinct endpoints.' }),
    ignoredUrlsCount: integer({
      description: 'How many of them people ignore, so that lists leave them out. Not in the specification.',
    }),
    startTs: epochSeconds('When the collection was created.'),
    vxlanId: integer({ description: 'Number of a mirroring session; 0 otherwise.' }),
    type: whenKnown('API_GROUP for groups made of conditions; null for plain collections.'),
    envType: whenKnown('Environment name: the one a user set, else the one read from the host name.'),
    userSetEnvType: whenKnown('Environment name a user set.'),
    tagsList: whenKnown('JSON text of [{keyName, value, source, lastUpdatedTs}].'),
    conditions: whenKnown('JSON text of the conditions of a group.'),
    runDependencyAnalyser: flag(),
    redact: flag({ description: 'Values of payloads are not kept.' }),
    mcpCollection: flag(),
    deactivated: flag({ description: 'Its endpoints are not counted and guarded operations refuse it.' }),
    automated: flag({ description: 'Created by the system.' }),
    matchDependencyWithOtherCollections: flag(),
    genAICollection: flag(),
    isOutOfTestingScope: flag({ description: 'Tests leave it out.' }),
    sampleCollectionsDropped: flag({ description: 'Samples were deleted after redaction was switched on.' }),
    sseCallbackUrl: whenKnown('Only for collections of agent protocols.'),
  },
)

export type ApiCollection = Static<typeof apiCollection>
