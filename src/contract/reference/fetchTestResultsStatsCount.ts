import { adapter } from './adapter.ts'

/** The number only. */
export const fetchTestResultsStatsCount = adapter('fetchTestResultsStatsCount', {
  answer: ({ count }) => count,
})
