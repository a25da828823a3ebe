import { type HrTime, type SpanContext, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import type { FinishedSpan, TraceContext } from '../../kit/index.ts'

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const

/** A span in the form that exporters of OpenTelemetry take. */
export function readableSpan(
  span: FinishedSpan,
  resource: Resource,
  scope: ReadableSpan['instrumentationScope'],
): ReadableSpan {
  const { parent } = span
  return {
    name: span.name,
    kind: KINDS[span.kind],
    spanContext: () => spanContext(span.context, false),
    ...(parent === null ? {} : { parentSpanContext: spanContext(parent, false) }),
    startTime: hrTime(span.startMs),
    endTime: hrTime(span.startMs + span.durationMs),
    duration: hrTime(span.durationMs),
    ended: true,
    status: { code: span.hasFailed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    attributes: { ...span.attributes },
    links: span.links.map((link) => ({ context: spanContext(link, false) })),
    events: [],
    resource,
    instrumentationScope: scope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

function spanContext({ traceId, spanId, isSampled }: TraceContext, isRemote: boolean): SpanContext {
  return { traceId, spanId, traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote }
}

/** Seconds and nanoseconds. */
export function hrTime(milliseconds: number): HrTime {
  const seconds = Math.floor(milliseconds / 1000)
  return [seconds, Math.round((milliseconds - seconds * 1000) * 1e6)]
}
