import {
  MAX_ATTRIBUTES,
  MAX_VALUES,
  SERVER_KIND,
  type Span,
  type SpanAttributes,
  spanId,
  spanMilliseconds,
} from './span.ts'
import { wireFields } from './wire-fields.ts'

/** Numbers of the fields in opentelemetry/proto/trace/v1/trace.proto and common.proto. */
const REQUEST = { resourceSpans: 1 } as const
const RESOURCE_SPANS = { resource: 1, scopeSpans: 2 } as const
const RESOURCE = { attributes: 1 } as const
const SCOPE_SPANS = { spans: 2 } as const
const SPAN = { traceId: 1, spanId: 2, kind: 6, start: 7, end: 8, attributes: 9 } as const
const KEY_VALUE = { key: 1, value: 2 } as const
const VALUE = { text: 1, bool: 2, int: 3, array: 5 } as const
const ARRAY = { values: 1 } as const

/**
 * The spans of an ExportTraceServiceRequest in Protocol Buffers.
 *
 * @throws Failure INVALID_TRACES
 */
export function* protobufSpans(request: Buffer): Generator<Span> {
  for (const { field, bytes } of wireFields(request)) {
    if (field !== REQUEST.resourceSpans) continue
    // The resource may come after the spans; a list of all fields could be many times as large as the message.
    let attributes: SpanAttributes = new Map()
    for (const part of wireFields(bytes))
      if (part.field === RESOURCE_SPANS.resource) attributes = readAttributes(part.bytes, RESOURCE.attributes)
    for (const scope of wireFields(bytes)) {
      if (scope.field !== RESOURCE_SPANS.scopeSpans) continue
      for (const span of wireFields(scope.bytes))
        if (span.field === SCOPE_SPANS.spans) yield readSpan(span.bytes, attributes)
    }
  }
}

function readSpan(message: Buffer, resource: SpanAttributes): Span {
  let [trace, id, kind, start, end] = ['', '', 0, 0, 0]
  for (const { field, number, bytes } of wireFields(message)) {
    if (field === SPAN.traceId) trace = bytes.toString('hex')
    if (field === SPAN.spanId) id = bytes.toString('hex')
    if (field === SPAN.kind) kind = number
    if (field === SPAN.start) start = number
    if (field === SPAN.end) end = number
  }
  const isServer = kind === SERVER_KIND
  return {
    id: spanId(trace, id),
    kind: isServer ? 'server' : 'other',
    seconds: start / 1e9,
    milliseconds: spanMilliseconds(start, end),
    attributes: isServer ? readAttributes(message, SPAN.attributes) : new Map(),
    resource,
  }
}

/** The KeyValue messages in one field of a message. */
function readAttributes(message: Buffer, of: number): SpanAttributes {
  const attributes = new Map<string, string | string[]>()
  for (const { field, bytes } of wireFields(message)) {
    if (field !== of || attributes.size >= MAX_ATTRIBUTES) continue
    let key = ''
    let value: string | string[] = ''
    for (const part of wireFields(bytes)) {
      if (part.field === KEY_VALUE.key) key = part.bytes.toString()
      if (part.field === KEY_VALUE.value) value = readValue(part.bytes)
    }
    attributes.set(key, value)
  }
  return attributes
}

function readValue(message: Buffer): string | string[] {
  for (const { field, number, bytes } of wireFields(message)) {
    if (field === VALUE.text) return bytes.toString()
    if (field === VALUE.bool) return String(number !== 0)
    if (field === VALUE.int) return String(number)
    if (field === VALUE.array) return readTexts(bytes)
  }
  return ''
}

/** The texts of a list; lists within it are left out. */
function readTexts(message: Buffer): string[] {
  const texts: string[] = []
  for (const { field, bytes } of wireFields(message)) {
    if (field !== ARRAY.values || texts.length >= MAX_VALUES) continue
    for (const value of wireFields(bytes)) if (value.field === VALUE.text) texts.push(value.bytes.toString())
  }
  return texts
}
