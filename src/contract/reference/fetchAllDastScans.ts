import { adapter } from './adapter.ts'

/** A bare list, with crawls of every status. */
export const fetchAllDastScans = adapter('fetchAllDastScans', {
  defaults: { includeAllStatuses: true },
  answer: ({ crawlerRuns }) => crawlerRuns,
})
