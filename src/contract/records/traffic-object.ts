import type { Static } from 'typebox'
import { document, integer, list, model, nullable, oneOf, text } from '../schema.ts'
import { filled, filledEach, wideRecord } from '../wide-record.ts'

/** Labels of the buckets of calls per address and window, lowest first. */
export const bucketLabels = [
  'b1',
  'b2',
  'b3',
  'b4',
  'b5',
  'b6',
  'b7',
  'b8',
  'b9',
  'b10',
  'b11',
  'b12',
  'b13',
  'b14',
] as const

/** Highest number of calls of each bucket but the last, which has no upper end. */
export const bucketEnds = [
  10, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 20_000, 35_000, 50_000, 100_000,
] as const

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

/** The wide object of samples and call statistics. */
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

/** Samples of one endpoint on the wire. */
export type SampleData = Static<typeof sampleData>
/** Statistics of one bucket on the wire. */
export type BucketStats = Static<typeof bucketStats>
