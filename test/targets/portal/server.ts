import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Secret, TOTP } from 'otpauth'
import { pages, STRANGER } from './pages.ts'

/** Who may sign in. */
export const portalUser = 'ada@portal.test'
/** Their password. */
export const portalPassword = 'correct-horse'
/** Their secret for one-time codes, base32. */
export const portalCodeSecret = 'JBSWY3DPEHPK3PXP'

/** A running portal. */
export interface Portal {
  readonly origin: string
  /** Everything that was asked for, as `METHOD /path`. */
  readonly asked: string[]
  /** Another host, which its pages speak of, and what came there. */
  readonly stranger: { readonly origin: string; readonly asked: readonly string[] }
  /** Headers of the last request for a path. */
  readonly headers: Map<string, IncomingMessage['headers']>
  /** Passwords that were sent and wrong. */
  wrongPasswords: number
  /** Each page is answered after this time: a crawl lasts until a test has seen what it waits for. */
  pageDelayMs: number
  /** Ends all sessions. */
  expire(): void
  close(): Promise<void>
}

interface Ask {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly url: URL
  readonly body: string
}

const MAX_BODY = 1_000_000

/** Starts the portal on a free port of this machine. */
export async function startPortal(port = 0): Promise<Portal> {
  const sessions = new Set<string>()
  const stranger = await startStranger()
  const asked: string[] = []
  const headers = new Map<string, IncomingMessage['headers']>()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://portal.test')
    asked.push(`${request.method} ${url.pathname}`)
    headers.set(url.pathname, request.headers)
    let body = ''
    request.on('data', (chunk: Buffer) => {
      if (body.length < MAX_BODY) body += chunk.toString('utf8')
    })
    request.on('end', () => answer({ request, response, url, body }, sessions, portal))
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('upgrade', (request, socket) => {
    asked.push(`WS ${request.url}`)
    speakWebSocket(request, socket as Socket)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: actual } = server.address() as AddressInfo
  const portal: Portal = {
    origin: `http://127.0.0.1:${actual}`,
    asked,
    stranger,
    headers,
    wrongPasswords: 0,
    pageDelayMs: 0,
    expire: () => sessions.clear(),
    async close() {
      for (const socket of sockets) socket.destroy()
      stranger.close()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return portal
}

async function startStranger(): Promise<Portal['stranger'] & { close(): void }> {
  const asked: string[] = []
  const server = createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`)
    send(response, 200, 'text/html', '<h1>Elsewhere</h1>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    asked,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const worker =
  "fetch('/api/from-worker').then(() => fetch('/api/orders/2', { method: 'DELETE' })).catch(() => {}).then(() => postMessage('done'))"

const redirects: Readonly<Record<string, string>> = {
  '/redirect': '/api/after-redirect',
  '/to-excluded': '/excluded/by-redirect',
}

function answer(ask: Ask, sessions: Set<string>, portal: Portal): void {
  const { request, response, url } = ask
  const path = url.pathname
  const elsewhere = path === '/to-stranger' ? `${portal.stranger.origin}/by-redirect` : redirects[path]
  const to = path === '/home' && !isSignedIn(ask, sessions) ? '/login' : elsewhere
  const page = pages[path]
  if (request.method === 'POST' && path.startsWith('/sign-in/')) signIn(ask, sessions, portal)
  else if (path.startsWith('/api/')) api(ask, sessions)
  else if (path === '/events') streamEvents(response)
  else if (path === '/worker.js') send(response, 200, 'text/javascript', worker)
  else if (to !== undefined) redirect(response, to)
  else if (page !== undefined) {
    const text = page(url).replaceAll(STRANGER, portal.stranger.origin)
    setTimeout(() => send(response, 200, 'text/html', text), portal.pageDelayMs)
  }
  // Nobody ever gets an answer to this one.
  else if (path !== '/slow') send(response, 404, 'text/html', '<h1>Nothing here</h1>')
}

function api(ask: Ask, sessions: Set<string>): void {
  const [status, value] = apiAnswer(ask, sessions)
  send(ask.response, status, 'application/json', JSON.stringify(value))
}

function apiAnswer(ask: Ask, sessions: Set<string>): [number, unknown] {
  const { request, url, body } = ask
  switch (url.pathname) {
    case '/api/me':
      return isSignedIn(ask, sessions) ? [200, { user: portalUser }] : [401, { error: 'who?' }]
    case '/api/sign-in': {
      const given = JSON.parse(body) as { user?: string; password?: string }
      const isRight = given.user === portalUser && given.password === portalPassword
      return isRight ? [200, { token: newSession(sessions) }] : [401, { error: 'Invalid login' }]
    }
    case '/api/large':
      return [200, { text: 'x'.repeat(2 * 1024 * 1024) }]
    default:
      return [200, { path: url.pathname, method: request.method, got: body }]
  }
}

/** A code that was typed while the next one began is still taken, as RFC 6238 section 5.2 recommends. */
function isValidCode(code: string): boolean {
  return (
    new TOTP({ secret: Secret.fromBase32(portalCodeSecret) }).validate({ token: code, window: 1 }) !== null
  )
}

/** Forms post here; the last part of the path says how the login goes on. */
function signIn({ response, url, body }: Ask, sessions: Set<string>, portal: Portal): void {
  const form = new URLSearchParams(body)
  const kind = url.pathname.split('/').at(-1)
  if (kind === 'code') {
    const code = form.get('code') ?? ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => form.get(name)).join('')
    if (isValidCode(code)) welcome(response, sessions)
    else send(response, 200, 'text/html', pages['/code']!(url))
  } else if (form.get('user') !== portalUser || form.get('password') !== portalPassword) {
    portal.wrongPasswords++
    send(response, 200, 'text/html', pages['/login']!(new URL('http://portal.test/login?wrong=1')))
  } else if (kind === 'then-code') redirect(response, '/code')
  else welcome(response, sessions)
}

function welcome(response: ServerResponse, sessions: Set<string>): void {
  response.setHeader('set-cookie', `sid=${newSession(sessions)}; Path=/; HttpOnly; SameSite=Lax`)
  redirect(response, '/home')
}

function newSession(sessions: Set<string>): string {
  const id = randomUUID()
  sessions.add(id)
  return id
}

function isSignedIn({ request }: Ask, sessions: Set<string>): boolean {
  const cookie = /(?:^|; )sid=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
  return sessions.has(cookie) || sessions.has(token)
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type })
  response.end(body)
}

function redirect(response: ServerResponse, to: string): void {
  response.writeHead(302, { location: to })
  response.end()
}

/** Two events, and then silence: the stream stays open. */
function streamEvents(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write('data: {"tick":1}\n\nevent: news\ndata: {"tick":2}\n\n')
}

/** Answers every text message with what it got (RFC 6455); short messages only. */
function speakWebSocket(request: IncomingMessage, socket: Socket): void {
  const accept = createHash('sha1')
    .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64')
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  )
  socket.on('error', () => {})
  socket.on('data', (frame: Buffer) => {
    const length = (frame[1] ?? 0) & 127
    if (((frame[0] ?? 0) & 15) !== 1 || length > 125) return
    const mask = frame.subarray(2, 6)
    const text = Buffer.from(frame.subarray(6, 6 + length).map((byte, i) => byte ^ (mask[i % 4] ?? 0)))
    const reply = Buffer.from(`{"echo":${text.toString('utf8')}}`)
    socket.write(Buffer.concat([Buffer.from([0x81, reply.length]), reply]))
  })
}
