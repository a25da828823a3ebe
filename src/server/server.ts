import { randomBytes } from 'node:crypto'
import type { AddressInfo, Socket } from 'node:net'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance } from 'fastify'
import { type App, addressUrl, TraceIntake } from '../app/index.ts'
import { describeFailure } from '../contract/index.ts'
import { Failure, type Log } from '../kit/index.ts'
import { addAuthRoutes } from './auth-routes.ts'
import { addBlockListRoute } from './block-list-route.ts'
import { BodyDrain } from './body-drain.ts'
import { ByteBudget } from './byte-budget.ts'
import { addChangeRoute, ChangeStreams } from './change-route.ts'
import { ConnectionLimits } from './connection-limits.ts'
import { addDashboard, findDashboard } from './dashboard-files.ts'
import { addOperations } from './dispatch.ts'
import { addDocsSite } from './docs-files.ts'
import { addDocuments } from './document-routes.ts'
import { addHealth } from './health.ts'
import { jsonType } from './json-type.ts'
import { LargeBodies } from './large-bodies.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { addPasswordResetRoutes } from './password-reset-routes.ts'
import { replyFailure } from './reply-failure.ts'
import { addReportRoute } from './report-route.ts'
import { requireRole } from './require-role.ts'
import { addSecurityHeaders } from './security-headers.ts'
import type { ServerParts } from './server-parts.ts'
import { addSingleSignOnRoutes } from './single-sign-on-routes.ts'
import { endSpan, handleInContext, traceOf } from './trace.ts'
import { addTracesRoute } from './traces-route.ts'

const HEADERS_MS = 10_000
/** Connections that the system holds until they are accepted; what does not fit waits for seconds to try again. */
const BACKLOG = 4096
const KEEP_ALIVE_MS = 72_000
const CHECK_CONNECTIONS_MS = 2_000
/** Below this size compressing costs more than it saves. */
const COMPRESS_FROM_BYTES = 1024

/** A server that listens. */
export interface Server {
  /** URL of the listening address. */
  readonly address: string
  readonly port: number
  /** Metrics for an export, as data. */
  readonly readings: Metrics['readings']
  /**
   * Stops listening, lets running calls finish for at most the given time, then cuts what is left.
   *
   * @returns calls that were cut
   */
  stop(patienceMs: number): Promise<number>
}

/**
 * Listens as the settings say.
 *
 * @throws Failure CANNOT_LISTEN with the reason
 */
export async function startServer(app: App): Promise<Server> {
  const { settings } = app
  const { maxBytesInFlight, maxImportBytes, maxBodyBytes } = settings
  // A body that is allowed must fit.
  const budget = new ByteBudget(Math.max(maxBytesInFlight, maxImportBytes, maxBodyBytes))
  const connections = new ConnectionLimits({
    total: settings.maxConnections,
    perAddress: settings.maxConnectionsPerAddress,
    proxies: settings.trustedProxies,
  })
  const parts: ServerParts = {
    app,
    budget,
    ingestBudget: new ByteBudget(settings.maxIngestBytesInFlight),
    connections,
    drain: new BodyDrain(),
    largeBodies: new LargeBodies(),
    traces: new TraceIntake(),
    metrics: createMetrics(app, budget),
    dashboardDir: findDashboard(),
  }
  const server = createFastify(app)
  connections.watch(server.server)
  const running = new Set<object>()
  let isStopping = false
  server.addHook('onRequest', (request, _reply, done) => handleInContext(request, done))
  server.addHook('onRequest', async (request, reply) => {
    if (isStopping) throw new Failure('SHUTTING_DOWN')
    requireRole(settings, request.url)
    running.add(request)
    const endOnConnection = connections.begin(request.raw.socket)
    // Comes after every answer, and also when the client went away before it: no hook does.
    reply.raw.once('close', () => {
      running.delete(request)
      endOnConnection()
      release(request)
      endSpan(request, reply.raw.writableFinished ? reply.statusCode : null)
    })
  })
  addSecurityHeaders(server, settings)
  server.addHook('onResponse', async (request, reply) => {
    finishCall(parts, request, reply)
  })
  await server.register(cookie)
  await server.register(compress, {
    encodings: ['gzip'],
    threshold: COMPRESS_FROM_BYTES,
    globalDecompression: false, // request bodies are decoded where they are read, within their limits
  })
  // Bodies are read by the routes, after the gate; the framework does not touch them.
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', (_request, _payload, done) => done(null))
  server.setErrorHandler((error, request, reply) => replyFailure(parts.app, error, request, reply))
  addOperations(server, parts)
  addTracesRoute(server, parts)
  addReportRoute(server, parts)
  addBlockListRoute(server, parts)
  const changeStreams = new ChangeStreams(app)
  addChangeRoute(server, parts, changeStreams)
  addAuthRoutes(server, parts)
  addSingleSignOnRoutes(server, parts)
  addPasswordResetRoutes(server, parts)
  addHealth(server, parts)
  addDocuments(server, parts)
  await addDashboard(server, parts)
  await addDocsSite(server)
  await listen(server, settings.host, settings.port)
  const { port } = server.server.address() as AddressInfo
  return {
    address: addressUrl(settings.host, port),
    port,
    readings: () => parts.metrics.readings(),
    async stop(patienceMs) {
      isStopping = true
      changeStreams.close()
      let callsCut = 0
      const cut = setTimeout(() => {
        callsCut = running.size
        server.server.closeAllConnections()
      }, patienceMs)
      await server.close()
      clearTimeout(cut)
      await parts.largeBodies.close()
      await parts.traces.close()
      return callsCut
    },
  }
}

