import { parentPort } from 'node:worker_threads'
import { type Compatibility, maxBodyDepth, type OperationName, readRequest } from '../contract/index.ts'
import { ThreadCalls } from '../kit/index.ts'
import { parseJsonBody } from './json-body.ts'

/** Thread that parses and checks large bodies, one after the other. */
const methods = {
  /** The checked request. @throws Failure as `readRequest` does */
  read: (operation: OperationName, bytes: Uint8Array, compatibility: Compatibility): unknown =>
    readRequest(operation, parseJsonBody(bytes, maxBodyDepth), compatibility),
}

export type LargeBodyMethods = typeof methods

new ThreadCalls(parentPort!, methods)
