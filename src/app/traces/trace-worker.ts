import { parentPort } from 'node:worker_threads'
import { ThreadCalls } from '../../kit/index.ts'
import { readTraces } from '../../traffic/otlp/read-traces.ts'

/** Thread that reads large requests of traces, one after the other. */
const methods = { read: readTraces }

export type TraceMethods = typeof methods

new ThreadCalls(parentPort!, methods)
