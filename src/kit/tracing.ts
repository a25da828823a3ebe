import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import {
  BroadcastChannel,
  getEnvironmentData,
  isMainThread,
  setEnvironmentData,
  threadId,
} from 'node:worker_threads'
import { nowMs } from './clock.ts'
import { Failure } from './failure.ts'

/** A span as W3C Trace Context names it: hexadecimal ids, and whether its trace is recorded. */
export interface TraceContext {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
}

/** What present work is done for: the request it came with, and the span it is a part of. */
export interface WorkContext {
  readonly requestId: string | null
  readonly trace: TraceContext | null
}

/**
 * The closed list of span attributes. Ids, counts, names and codes only: never a body, a key, a header value, a target
 * URL or anything else that came from outside in clear.
 */
export interface SpanAttributes {
  'http.request.method'?: string
  /** As the contract has it: it holds no value of the caller. */
  'http.route'?: string
  'http.response.status_code'?: number
  'db.system.name'?: 'postgresql'
  /** Code of a failure, SQLSTATE, or name of an error. */
  'error.type'?: string
  'vigil.operation'?: string
  'vigil.request.id'?: string
  'vigil.request.body.size'?: number
  'vigil.batches'?: number
  'vigil.messages'?: number
  'vigil.run.id'?: string
  'vigil.execution.id'?: string
  'vigil.shard'?: number
  'vigil.checks'?: number
  'vigil.crawl.id'?: string
}

type SpanKind = 'internal' | 'server' | 'client' | 'consumer'

/** A span that has ended; it can be copied to another thread. */
export interface FinishedSpan {
  readonly context: TraceContext
  readonly parent: TraceContext | null
  /** Spans of other traces that this one worked for. */
  readonly links: readonly TraceContext[]
  readonly name: string
  readonly kind: SpanKind
  /** Milliseconds since 1970, with fractions. */
  readonly startMs: number
  readonly durationMs: number
  readonly attributes: SpanAttributes
  readonly hasFailed: boolean
}

/** Which traces are recorded: the share of those that begin here, and whether a caller's decision is kept. */
export interface Sampling {
  readonly ratio: number
  readonly followsParent: boolean
}

/** A span under way. */
export interface ActiveSpan {
  /** May be said better while it is under way. */
  name: string
  readonly context: TraceContext
  readonly attributes: SpanAttributes
  /** Ends it, with the code of what went wrong; what is said after that is ignored. */
  end(failure?: string | null): void
}

/** How a span begins. */
interface SpanOptions {
  readonly kind?: SpanKind
  readonly attributes?: SpanAttributes
  /** What it is done for, when that is not the present work. */
  readonly context?: WorkContext | null
  readonly links?: readonly TraceContext[]
  /** Whether a trace may begin with it; otherwise it is recorded as a part of a recorded trace only. */
  readonly mayBegin?: boolean
}

interface Tracer {
  readonly sampling: Sampling
  readonly take: (span: FinishedSpan) => void
}

/** Spans of threads go to the thread that exports them by a channel of this name and process. */
const CHANNEL = 'vigil-spans'
const contexts = new AsyncLocalStorage<WorkContext | undefined>()
let tracer: Tracer | null | undefined

/** What the present work is done for; null for work that nobody asked for, such as maintenance. */
export function workContext(): WorkContext | null {
  return contexts.getStore() ?? null
}

/** Does work, and all that it starts, for what `context` says. */
export function withWorkContext<T>(context: WorkContext | null, work: () => T): T {
  return contexts.run(context ?? undefined, work)
}

/**
 * Records spans from now on, also those of threads that start later.
 *
 * @param take gets every recorded span that has ended
 * @returns ends that
 */
export function beginTracing(sampling: Sampling, take: (span: FinishedSpan) => void): () => void {
  const name = `${CHANNEL}-${threadId}`
  const channel = new BroadcastChannel(name)
  channel.onmessage = (message) => take((message as { data: FinishedSpan }).data)
  channel.unref()
  setEnvironmentData(CHANNEL, { name, sampling })
  tracer = { sampling, take }
  return () => {
    tracer = null
    setEnvironmentData(CHANNEL, undefined as never)
    channel.close()
  }
}

