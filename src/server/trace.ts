import type { FastifyRequest } from 'fastify'

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
}

const traces = new WeakMap<FastifyRequest, Trace>()

export function traceOf(request: FastifyRequest): Trace {
  let trace = traces.get(request)
  if (!trace) {
    trace = { operation: null, isQuiet: true, via: null, userId: null, code: null, bytesIn: 0, releases: [] }
    traces.set(request, trace)
  }
  return trace
}
