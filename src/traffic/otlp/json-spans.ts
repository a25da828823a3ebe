import { Failure } from '../../kit/index.ts'
import { asList, asObject, asText, type OutsideObject, own } from '../untrusted-value.ts'
import {
  MAX_ATTRIBUTES,
  MAX_VALUES,
  SERVER_KIND,
  type Span,
  type SpanAttributes,
  spanId,
  spanMilliseconds,
} from './span.ts'

/**
 * The spans of an ExportTraceServiceRequest in JSON.
 *
 * @throws Failure INVALID_TRACES
 */
export function* jsonSpans(request: unknown): Generator<Span> {
  const resourceSpans = own(asObject(request), 'resourceSpans')
  if (!Array.isArray(resourceSpans))
    throw new Failure('INVALID_TRACES', { reason: 'it has no "resourceSpans"' })
  for (const one of resourceSpans) {
    const part = asObject(one)
    const resource = readAttributes(own(asObject(own(part, 'resource')), 'attributes'))
    for (const scope of asList(own(part, 'scopeSpans')))
      for (const span of asList(own(asObject(scope), 'spans'))) yield readSpan(asObject(span), resource)
  }
}

function readSpan(span: OutsideObject | undefined, resource: SpanAttributes): Span {
  const kind = own(span, 'kind')
  const start = Number(asText(own(span, 'startTimeUnixNano')))
  const end = Number(asText(own(span, 'endTimeUnixNano')))
  const isServer = kind === SERVER_KIND || kind === 'SPAN_KIND_SERVER'
  return {
    id: spanId(asText(own(span, 'traceId')), asText(own(span, 'spanId'))),
    kind: isServer ? 'server' : 'other',
    seconds: start / 1e9 || 0,
    milliseconds: spanMilliseconds(start, end),
    attributes: isServer ? readAttributes(own(span, 'attributes')) : new Map(),
    resource,
  }
}

function readAttributes(list: unknown): SpanAttributes {
  const attributes = new Map<string, string | string[]>()
  for (const one of asList(list).slice(0, MAX_ATTRIBUTES)) {
    const attribute = asObject(one)
    const value = asObject(own(attribute, 'value'))
    const array = own(asObject(own(value, 'arrayValue')), 'values')
    const texts = asList(array)
      .slice(0, MAX_VALUES)
      .map((item) => asText(own(asObject(item), 'stringValue')))
    const plain = ['stringValue', 'intValue', 'boolValue'].map((name) => asText(own(value, name))).join('')
    attributes.set(asText(own(attribute, 'key')), Array.isArray(array) ? texts : plain)
  }
  return attributes
}