function tracerHere(): Tracer | null {
  if (tracer === undefined) tracer = isMainThread ? null : tracerOfParent()
  return tracer
}

function tracerOfParent(): Tracer | null {
  const parent = getEnvironmentData(CHANNEL) as { name: string; sampling: Sampling } | undefined
  if (parent === undefined) return null
  const channel = new BroadcastChannel(parent.name)
  channel.unref()
  return { sampling: parent.sampling, take: (span) => channel.postMessage(span) }
}

/** Begins a span; null when nothing is recorded here. */
export function beginSpan(name: string, options: SpanOptions = {}): ActiveSpan | null {
  const here = tracerHere()
  if (here === null) return null
  const { context = workContext(), kind = 'internal', links = [], mayBegin = false } = options
  const parent = context?.trace ?? null
  if (!mayBegin && parent?.isSampled !== true) return null
  const traceId = parent?.traceId ?? newId(16)
  const isSampled = isRecorded(here.sampling, traceId, parent)
  const own: TraceContext = { traceId, spanId: newId(8), isSampled }
  const attributes: SpanAttributes = { ...options.attributes }
  const startMs = nowMs()
  const startedMs = performance.now()
  let hasEnded = false
  return {
    name,
    context: own,
    attributes,
    end(failure = null) {
      if (!isSampled || hasEnded) return
      hasEnded = true
      if (failure !== null) attributes['error.type'] = failure
      const durationMs = performance.now() - startedMs
      const hasFailed = failure !== null
      here.take({
        ...{ context: own, parent, links, name: this.name, kind },
        ...{ startMs, durationMs, attributes, hasFailed },
      })
    },
  }
}

function isRecorded(
  { ratio, followsParent }: Sampling,
  traceId: string,
  parent: TraceContext | null,
): boolean {
  if (parent !== null && followsParent) return parent.isSampled
  // The last digits are random in every trace id.
  return Number.parseInt(traceId.slice(-13), 16) / 2 ** 52 < ratio
}

/** Does work within a span that ends with it. @throws what the work throws */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: ActiveSpan | null) => Promise<T>,
): Promise<T> {
  const span = beginSpan(name, options)
  const { context = workContext() } = options
  if (span === null)
    return context === workContext() ? work(null) : withWorkContext(context, () => work(null))
  const requestId = context?.requestId ?? null
  try {
    const result = await withWorkContext({ requestId, trace: span.context }, () => work(span))
    span.end()
    return result
  } catch (error) {
    span.end(errorType(error))
    throw error
  }
}

/** What an error is called in traces; its message may quote data. */
export function errorType(error: unknown): string {
  if (error instanceof Failure) return error.code
  const { code, name } = Object(error) as { code?: unknown; name?: unknown }
  return String(code ?? name ?? typeof error).slice(0, 64)
}

const TRACE_PARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/

/** Reads a `traceparent` (W3C Trace Context); null when it is not one. */
export function readTraceParent(text: string | undefined | null): TraceContext | null {
  const [, traceId, spanId, flags] = TRACE_PARENT.exec(text ?? '') ?? []
  if (traceId === undefined || spanId === undefined) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags!, 16) & 1) === 1 }
}

/** A `traceparent` for another process. */
export function writeTraceParent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-0${isSampled ? 1 : 0}`
}

/** What work is done for, as a row in the store keeps it for the process that takes the work. */
export interface StoredContext {
  readonly requestId: string | null
  readonly traceParent: string | null
}

/** The present work's context as JSON for a column; null when nobody asked for it. */
export function storableContext(): string | null {
  const context = workContext()
  if (context === null) return null
  const { requestId, trace } = context
  const stored: StoredContext = { requestId, traceParent: trace && writeTraceParent(trace) }
  return JSON.stringify(stored)
}

/** What {@link storableContext} wrote. */
export function restoredContext(stored: StoredContext | null): WorkContext | null {
  return stored && { requestId: stored.requestId, trace: readTraceParent(stored.traceParent) }
}

function newId(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}
