import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type Answer, Call, NOT_FOUND, type Route } from './call.ts'
import { headerRoutes } from './routes/headers.ts'
import { identityRoutes } from './routes/identity.ts'
import { injectionRoutes } from './routes/injections.ts'
import { limitRoutes } from './routes/limits.ts'
import { objectRoutes } from './routes/objects.ts'
import { shopFrontRoutes } from './routes/shop-front.ts'
import { MarketState } from './state.ts'
import { WEAKNESSES, type WeaknessId } from './weaknesses.ts'

const MAX_BODY = 10 * 1024 * 1024
const ROUTES: readonly Route[] = [
  ...objectRoutes,
  ...identityRoutes,
  ...limitRoutes,
  ...headerRoutes,
  ...injectionRoutes,
  ...shopFrontRoutes,
]

/** Headers of every sound answer. */
const PROTECTION: Readonly<Record<string, string>> = {
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'geolocation=()',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

/** Which weaknesses a market has. */
export type WeaknessSet = 'all' | 'none' | readonly WeaknessId[]

/** A market that listens on 127.0.0.1. */
export interface Market {
  readonly origin: string
  readonly state: MarketState
  /** Requests answered so far. */
  readonly requests: () => number
  /** Mends weaknesses, as the next version of the application would. */
  fix(ids: readonly WeaknessId[]): void
  close(): Promise<void>
}

/**
 * Starts a market with the given weaknesses.
 * @param port 0 takes a free one
 */
export async function startMarket(weak: WeaknessSet, port = 0): Promise<Market> {
  const state = new MarketState()
  const ids = weak === 'all' ? WEAKNESSES.map(({ id }) => id) : weak === 'none' ? [] : weak
  const weakSet = new Set<WeaknessId>(ids)
  const sockets = new Set<Socket>()
  let requests = 0
  const server = createServer((request, response) => {
    requests++
    // What cannot be written (odd signs in a header) ends the connection, not the market.
    answerTo(request, state, weakSet)
      .then((answer) => write(response, answer))
      .catch(() => response.destroy())
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    requests: () => requests,
    fix(ids) {
      for (const id of ids) weakSet.delete(id)
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
      state.close()
    },
  }
}

async function answerTo(
  request: IncomingMessage,
  state: MarketState,
  weak: ReadonlySet<WeaknessId>,
): Promise<Answer> {
  const body = await bodyOf(request)
  if (body === null) return { status: 413, body: { error: 'the body is too large' } }
  const call = new Call(
    { method: request.method ?? 'GET', target: request.url ?? '/', headers: request.headers, body },
    state,
    weak,
  )
  const here = ROUTES.filter((route) => route.pattern.test(call.path))
  const route = here.find((candidate) => candidate.method === call.method)
  if (route !== undefined) return route.answer(call, route.pattern.exec(call.path)!.slice(1))
  if (here.length === 0) return NOT_FOUND
  const allow = here.map((candidate) => candidate.method).join(', ')
  return { status: 405, headers: { allow }, body: { error: 'the method is not allowed' } }
}

async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > MAX_BODY) return null
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

function write(response: ServerResponse, answer: Answer): void {
  const isText = typeof answer.body === 'string'
  const text = isText ? (answer.body as string) : JSON.stringify(answer.body ?? null)
  const given = Object.entries(answer.headers ?? {}).filter(([, value]) => value !== undefined)
  const headers: Record<string, string | string[]> = {
    ...(answer.isBare ? {} : PROTECTION),
    'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    ...(Object.fromEntries(given) as Record<string, string | string[]>),
  }
  if (answer.rawHeaderLine === undefined) {
    response.writeHead(answer.status, headers)
    response.end(text)
    return
  }
  // Node refuses line breaks in headers, so the weak answer is written by hand.
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`)
  const head = [`HTTP/1.1 ${answer.status} OK`, ...lines, answer.rawHeaderLine, 'connection: close']
  response.socket?.end(`${head.join('\r\n')}\r\n\r\n${text}`)
}
