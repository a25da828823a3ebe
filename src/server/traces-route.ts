import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Call } from '../app/index.ts'
import { findOperation } from '../contract/index.ts'
import { Failure } from '../kit/index.ts'
import { admitBatch } from './admit-batch.ts'
import { authorise, identify } from './identify.ts'
import { readBody } from './read-body.ts'
import { replyFailure } from './reply-failure.ts'
import type { ServerParts } from './server-parts.ts'
import { traceOf } from './trace.ts'

/** Where exporters send traces that have `/api/otlp` as their endpoint. */
const PATH = '/api/otlp/v1/traces'
const PROTOBUF = 'application/x-protobuf'
const TYPE = /^application\/(json|x-protobuf)[\t ]*(?:;|$)/i
const MAX_BYTES = { json: 2 * 1024 * 1024, 'x-protobuf': 8 * 1024 * 1024 } as const

type Encoding = keyof typeof MAX_BYTES

/** POST /api/otlp/v1/traces: OpenTelemetry's protocol over HTTP, whose spans become live traffic without bodies. */
export function addTracesRoute(server: FastifyInstance, parts: ServerParts): void {
  const { settings, log } = parts.app
  server.route({
    method: 'POST',
    url: PATH,
    handler: (request, reply) => answer(parts, request, reply),
    errorHandler: (error, request, reply) => {
      const form =
        encodingOf(request) === 'x-protobuf' ? { type: PROTOBUF, encode: protobufStatus } : undefined
      replyFailure({ settings, log, form }, error, request, reply)
    },
  })
}

async function answer(
  parts: ServerParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { caller } = await identify(parts.app, request)
  const operation = findOperation('ingestData')!
  const trace = traceOf(request)
  Object.assign(trace, { operation: operation.name, via: caller.via, userId: caller.userId })
  parts.connections.trust(request.raw.socket)
  authorise(operation, caller)
  const encoding = encodingOf(request)
  if (encoding === undefined) throw new Failure('UNSUPPORTED_MEDIA_TYPE')
  const apiCollectionId = collectionOf(request)
  admitBatch(parts, request, reply)
  const bytes = await receive(parts, request, MAX_BYTES[encoding])
  trace.bytesIn = bytes.length
  const call: Call = {
    app: parts.app,
    caller,
    ip: request.ip,
    origin: request.headers.origin ?? null,
    userAgent: request.headers['user-agent'] ?? null,
    rawBody: null,
    responseHeaders: new Map(),
  }
  const { count, reason } = await parts.traces.take({ bytes, encoding, apiCollectionId }, call)
  if (encoding === 'x-protobuf') return reply.type(PROTOBUF).send(protobufAnswer(count, reason))
  const partialSuccess = { rejectedSpans: String(count), errorMessage: reason }
  return reply.type('application/json').send(JSON.stringify(count === 0 ? {} : { partialSuccess }))
}

function encodingOf(request: FastifyRequest): Encoding | undefined {
  return TYPE.exec(request.headers['content-type'] ?? '')?.[1]?.toLowerCase() as Encoding | undefined
}

async function receive(parts: ServerParts, request: FastifyRequest, maxBytes: number): Promise<Uint8Array> {
  const { settings } = parts.app
  const body = await readBody(request.raw, {
    maxBytes: Math.min(maxBytes, settings.maxImportBytes),
    idleMs: settings.bodyIdleSeconds * 1000,
    budget: parts.budget,
  })
  traceOf(request).releases.push(body.release)
  return body.bytes
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

/** A google.rpc.Status with the sentences of an error as its message. */
function protobufStatus(messages: readonly string[]): Buffer {
  const text = Buffer.from(messages.join(' '))
  return Buffer.from([0x12, ...varint(text.length), ...text])
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]
}
