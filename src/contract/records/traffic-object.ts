import type { Static } from 'typebox'
import { document, integer, list, model, nullable, oneOf, text } from '../schema.ts'
import { bucketLabels } from '../vocabulary.ts'
import { filled, filledEach, wideRecord } from '../wide-record.ts'

/** An item of `bucketStats`. */
export const bucketStats = model(
  'BucketStats',
  'Numbers of addresses per window within one bucket of calls.',
  {
    bucketLabel: oneOf(bucketLabels, {
      description: 'b1 is 1 to 10 calls in the window, b14 above 100,000.',
    }),
    min: integer(),
    max: integer(),
    p25: integer(),
    p50: integer(),
    p75: integer(),
  },
)

/** An item of `sampleDataList`. */
export const sampleData = model('SampleData', 'The kept samples of one endpoint.', {
  id: model('SampleDataId', 'The endpoint, with fields that older clients read.', {
    apiCollectionId: integer(),
    url: text(),
    method: text(),
    responseCode: integer({ description: 'Always -1.' }),
    bucketStartEpoch: integer({ description: 'Always 0.' }),
    bucketEndEpoch: integer({ description: 'Always 0.' }),
  }),
  samples: list(document(), { description: 'Sample messages as JSON text, oldest first, at most 10.' }),
  collectionIds: list(integer()),
  traces: nullable(list(text())),
})

export const trafficObject = wideRecord(
  'TrafficObject',
  'Shared answer of the operations about samples and call statistics.',
  {
    ...filledEach(['limit', 'skip', 'startWindow', 'endWindow', 'apiCollectionId'], integer(), 0),
    ...filledEach(['sensitiveSampleData', 'traffic'], text(), null),
    sampleDataList: filled(list(sampleData), null),
    bucketStats: filled(list(bucketStats), []),
    result: filled(text(), null),
  },
  ['apiCollectionId', 'startWindow', 'endWindow'],
)

export type BucketStats = Static<typeof bucketStats>
