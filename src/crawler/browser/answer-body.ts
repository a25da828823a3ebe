import { keptBody } from './captured-of.ts'
import type { TimedSession } from './cdp.ts'
import type { KeptBody } from './flight.ts'

/** Longer bodies are not fetched from the browser at all. */
export const MAX_READ_BYTES = 8 * 1024 * 1024
const BODY_MS = 30_000
/** Media types whose bytes tell nothing about an API. */
const OPAQUE =
  /^(?:image|video|audio|font)\/(?!svg)|^application\/(?:font|x-font|zip|gzip|pdf|wasm|vnd\.ms-)/i
/** Media types of answers that go on for as long as they like: the page must get them as they come. */
const STREAMING =
  /^(?:text\/event-stream|multipart\/x-mixed-replace|application\/(?:x-ndjson|ndjson|jsonl|stream\+json|grpc|connect))/i
/** Statuses whose answers have no body (RFC 9110 section 15). */
const EMPTY = new Set([101, 103, 204, 205, 304])

/** Whether an answer has a body worth keeping. */
export function hasReadableBody(status: number, mediaType: string): boolean {
  return !EMPTY.has(status) && !OPAQUE.test(mediaType)
}

/** Whether an answer may go on without end. */
export function isStreaming(mediaType: string): boolean {
  return STREAMING.test(mediaType)
}

/**
 * Fetches a body from the browser.
 *
 * @param method `Network.getResponseBody`, or `Fetch.getResponseBody` of a paused answer
 * @throws Failure when the browser has it no longer
 */
export async function readAnswerBody(
  session: TimedSession,
  method: 'Network.getResponseBody' | 'Fetch.getResponseBody',
  requestId: string,
): Promise<KeptBody> {
  const { body, base64Encoded } = await session.send<{ body: string; base64Encoded: boolean }>(
    method,
    { requestId },
    BODY_MS,
  )
  const whole = Buffer.from(body, base64Encoded ? 'base64' : 'utf8')
  const kept = keptBody(whole)
  return kept.isCut && whole.length <= MAX_READ_BYTES ? { ...kept, whole } : kept
}
