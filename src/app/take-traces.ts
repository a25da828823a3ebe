import { setImmediate } from 'node:timers/promises'
import type { AnswerOf } from '../contract/index.ts'
import { jsonSpans, protobufSpans, type SpanMessage, spanMessage } from '../traffic/index.ts'
import { answerCall } from './answer-call.ts'
import type { Call } from './handler.ts'

/** Time between two pauses of reading, in milliseconds. */
const SLICE_MS = 10
/** Messages that are handed on at once. */
const BATCH = 5000

/** A request of OpenTelemetry's protocol: a parsed JSON body, or the bytes of Protocol Buffers. */
type TraceRequest = { readonly json: unknown } | { readonly protobuf: Buffer }

/** Spans of HTTP requests that were refused, and why the first was. */
interface RefusedSpans {
  count: number
  reason: string
}

/**
 * Takes what traces tell of HTTP requests as live traffic without bodies, with the rights and limits of `ingestData`.
 * Other spans are passed over.
 *
 * @param apiCollectionId one collection for all; null to go by host
 * @throws Failure INVALID_TRACES, and those of `ingestData`
 */
export async function takeTraces(
  request: TraceRequest,
  apiCollectionId: number | null,
  call: Call,
): Promise<RefusedSpans> {
  const refused: RefusedSpans = { count: 0, reason: '' }
  const refuse = (reason: string): void => {
    if (refused.count++ === 0) refused.reason = reason
  }
  const spans = 'json' in request ? jsonSpans(request.json) : protobufSpans(request.protobuf)
  let batch: SpanMessage[] = []
  const flush = async (): Promise<void> => {
    const batchData = batch
    batch = []
    if (batchData.length === 0) return
    const rawBody = new TextEncoder().encode(JSON.stringify({ batchData, apiCollectionId }))
    const answer = await answerCall('ingestData', {} as never, { ...call, rawBody })
    for (const { reason } of (answer as AnswerOf<'ingestData'>).rejected) refuse(reason)
  }
  let until = performance.now() + SLICE_MS
  for (const span of spans) {
    const message = spanMessage(span)
    if (typeof message === 'string') refuse(message)
    else if (message !== undefined && batch.push(message) >= BATCH) await flush()
    if (performance.now() < until) continue
    await setImmediate()
    until = performance.now() + SLICE_MS
  }
  await flush()
  return refused
}
