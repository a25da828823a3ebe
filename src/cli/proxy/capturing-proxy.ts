import { once } from 'node:events'
import http, { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import https from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { BodyCopy } from './capture-body.ts'
import type { Certificates } from './certificates.ts'
import type { Captured } from './recorder.ts'

const TLS_HANDSHAKE = 0x16
const HTTPS_PORT = 443
/** Fields of one connection (RFC 9110 7.6.1), and those that older clients send to proxies. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
])

interface ProxyOptions {
  readonly certificates: Certificates
  /** Hosts to record; requests to others pass unread. Null: all. */
  readonly hosts: readonly string[] | null
  /** Whether certificates of servers are checked. */
  readonly verifiesTls: boolean
  readonly onCapture: (message: Captured) => void
}

/** Where the requests of one tunnel go. */
interface Origin {
  readonly scheme: 'http' | 'https'
  readonly authority: string
}

/** An HTTP proxy on this machine that records what passes; HTTPS by CONNECT, with its own certificates. */
export class CapturingProxy {
  readonly #options: ProxyOptions
  readonly #front: Server
  /** Reads the requests within tunnels; it does not listen. */
  readonly #inner: Server
  readonly #origins = new WeakMap<object, Origin>()
  readonly #sockets = new Set<Duplex>()
  readonly #agents

