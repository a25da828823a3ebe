/** Attributes of a span or a resource by name; of lists the texts, other values as text. */
export type SpanAttributes = ReadonlyMap<string, string | readonly string[]>

/** What matters of a span of OpenTelemetry. */
export interface Span {
  /** Trace and span in hexadecimal digits; empty when it lacks one of them. */
  readonly id: string
  readonly kind: 'server' | 'other'
  /** Seconds since 1970; 0 when it does not tell. */
  readonly seconds: number
  /** From its start to its end; undefined when it does not tell. */
  readonly milliseconds: number | undefined
  readonly attributes: SpanAttributes
  /** Of the service that made it. */
  readonly resource: SpanAttributes
}

/** Milliseconds between two times in nanoseconds; undefined when one of them is missing, or the end is before the start. */
export function spanMilliseconds(start: number, end: number): number | undefined {
  return start > 0 && end >= start ? Math.round((end - start) / 1e6) : undefined
}

/** The id of a span; ids of nothing but zeros are invalid in the protocol. */
export function spanId(trace: string, span: string): string {
  const isValid = (id: string): boolean => /[^0]/.test(id)
  return isValid(trace) && isValid(span) ? `${trace}:${span}`.toLowerCase() : ''
}

/** Attributes of one span that are read. */
export const MAX_ATTRIBUTES = 500
/** Values of one attribute that are read. */
export const MAX_VALUES = 50
/** SPAN_KIND_SERVER of the protocol. */
export const SERVER_KIND = 2
