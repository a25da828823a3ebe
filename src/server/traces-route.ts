import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Call, takeTraces } from '../app/index.ts'
import { findOperation, maxBodyDepth } from '../contract/index.ts'
import { Failure } from '../kit/index.ts'
import { authorise, identify } from './identify.ts'
import { parseJsonBody } from './json-body.ts'
import { readBody } from './read-body.ts'
import type { ServerParts } from './server-parts.ts'
import { traceOf } from './trace.ts'

/** Where exporters send traces that have `/api/otlp` as their endpoint. */
const PATH = '/api/otlp/v1/traces'
const PROTOBUF = 'application/x-protobuf'
const TYPE = /^application\/(json|x-protobuf)[\t ]*(?:;|$)/i
/** JSON is parsed in one go, Protocol Buffers with pauses; both are read beside everything else. */
const MAX_BYTES = { json: 2 * 1024 * 1024, 'x-protobuf': 8 * 1024 * 1024 } as const

/** POST /api/otlp/v1/traces: OpenTelemetry's protocol over HTTP, whose spans become live traffic without bodies. */
export function addTracesRoute(server: FastifyInstance, parts: ServerParts): void {
  server.post(PATH, async (request, reply) => {
    const { caller } = await identify(parts.app, request)
    const operation = findOperation('ingestData')!
    const trace = traceOf(request)
    Object.assign(trace, { operation: operation.name, via: caller.via, userId: caller.userId })
    parts.connections.trust(request.raw.socket)
    authorise(operation, caller)
    const kind = TYPE.exec(request.headers['content-type'] ?? '')?.[1]?.toLowerCase() as
      | keyof typeof MAX_BYTES
      | undefined
    if (kind === undefined) throw new Failure('UNSUPPORTED_MEDIA_TYPE')
    const body = await receive(parts, request, MAX_BYTES[kind])
    trace.bytesIn = body.length
    const call: Call = {
      app: parts.app,
      caller,
      ip: request.ip,
      origin: request.headers.origin ?? null,
      userAgent: request.headers['user-agent'] ?? null,
      rawBody: null,
      responseHeaders: new Map(),
    }
    const traces = kind === 'json' ? { json: parseJsonBody(body, maxBodyDepth) } : { protobuf: body }
    const { count, reason } = await takeTraces(traces, collectionOf(request), call)
    if (kind === 'x-protobuf') return reply.type(PROTOBUF).send(protobufAnswer(count, reason))
    const partialSuccess = { rejectedSpans: String(count), errorMessage: reason }
    return reply.type('application/json').send(JSON.stringify(count === 0 ? {} : { partialSuccess }))
  })
}

async function receive(parts: ServerParts, request: FastifyRequest, maxBytes: number): Promise<Buffer> {
  const { settings } = parts.app
  const body = await readBody(request.raw, {
    maxBytes: Math.min(maxBytes, settings.maxImportBytes),
    idleMs: settings.bodyIdleSeconds * 1000,
    budget: parts.budget,
  })
  traceOf(request).releases.push(body.release)
  return Buffer.from(body.bytes.buffer, body.bytes.byteOffset, body.bytes.length)
}

/** @throws Failure NO_SUCH_COLLECTION */
function collectionOf(request: FastifyRequest): number | null {
  const { apiCollectionId } = request.query as { apiCollectionId?: unknown }
  if (apiCollectionId === undefined) return null
  const id = Number(apiCollectionId)
  if (!Number.isSafeInteger(id)) throw new Failure('NO_SUCH_COLLECTION')
  return id
}

/** An ExportTraceServiceResponse, with `partial_success` where spans were refused. */
function protobufAnswer(count: number, reason: string): Buffer {
  if (count === 0) return Buffer.alloc(0)
  const text = Buffer.from(reason).subarray(0, 100)
  const partial = Buffer.from([0x08, ...varint(count), 0x12, ...varint(text.length), ...text])
  return Buffer.from([0x0a, ...varint(partial.length), ...partial])
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]
}