  constructor(options: ProxyOptions) {
    this.#options = options
    this.#agents = {
      http: new http.Agent({ keepAlive: true }),
      https: new https.Agent({ keepAlive: true, rejectUnauthorized: options.verifiesTls }),
    }
    this.#front = createServer((request, response) => this.#serve(request, response))
    this.#inner = createServer((request, response) => this.#serve(request, response))
    this.#front.on('connect', (request, socket, head) => this.#tunnel(request, socket, head))
    for (const server of [this.#front, this.#inner]) {
      server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head))
      server.on('clientError', (_error, socket) => socket.destroy())
    }
  }

  /** Listens on the loopback address. @returns the port @throws the system's error when the port is taken */
  async listen(port: number): Promise<number> {
    this.#front.listen(port, '127.0.0.1')
    await once(this.#front, 'listening')
    return (this.#front.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#front.close(() => resolve()))
    this.#front.closeAllConnections()
    for (const socket of this.#sockets) socket.destroy()
    this.#agents.http.destroy()
    this.#agents.https.destroy()
    await closed
  }

  #records(host: string): boolean {
    const { hosts } = this.#options
    if (hosts === null) return true
    return hosts.some((one) => (one.startsWith('*.') ? host.endsWith(one.slice(1)) : host === one))
  }

  /** Where a request goes: an absolute URL, or a path within a tunnel. Null for targets that cannot be passed on. */
  #targetOf(request: IncomingMessage): URL | null {
    const { url = '' } = request
    const origin = this.#origins.get(request.socket)
    if (origin !== undefined && !url.startsWith('/')) return null
    const text = origin === undefined ? url : `${origin.scheme}://${origin.authority}${url}`
    if (!URL.canParse(text)) return null
    const target = new URL(text)
    return /^https?:$/.test(target.protocol) ? target : null
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const url = this.#targetOf(request)
    if (url !== null) {
      this.#forward(request, response, url)
      return
    }
    response.writeHead(400, { 'content-type': 'text/plain' })
    response.end('This is the capturing proxy of Vigil: set it as the HTTP proxy of a browser or program.\n')
  }

  #forward(request: IncomingMessage, response: ServerResponse, url: URL): void {
    const scheme = url.protocol === 'https:' ? 'https' : 'http'
    const at = Math.floor(Date.now() / 1000)
    const startedMs = performance.now()
    const requestBody = new BodyCopy()
    const fail = (error: Error): void => {
      if (response.headersSent) response.destroy()
      else
        response
          .writeHead(502, 'Bad Gateway', { 'content-type': 'text/plain', connection: 'close' })
          .end(`Vigil's proxy got no answer from ${url.host} that it can pass on: ${reasonOf(error)}\n`)
    }
    const options = {
      method: request.method,
      agent: this.#agents[scheme],
      headers: [...endToEnd(request.rawHeaders), ...framing(request)],
    }
    const outgoing = orFail(() => (scheme === 'https' ? https : http).request(url, options), fail)
    if (outgoing === null) return
    outgoing.on('error', fail)
    outgoing.once('response', (answer: IncomingMessage) => {
      const responseBody = new BodyCopy()
      // Some servers answer with a status or words that may not be written.
      const begun = orFail(
        () => response.writeHead(answer.statusCode!, answer.statusMessage, endToEnd(answer.rawHeaders)),
        fail,
      )
      if (begun === null) return void answer.destroy()
      answer.on('data', (chunk: Buffer) => responseBody.add(chunk))
      answer.on('error', fail)
      answer.once('end', () => {
        if (this.#records(hostOf(url)))
          this.#options.onCapture(
            captured({
              ...{ request, answer, url, at, requestBody, responseBody },
              durationMs: Math.round(performance.now() - startedMs),
            }),
          )
      })
      answer.pipe(response)
    })
    response.once('close', () => outgoing.destroy())
    request.on('data', (chunk: Buffer) => requestBody.add(chunk))
    request.pipe(outgoing)
  }

  #tunnel(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const authority = request.url ?? ''
    const url = URL.canParse(`https://${authority}`) ? new URL(`https://${authority}`) : null
    this.#keep(socket)
    if (url === null || url.hostname === '') return void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    if (!this.#records(hostOf(url))) {
      this.#pass(socket, head, url)
      return
    }
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    const begin = (first: Buffer): void => {
      socket.unshift(first)
      if (first[0] === TLS_HANDSHAKE) this.#serveTls(socket, url)
      else
        this.#serveInner(socket, {
          scheme: 'http',
          authority: url.port === '' ? `${url.host}:443` : url.host,
        })
    }
    if (head.length > 0) begin(head)
    else
      socket.once('data', (chunk: Buffer) => {
        socket.pause()
        begin(chunk)
      })
  }

  #serveTls(socket: Duplex, url: URL): void {
    const secureContext = this.#options.certificates.contextFor(hostOf(url))
    const secure = new TLSSocket(socket as Socket, {
      isServer: true,
      secureContext,
      ALPNProtocols: ['http/1.1'],
    })
    // A client that does not trust the certificate hangs up.
    secure.on('error', () => socket.destroy())
    this.#serveInner(secure, { scheme: 'https', authority: url.host })
  }

  #serveInner(socket: Duplex, origin: Origin): void {
    this.#origins.set(socket, origin)
    this.#keep(socket)
    this.#inner.emit('connection', socket)
    // It was paused when its first bytes were looked at.
    socket.resume()
  }

  /** A tunnel to a host that is not recorded: nothing is decrypted. */
  #pass(socket: Duplex, head: Buffer, url: URL): void {
    const upstream = connect(Number(url.port) || HTTPS_PORT, hostOf(url), () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      upstream.write(head)
      upstream.pipe(socket).pipe(upstream)
    })
    this.#keep(upstream)
    upstream.on('error', () => socket.destroy())
    socket.once('close', () => upstream.destroy())
  }

  /** WebSockets pass, and are not recorded. */
  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#keep(socket)
    const refuse = (): void => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    const url = this.#targetOf(request)
    if (url === null) return void refuse()
    const client = url.protocol === 'https:' ? https : http
    const headers = [
      ...endToEnd(request.rawHeaders),
      'Connection',
      'Upgrade',
      'Upgrade',
      request.headers.upgrade ?? '',
    ]
    const options = {
      method: request.method,
      headers,
      agent: false,
      ...(client === https ? { rejectUnauthorized: this.#options.verifiesTls } : {}),
    }
    const outgoing = orFail(() => client.request(url, options), refuse)
    if (outgoing === null) return
    outgoing.on('error', () => socket.destroy())
    outgoing.once('response', (answer) => {
      socket.end(headOf(answer))
      answer.resume()
    })
    outgoing.once('upgrade', (answer, upstream, upstreamHead) => {
      this.#keep(upstream)
      socket.write(headOf(answer))
      socket.write(upstreamHead)
      upstream.write(head)
      upstream.pipe(socket).pipe(upstream)
    })
    outgoing.end()
  }

  #keep(socket: Duplex): void {
    this.#sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => this.#sockets.delete(socket))
  }
}

