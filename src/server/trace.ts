import type { FastifyRequest } from 'fastify'
import { type ActiveSpan, beginSpan, readTraceParent, withWorkContext } from '../kit/index.ts'

/** What the log line and the figures of a call are made of; filled in on its way. */
interface Trace {
  /** Name in the contract, `unknown`, or null for requests that are not a call. */
  operation: string | null
  isQuiet: boolean
  via: string | null
  userId: number | null
  code: string | null
  bytesIn: number
  /** Runs once the answer is out or the client gone. */
  releases: (() => void)[]
  /** Null when nothing is recorded. */
  span: ActiveSpan | null
}

const traces = new WeakMap<FastifyRequest, Trace>()

export function traceOf(request: FastifyRequest): Trace {
  let trace = traces.get(request)
  if (!trace) {
    trace = {
      operation: null,
      isQuiet: true,
      via: null,
      userId: null,
      code: null,
      bytesIn: 0,
      releases: [],
      span: null,
    }
    traces.set(request, trace)
  }
  return trace
}

/** Live traffic of OpenTelemetry; the trace of an export to this server would never end. */
const UNTRACED = '/api/otlp/'

/**
 * Handles a request in its context: what is logged and recorded meanwhile, in whatever thread, has its id and its
 * trace. Calls of the API are spans; a caller's `traceparent` is their parent.
 */
export function handleInContext(request: FastifyRequest, handle: () => void): void {
  const requestId = request.id
  const path = request.url.split('?', 1)[0]!
  const { traceparent } = request.headers
  const parent = readTraceParent(typeof traceparent === 'string' ? traceparent : null)
  const span =
    path.startsWith('/api/') && !path.startsWith(UNTRACED)
      ? beginSpan('call', { kind: 'server', mayBegin: true, context: { requestId, trace: parent } })
      : null
  traceOf(request).span = span
  withWorkContext({ requestId, trace: span?.context ?? null }, handle)
}

/** Ends the span of a request; without a status the client went away before its answer. */
export function endSpan(request: FastifyRequest, status: number | null): void {
  const { span, operation, code, bytesIn } = traceOf(request)
  if (span === null) return
  const route = operation === null ? '/api' : `/api/${operation}`
  span.name = `${request.method} ${route}`
  Object.assign(span.attributes, {
    'http.route': route,
    'http.request.method': request.method,
    'vigil.request.id': request.id,
    'vigil.request.body.size': bytesIn,
    ...(operation === null ? {} : { 'vigil.operation': operation }),
    ...(status === null ? {} : { 'http.response.status_code': status }),
  })
  const isFault = status === null || status >= 500
  span.end(isFault ? (code ?? (status === null ? 'CLIENT_GONE' : String(status))) : null)
}
