import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** How long a session of the workshop lasts, in milliseconds. */
const SESSION_MS = 15_000

/** Calls that no crawler should make, and what they do. */
const traps: Readonly<Record<string, string>> = {
  'POST /api/session/end': 'end the session',
  'DELETE /api/account': 'delete',
  'POST /api/account/erase': 'erase',
}

const folder = new URL('./public/', import.meta.url)
const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript',
  css: 'text/css',
}

/** A running workshop, with what it was asked for. */
export interface Workshop {
  readonly origin: string
  /** States that pages reported. */
  readonly states: ReadonlySet<string>
  /** Calls, numbers in paths as `{}`, queries left out; only those that were let in. */
  readonly calls: ReadonlySet<string>
  /** Traps that were sprung: logging out, deleting the account. */
  readonly traps: readonly string[]
  /** Months of the endless calendar that were asked for, each counted once however often it was. */
  readonly months: () => number
  /** Sessions that were begun. */
  readonly sessions: () => number
  /** `performance.now()` at the first request on a connection that was opened after a moment of that clock. */
  requestAfter(sinceMs: number): Promise<number>
  close(): Promise<void>
}

/** Starts the workshop on a free port of loopback. */
export async function startWorkshop(port = 0): Promise<Workshop> {
  const site = new Site()
  const server: Server = createServer((request, response) => void site.answer(request, response))
  server.on('connection', (socket) => void site.opened.set(socket, performance.now()))
  server.on('upgrade', (request, socket) => site.upgrade(request, socket as Socket))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    states: site.states,
    calls: site.calls,
    traps: site.traps,
    months: () => site.months.size,
    sessions: () => site.sessions.size,
    requestAfter: (sinceMs) => new Promise((resolve) => site.awaited.push({ sinceMs, resolve })),
    close: async () => {
      for (const socket of site.sockets) socket.destroy()
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** Begins a session as the application's own login does. @returns the value of its cookie */
export async function beginSession(origin: string): Promise<string> {
  const answer = await fetch(`${origin}/api/login`, {
    method: 'POST',
    body: JSON.stringify({ user: 'vera', password: 'workshop' }),
  })
  const cookie = /sid=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')
  if (!cookie) throw new Error(`the workshop let nobody in: ${answer.status}`)
  return cookie[1]!
}

class Site {
  readonly states = new Set<string>()
  readonly calls = new Set<string>()
  readonly traps: string[] = []
  readonly sessions = new Map<string, number>()
  readonly sockets = new Set<Socket>()
  /** When connections were opened. */
  readonly opened = new WeakMap<Socket, number>()
  awaited: { readonly sinceMs: number; readonly resolve: (atMs: number) => void }[] = []
  readonly months = new Set<string | null>()

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://workshop')
    this.#tell(request.socket)
    const body = await read(request)
    const { pathname: path } = url
    if (path.startsWith('/state/')) {
      this.states.add(path.slice(7))
      response.writeHead(204).end()
    } else if (path === '/logout') {
      this.#spring(request, 'log out', response)
    } else if (path.startsWith('/api/')) this.#api(request, response, url, body)
    else if (path.startsWith('/hidden/')) {
      this.calls.add(`GET ${path}`)
      send(response, 200, '<!doctype html><title>Hidden</title><p>Only a list speaks of it.</p>')
    } else this.#file(response, path, request.headers.host ?? '')
  }

  #tell(socket: Socket): void {
    const openedMs = this.opened.get(socket) ?? 0
    for (const { sinceMs, resolve } of this.awaited) if (openedMs > sinceMs) resolve(performance.now())
    this.awaited = this.awaited.filter(({ sinceMs }) => openedMs <= sinceMs)
  }

  /** The smallest web socket (RFC 6455): greets, and hears nothing. */
  upgrade(request: IncomingMessage, socket: Socket): void {
    this.calls.add('GET /live')
    this.sockets.add(socket)
    socket.on('close', () => this.sockets.delete(socket))
    // A browser that goes away resets the connection.
    socket.on('error', () => socket.destroy())
    const key = request.headers['sec-websocket-key'] ?? ''
    const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
    socket.write(Buffer.concat([Buffer.from([0x81, 2]), Buffer.from('hi')]))
  }

  #api(request: IncomingMessage, response: ServerResponse, url: URL, body: string): void {
    const call = `${request.method} ${url.pathname.replace(/\/\d+/g, '/{}').replace(/\/$/, '')}`
    const trap = traps[call]
    const isOpen = call.startsWith('GET /api/status/') || call.startsWith('GET /api/legacy/')
    if (call === 'POST /api/login') this.#login(response, body)
    else if (!isOpen && !this.#isIn(request)) json(response, 401, { error: 'sign in' })
    else if (trap) this.#spring(request, trap, response)
    else {
      this.calls.add(call)
      if (call === 'GET /api/calendar') this.months.add(url.searchParams.get('month'))
      if (call === 'GET /api/news') stream(response)
      else if (call === 'GET /api/depot') json(response, 200, { stored: this.calls.has('POST /api/depot') })
      else json(response, 200, contents(call, Number(url.searchParams.get('page') ?? 1)))
    }
  }

  #login(response: ServerResponse, body: string): void {
    if (!body.includes('"vera"') || !body.includes('"workshop"')) {
      json(response, 403, { ok: false })
      return
    }
    const id = randomUUID()
    this.sessions.set(id, Date.now() + SESSION_MS)
    response.setHeader('set-cookie', `sid=${id}; Path=/; HttpOnly`)
    json(response, 200, { ok: true })
  }

  #isIn(request: IncomingMessage): boolean {
    const id = /\bsid=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
    return (this.sessions.get(id) ?? 0) > Date.now()
  }

  #spring(request: IncomingMessage, trap: string, response: ServerResponse): void {
    this.traps.push(trap)
    const id = /\bsid=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1]
    if (id) this.sessions.set(id, 0)
    json(response, 200, { gone: true })
  }

  #file(response: ServerResponse, path: string, host: string): void {
    const name = path.slice(1)
    const isFile = /^[\w-]+\.(?:html|js|css)$/.test(name)
    if (path === '/robots.txt') {
      send(response, 200, 'User-agent: *\nDisallow: /hidden/robots-page\n', 'text/plain')
    } else if (path === '/sitemap.xml') {
      const loc = `http://${host}/hidden/sitemap-page`
      send(response, 200, `<urlset><url><loc>${loc}</loc></url></urlset>`, 'application/xml')
    } else if (path === '/openapi.json') {
      json(response, 200, { openapi: '3.0.0', paths: { '/api/status/{id}': { get: {}, delete: {} } } })
    } else if (isFile && !existsSync(new URL(name, folder))) {
      send(response, 404, 'not found')
    } else {
      const text = readFileSync(new URL(isFile ? name : 'index.html', folder), 'utf8')
      send(response, 200, text, types[isFile ? name.split('.')[1]! : 'html'])
    }
  }
}

/** What a call that was let in answers. */
function contents(call: string, page: number): unknown {
  switch (call) {
    case 'GET /api/products':
      return [1, 2, 3, 4, 5, 6].map((n) => ({ id: page * 10 + n, name: `Tool ${page * 10 + n}` }))
    case 'GET /api/products/{}':
      return { id: 11, name: 'A tool' }
    case 'GET /api/reports':
      return [1, 2].map((id) => ({ id, title: `Report ${id}` }))
    case 'POST /api/drafts':
      return { id: 7 }
    default:
      return { ok: true }
  }
}

async function read(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const part of request) if (body.length < 1_000_000) body += String(part)
  return body
}

function send(response: ServerResponse, status: number, body: string, type = types['html']!): void {
  response.writeHead(status, { 'content-type': type }).end(body)
}

function json(response: ServerResponse, status: number, body: unknown): void {
  send(response, status, JSON.stringify(body), 'application/json')
}

function stream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write('data: good news\n\n')
}
