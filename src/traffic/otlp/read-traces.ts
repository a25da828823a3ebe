import { Failure } from '../../kit/index.ts'
import { jsonSpans } from './json-spans.ts'
import { protobufSpans } from './protobuf-spans.ts'
import { type TraceBatches, traceBatches } from './trace-batches.ts'

/** The encodings of OpenTelemetry's protocol over HTTP. */
export type TraceEncoding = 'json' | 'x-protobuf'

/**
 * The live batches of a request of traces.
 *
 * @param apiCollectionId one collection for all; null to go by host
 * @throws Failure INVALID_TRACES, INVALID_JSON_BODY
 */
export function readTraces(
  bytes: Uint8Array,
  encoding: TraceEncoding,
  apiCollectionId: number | null,
): TraceBatches {
  const spans =
    encoding === 'json'
      ? jsonSpans(parse(bytes))
      : protobufSpans(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  return traceBatches(spans, apiCollectionId)
}

/** Nothing here recurses into the value, so its depth does not matter. */
function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw new Failure('INVALID_JSON_BODY', {}, { cause: error })
  }
}
