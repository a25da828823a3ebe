import type { Span } from './span.ts'
import { spanMessage } from './span-message.ts'

/** What a request of traces becomes. */
export interface TraceBatches {
  /** Bodies of `ingestData`. */
  readonly bodies: readonly Uint8Array[]
  /** Spans of HTTP requests that were refused, and why the first was. */
  readonly refused: { readonly count: number; readonly reason: string }
}

/** Messages of one body. */
const BATCH = 5000
/** Messages of one request: small spans become messages of ten times their size. */
const MAX_MESSAGES = 50_000

/**
 * Makes live batches of spans. Spans that are not a server's of an HTTP request are passed over.
 *
 * @param apiCollectionId one collection for all; null to go by host
 */
export function traceBatches(spans: Iterable<Span>, apiCollectionId: number | null): TraceBatches {
  const bodies: Uint8Array[] = []
  const refused = { count: 0, reason: '' }
  let batch: string[] = []
  let taken = 0
  const flush = (): void => {
    if (batch.length === 0) return
    const text = `{"apiCollectionId":${apiCollectionId},"batchData":[${batch.join(',')}]}`
    bodies.push(new TextEncoder().encode(text))
    batch = []
  }
  const refuse = (reason: string): void => {
    if (refused.count++ === 0) refused.reason = reason
  }
  for (const span of spans) {
    const message = spanMessage(span)
    if (message === undefined) continue
    if (typeof message === 'string') refuse(message)
    else if (taken >= MAX_MESSAGES) refuse(`the request has more than ${MAX_MESSAGES} spans of HTTP requests`)
    else {
      taken++
      if (batch.push(JSON.stringify(message)) >= BATCH) flush()
    }
  }
  flush()
  return { bodies, refused }
}