function createFastify({ settings, log }: App): FastifyInstance {
  const server = Fastify({
    logger: false,
    trustProxy: settings.trustedProxies.length > 0 ? [...settings.trustedProxies] : false,
    genReqId: () => randomBytes(8).toString('hex'),
    requestIdHeader: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: settings.requestSeconds * 1000,
    http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: CHECK_CONNECTIONS_MS },
    clientErrorHandler: (error, socket) => refuseRequest(log, error, socket),
    frameworkErrors: (error, request, reply) => replyFailure({ settings, log }, error, request, reply),
  })
  return server as unknown as FastifyInstance
}

async function listen(server: FastifyInstance, host: string, port: number): Promise<void> {
  try {
    await server.listen({ host, port, backlog: BACKLOG })
  } catch (error) {
    await server.close()
    throw new Failure('CANNOT_LISTEN', { host, port, reason: (error as Error).message }, { cause: error })
  }
}

function release(request: Parameters<typeof traceOf>[0]): void {
  for (const give of traceOf(request).releases.splice(0)) give()
}

function finishCall(
  { app, metrics }: ServerParts,
  request: Parameters<typeof traceOf>[0],
  reply: { statusCode: number; elapsedTime: number; getHeader(name: string): unknown },
): void {
  release(request)
  const trace = traceOf(request)
  if (trace.operation === null) return
  metrics.countCall(trace.operation, reply.statusCode, reply.elapsedTime / 1000, trace.bytesIn)
  const level = reply.statusCode >= 500 ? 'warn' : trace.isQuiet && reply.statusCode < 400 ? 'debug' : 'info'
  app.log[level]('call.answered', {
    requestId: request.id,
    operation: trace.operation,
    status: reply.statusCode,
    code: trace.code,
    durationMs: Math.round(reply.elapsedTime),
    bytesIn: trace.bytesIn,
    bytesOut: Number(reply.getHeader('content-length') ?? 0),
    via: trace.via,
    userId: trace.userId,
  })
}

/** Answers what never became a request: too slow, headers too large, no HTTP. */
function refuseRequest(log: Log, error: Error & { code?: string }, socket: Socket): void {
  const [status, phrase] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? [408, 'Request Timeout']
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? [431, 'Request Header Fields Too Large']
        : [400, 'Bad Request']
  log.debug('server.requestRefused', { status: Number(status), reason: error.code ?? 'unknown' })
  if (!socket.writable) return
  const { messages } =
    status === 408 ? describeFailure(new Failure('REQUEST_TIMEOUT')) : { messages: [phrase] }
  const body = JSON.stringify({ actionErrors: messages })
  socket.end(
    `HTTP/1.1 ${status} ${phrase}\r\ncontent-type: ${jsonType}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}