/** What `make` gives; null after `fail`, where it throws. */
function orFail<T>(make: () => T, fail: (error: Error) => void): T | null {
  try {
    return make()
  } catch (error) {
    fail(error as Error)
    return null
  }
}

/** Without the brackets of an IPv6 address. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

/** Fields that a proxy passes on, as names and values in turn. */
function endToEnd(raw: readonly string[]): string[] {
  const kept: string[] = []
  for (let i = 0; i + 1 < raw.length; i += 2)
    if (!HOP_BY_HOP.has(raw[i]!.toLowerCase())) kept.push(raw[i]!, raw[i + 1]!)
  return kept
}

/** A body without a length stays without. */
function framing({ headers }: IncomingMessage): string[] {
  return headers['transfer-encoding'] === undefined ? [] : ['Transfer-Encoding', 'chunked']
}

function headOf({ statusCode, statusMessage, rawHeaders }: IncomingMessage): string {
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`]
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}

interface Passed {
  readonly request: IncomingMessage
  readonly answer: IncomingMessage
  readonly url: URL
  readonly at: number
  /** From the first byte of the request to the last one of the response. */
  readonly durationMs: number
  readonly requestBody: BodyCopy
  readonly responseBody: BodyCopy
}

function captured({ request, answer, url, at, durationMs, requestBody, responseBody }: Passed): Captured {
  const sent = requestBody.payload(request.headers['content-encoding'])
  const received = responseBody.payload(answer.headers['content-encoding'])
  return {
    method: request.method,
    path: url.href,
    type: `HTTP/${request.httpVersion}`,
    requestHeaders: pairsOf(request.rawHeaders),
    requestPayload: sent.text,
    requestBodyEncoding: sent.encoding,
    statusCode: answer.statusCode,
    status: answer.statusMessage,
    responseHeaders: pairsOf(answer.rawHeaders),
    responsePayload: received.text,
    responseBodyEncoding: received.encoding,
    ip: request.socket.remoteAddress ?? '127.0.0.1',
    time: at,
    durationMs,
  }
}

/** Bodies are recorded decoded, so their encoding is not. */
function pairsOf(raw: readonly string[]): [string, string][] {
  const kept = endToEnd(raw)
  const pairs: [string, string][] = []
  for (let i = 0; i + 1 < kept.length; i += 2)
    if (kept[i]!.toLowerCase() !== 'content-encoding') pairs.push([kept[i]!, kept[i + 1]!])
  return pairs
}

/** Codes of Node.js for a certificate that is not accepted; ERR_SSL_… is what the server refuses, or cannot do. */
const CERTIFICATE_FAULT = /^(?!ERR_SSL_)(?:.*CERT|UNABLE_TO_(?:GET|VERIFY))/
/** Of these, the ones of a certificate whose authority is not known. */
const UNKNOWN_AUTHORITY = /^(?:DEPTH_ZERO_)?SELF_SIGNED|^UNABLE_TO_/

function reasonOf(error: NodeJS.ErrnoException): string {
  const { code = '', message } = error
  if (!CERTIFICATE_FAULT.test(code)) return message
  const authority = UNKNOWN_AUTHORITY.test(code) ? ', or name its authority in NODE_EXTRA_CA_CERTS' : ''
  return `it does not trust its certificate (${code}): start vigil proxy with --insecure to accept any${authority}`
}
