import { parentPort } from 'node:worker_threads'
import { maxBodyDepth, readRequest } from '../contract/index.ts'
import { Failure } from '../kit/index.ts'
import { parseJsonBody } from './json-body.ts'
import type { BodyAnswer, BodyToRead } from './large-bodies.ts'

/** Thread that parses and checks large bodies, one after the other. */
const port = parentPort!

function answerTo({ id, operation, bytes, compatibility }: BodyToRead): BodyAnswer {
  try {
    return { id, input: readRequest(operation, parseJsonBody(bytes, maxBodyDepth), compatibility) }
  } catch (error) {
    if (error instanceof Failure)
      return { id, code: error.code, details: error.details, message: error.message }
    return {
      id,
      code: null,
      details: {},
      message: error instanceof Error ? (error.stack ?? '') : String(error),
    }
  }
}

port.on('message', (body: BodyToRead) => port.postMessage(answerTo(body)))
