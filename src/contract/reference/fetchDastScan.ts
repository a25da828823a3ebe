import { adapter } from './adapter.ts'

/** A bare list. */
export const fetchDastScan = adapter('fetchDastScan', { answer: ({ crawlerUrls }) => crawlerUrls })
