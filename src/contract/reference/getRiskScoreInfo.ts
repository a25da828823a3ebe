import { adapter } from './adapter.ts'
import { mapValues } from './map-values.ts'

/** Scores as numbers. */
export const getRiskScoreInfo = adapter('getRiskScoreInfo', {
  answer: (body) => ({
    ...body,
    riskScoreOfCollectionsMap: mapValues(body.riskScoreOfCollectionsMap, Number),
  }),
})
