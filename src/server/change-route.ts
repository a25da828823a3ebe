import { PassThrough } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type App, type Caller, topicsFor } from '../app/index.ts'
import { changeHeartbeatSeconds, changeStreams, changesPath } from '../contract/index.ts'
import { Failure } from '../kit/index.ts'
import { identifyReader } from './identify.ts'
import type { ServerParts } from './server-parts.ts'

/** Bytes that wait for a caller who reads too slowly before the stream is ended. */
const MAX_WAITING_BYTES = 16 * 1024

/** The open streams of changes of one server. */
export class ChangeStreams {
  readonly #app: App
  readonly #open = new Map<PassThrough, number>()

  constructor(app: App) {
    this.#app = app
  }

  /**
   * Opens a stream for who sent the request. It ends with the rights of the caller, which every heartbeat checks.
   *
   * @throws Failure TOO_MANY_REQUESTS, OVERLOADED
   */
  async open(request: FastifyRequest, first: Caller): Promise<PassThrough> {
    this.#admit(first)
    const stream = new PassThrough()
    this.#open.set(stream, first.userId)
    let caller = first
    const send = (text: string): void => {
      if (stream.writableLength > MAX_WAITING_BYTES) stream.destroy()
      else if (stream.writable) stream.write(text)
    }
    const heartbeat = setInterval(() => {
      identifyReader(this.#app, request).then(
        (now) => {
          caller = now
          send(': heartbeat\n\n')
        },
        () => stream.end(), // the caller learns why when it opens the next one
      )
    }, changeHeartbeatSeconds * 1000).unref()
    let isClosed = false
    let stop = (): void => {}
    stream.once('close', () => {
      isClosed = true
      clearInterval(heartbeat)
      this.#open.delete(stream)
      stop()
    })
    stop = await this.#app.changes.listen((changes) => {
      const topics = topicsFor(caller, changes)
      if (topics.length > 0) send(`event: changed\ndata: ${JSON.stringify({ topics })}\n\n`)
    })
    if (isClosed) stop()
    send('event: ready\ndata: {}\n\n')
    return stream
  }

  /** Ends all of them. */
  close(): void {
    for (const stream of this.#open.keys()) stream.end()
  }

  #admit({ userId }: Caller): void {
    const own = [...this.#open.values()].filter((id) => id === userId).length
    if (own >= changeStreams.ofAccount) throw new Failure('TOO_MANY_REQUESTS')
    if (this.#open.size >= changeStreams.ofProcess) throw new Failure('OVERLOADED')
  }
}

/** GET /api/changes: tells pages what changed, as server-sent events (HTML Living Standard, section 9.2). */
export function addChangeRoute(
  server: FastifyInstance,
  { app, connections }: ServerParts,
  streams: ChangeStreams,
): void {
  server.get(changesPath, { compress: false }, async (request, reply) => {
    const caller = await identifyReader(app, request)
    connections.trust(request.raw.socket)
    const stream = await streams.open(request, caller)
    reply.raw.once('close', () => stream.destroy())
    return reply
      .type('text/event-stream')
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no') // nginx would hold events back
      .send(stream)
  })
}
