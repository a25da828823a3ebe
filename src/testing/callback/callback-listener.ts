import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { cleanShortText } from '../../http/index.ts'
import { Failure, nowSeconds } from '../../kit/index.ts'
import type { CallbackPort } from '../attempts/environment.ts'
import type { jwkSet } from '../tokens/signing-keys.ts'
import { type CallbackHit, CallbackRegister, idsIn } from './callback-register.ts'
import { type CallbackShelf, SharedCallbacks, type Taken } from './shared-callbacks.ts'

/** Where the listener is, and how targets know it. */
interface CallbackSettings {
  readonly callbackHost: string
  /** 0 takes any free port here; anyone who reads settings takes 0 as "off". */
  readonly callbackPort: number
  /** Address under which targets reach the listener; null when it is host and port. */
  readonly callbackUrl: string | null
}

const MAX_TARGET = 2048
const MAX_HEADERS = 40
const MAX_CONNECTIONS = 200
const HEADERS_MS = 10_000
const REQUEST_MS = 15_000
const MAX_HEADER_BYTES = 16 * 1024
/** Longest header name or value that is kept, in characters. */
const MAX_HEADER_TEXT = 512
/** Where the public keys of tampered tokens are served. */
const KEYS_PATH = '/jwks.json'
/** Bytes of something that is not HTTP in which an id is looked for. */
const MAX_ODD_BYTES = 4096

/**
 * Listens for requests that targets make because a test told them to: the proof of SSRF and of other blind weaknesses.
 * A separate server, apart from that of the product: it knows ids and nothing else, answers nothing that is worth
 * reading, and keeps no bodies.
 */
export class CallbackListener implements CallbackPort {
  readonly #register = new CallbackRegister()
  readonly #shared: SharedCallbacks | null
  readonly #server: Server
  #url = ''
  #keys: string | null = null

  private constructor(server: Server, shared: SharedCallbacks | null) {
    this.#server = server
    this.#shared = shared
  }

  /**
   * Starts to listen.
   *
   * @param shelf keeps ids and calls for all processes of a store, and beyond a restart; null: in memory alone
   * @throws Failure CANNOT_LISTEN_FOR_CALLBACKS when the address cannot be listened on
   */
  static async start(
    settings: CallbackSettings,
    shelf: CallbackShelf | null = null,
  ): Promise<CallbackListener> {
    const { callbackHost: host, callbackPort: port, callbackUrl } = settings
    const server = createServer({
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: 1,
      connectionsCheckingInterval: 5_000,
    })
    server.maxConnections = MAX_CONNECTIONS
    const listener = new CallbackListener(server, shelf === null ? null : new SharedCallbacks(shelf))
    server.on('request', (request, response) => void listener.#answer(request, response))
    server.on('checkContinue', (request, response) => void listener.#answer(request, response))
    server.on('clientError', (error, socket) => listener.#takeOdd(error, socket))
    server.on('upgrade', (request, socket) => {
      void listener.#take(request)
      socket.destroy()
    })
    server.on('connect', (request, socket) => {
      void listener.#take(request)
      socket.destroy()
    })
    await new Promise<void>((resolve, reject) => {
      server.on('error', (error: NodeJS.ErrnoException) =>
        reject(
          new Failure(
            'CANNOT_LISTEN_FOR_CALLBACKS',
            { host, port, reason: error.code ?? error.message },
            { cause: error },
          ),
        ),
      )
      server.listen(port, host, resolve)
    })
    const bound = (server.address() as AddressInfo).port
    const plainHost = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
    const own = `http://${plainHost.includes(':') ? `[${plainHost}]` : plainHost}:${bound}`
    listener.#url = (callbackUrl ?? own).replace(/\/+$/, '')
    return listener
  }

  /** Where it listens, `address:port`: never a target of tests. */
  get address(): string {
    const { address, port } = this.#server.address() as AddressInfo
    return `${address}:${port}`
  }

  /** What targets are asked to call, without an id. */
  get url(): string {
    return this.#url
  }

  /** URL of the JWK set, for `createSigningKeys`. */
  get keysUrl(): string {
    return this.#url + KEYS_PATH
  }

  /** Serves a JWK set (RFC 7517 section 5) at {@link keysUrl}, where tokens with a foreign `jku` point to. */
  publishKeys(set: ReturnType<typeof jwkSet>): void {
    this.#keys = JSON.stringify(set)
  }

  /** A new id with its URL. Who calls it is redirected to `redirectUrl`, if that is an absolute URL. */
  register(redirectUrl?: string): { readonly id: string; readonly url: string } {
    const isUrl = redirectUrl !== undefined && URL.canParse(redirectUrl)
    const made = this.#register.add(isUrl ? new URL(redirectUrl).href : null)
    const { id } = made
    this.#shared?.add(made)
    return { id, url: `${this.#url}/${id}` }
  }

  hits(id: string): number {
    return Math.max(this.#register.count(id), this.#shared?.count(id) ?? 0)
  }

  settled(): Promise<void> | null {
    return this.#shared?.settled() ?? null
  }

  /** The first requests with an id, as evidence. */
  evidenceOf(id: string): readonly CallbackHit[] {
    return this.#register.hits(id)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
    await this.#shared?.close()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A body is of no interest: what has not come by now is not waited for.
    request.resume()
    const { isKnown, redirectUrl } = await this.#take(request)
    response.setHeader('Connection', 'close')
    if (redirectUrl !== null) response.writeHead(302, { Location: redirectUrl }).end()
    else if (!isKnown && this.#keys !== null && isKeysPath(request.url ?? ''))
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(this.#keys)
    else if (isKnown) response.writeHead(200, { 'Content-Type': 'text/plain' }).end('ok')
    else response.writeHead(404).end()
  }

  /** The id may stand anywhere in the target, or be a label of the host name that was called. */
  #take(request: IncomingMessage): Promise<Taken> {
    const target = (request.url ?? '').slice(0, MAX_TARGET)
    return this.#note([target, request.headers.host ?? ''], {
      at: nowSeconds(),
      address: request.socket.remoteAddress ?? '',
      method: request.method ?? '',
      target: cleanShortText(target),
      headers: request.rawHeaders
        .slice(0, 2 * MAX_HEADERS)
        .map((text) => cleanShortText(text.slice(0, MAX_HEADER_TEXT))),
    })
  }

  /** What this process gave out is known at once; the rest may be of another, or of a time before a restart. */
  async #note(texts: readonly string[], hit: CallbackHit): Promise<Taken> {
    const ids = idsIn(texts)
    const own = this.#register.record(ids, hit)
    if (this.#shared === null || ids.length === 0) return own
    const stored = this.#shared.hit(ids, hit)
    return own.isKnown ? own : stored
  }

  /** Other protocols than HTTP come to the same port; an id in their first bytes counts all the same. */
  #takeOdd(error: Error, socket: Duplex): void {
    const { rawPacket } = error as { rawPacket?: Buffer }
    const text = rawPacket?.toString('latin1', 0, MAX_ODD_BYTES) ?? ''
    if (text !== '')
      void this.#note([text], {
        at: nowSeconds(),
        address: (socket as Socket).remoteAddress ?? '',
        method: '',
        target: cleanShortText(text.slice(0, MAX_TARGET)),
        headers: [],
      })
    socket.destroy()
  }
}

/** A proxy may leave its own path in front. */
function isKeysPath(target: string): boolean {
  const end = target.search(/[?#]/)
  return (end < 0 ? target : target.slice(0, end)).endsWith(KEYS_PATH)
}
