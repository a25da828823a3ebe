import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerCall, type Call } from '../app/index.ts'
import {
  absentOperation,
  accessTokenHeader,
  findOperation,
  maxBodyDepth,
  type Operation,
  type OperationName,
  type RequestOf,
  readRequest,
  referenceAnswer,
} from '../contract/index.ts'
import { Failure } from '../kit/index.ts'
import { admitBatch } from './admit-batch.ts'
import { authorise, identify } from './identify.ts'
import { parseJsonBody } from './json-body.ts'
import { jsonType } from './json-type.ts'
import { largeBodyBytes } from './large-bodies.ts'
import { rawBodyOperations } from './raw-bodies.ts'
import { announcesBody, readBody } from './read-body.ts'
import type { ServerParts } from './server-parts.ts'
import { traceOf } from './trace.ts'

const JSON_TYPE = /^application\/json[\t ]*(;|$)/i

/** The route of every operation: POST /api/<name>. */
export function addOperations(server: FastifyInstance, parts: ServerParts): void {
  server.all('/api/:operation', (request, reply) => {
    if (request.method === 'OPTIONS') return reply.code(204).header('allow', 'POST, OPTIONS').send()
    const { operation } = request.params as { operation: string }
    if (request.method !== 'POST' && !isReferenceRead(parts, request, operation)) {
      reply.header('allow', 'POST')
      throw new Failure('METHOD_NOT_ALLOWED', { method: request.method })
    }
    return answer(parts, request, reply, operation)
  })
  // Detectors elsewhere know this address, and that it answers 202.
  server.post('/api/threat_detection/record_malicious_event', (request, reply) =>
    answer(parts, request, reply.code(202), 'recordMaliciousEvent'),
  )
}

/** Clients of the reference read some things with GET. */
function isReferenceRead(parts: ServerParts, request: FastifyRequest, operation: string): boolean {
  const isOn = parts.app.settings.compatibility === 'reference'
  return isOn && request.method === 'GET' && findOperation(operation)?.access === 'read'
}

async function answer(
  parts: ServerParts,
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
): Promise<FastifyReply> {
  const operation = findOperation(name)
  const trace = traceOf(request)
  trace.operation = operation?.name ?? 'unknown'
  trace.isQuiet = operation === undefined || operation.access === 'read' || rawBodyOperations.has(name)
  const { caller, renewedToken } = await identify(parts.app, request)
  trace.via = caller.via
  trace.userId = caller.userId
  if (!operation) throw unknownOperation(name)
  parts.connections.trust(request.raw.socket)
  authorise(operation, caller)
  const bytes = await receive(parts, operation, request, reply)
  trace.bytesIn = bytes.length
  const isRaw = rawBodyOperations.has(operation.name)
  const responseHeaders = new Map<string, string>()
  if (renewedToken !== null) responseHeaders.set(accessTokenHeader, renewedToken)
  const call: Call = {
    app: parts.app,
    caller,
    ip: request.ip,
    origin: request.headers.origin ?? null,
    userAgent: request.headers['user-agent'] ?? null,
    rawBody: isRaw ? bytes : null,
    responseHeaders,
  }
  const { compatibility } = parts.app.settings
  const operationName = operation.name as OperationName
  const input = await inputOf(parts, operationName, bytes)
  const answered = await answerCall(operationName, input, call)
  const body =
    compatibility === 'reference' ? referenceAnswer(operationName, answered as never, input) : answered
  for (const [header, value] of responseHeaders) reply.header(header, value)
  return body === undefined ? reply.send() : reply.type(jsonType).send(JSON.stringify(body))
}

/** The checked request; empty for operations that read the bytes themselves. */
async function inputOf<Name extends OperationName>(
  { app, largeBodies }: ServerParts,
  name: Name,
  bytes: Uint8Array,
): Promise<RequestOf<Name>> {
  if (rawBodyOperations.has(name)) return {} as RequestOf<Name>
  const { compatibility } = app.settings
  if (bytes.length > largeBodyBytes) return largeBodies.read(name, bytes, compatibility)
  return readRequest(name, parseJsonBody(bytes, maxBodyDepth), compatibility)
}

async function receive(
  parts: ServerParts,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Uint8Array> {
  const { settings } = parts.app
  if (!announcesBody(request.raw)) return new Uint8Array(0)
  const isJson = JSON_TYPE.test(request.headers['content-type'] ?? '')
  if (operation.name === 'ingestData') admitBatch(parts, request, reply)
  const maxBytes = operation.bodyLimit === 'import' ? settings.maxImportBytes : settings.maxBodyBytes
  const body = await readBody(request.raw, {
    // A body of another type is refused unless it turns out to be empty.
    maxBytes: isJson ? maxBytes : 0,
    idleMs: settings.bodyIdleSeconds * 1000,
    budget: parts.budget,
  }).catch((error: unknown) => {
    const isOtherType = !isJson && error instanceof Failure && error.code === 'BODY_TOO_LARGE'
    throw isOtherType ? new Failure('UNSUPPORTED_MEDIA_TYPE') : error
  })
  traceOf(request).releases.push(body.release)
  return body.bytes
}

function unknownOperation(name: string): Failure {
  const instead = absentOperation(name)
  return instead === undefined
    ? new Failure('UNKNOWN_OPERATION', { operation: name.slice(0, 100) })
    : new Failure('OPERATION_NOT_OFFERED', { operation: name, instead })
}
