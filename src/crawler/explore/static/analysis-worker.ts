import { parentPort } from 'node:worker_threads'
import { ThreadCalls } from '../../../kit/index.ts'
import { analyse } from './analysis.ts'

/** Thread that reads texts for the crawler, one at a time, so that a large bundle delays nothing else. */
const methods = { analyse }

export type AnalysisMethods = typeof methods

new ThreadCalls(parentPort!, methods)
