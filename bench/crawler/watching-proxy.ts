import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

/** An answer that went through whole. */
export interface PassedAnswer {
  readonly method: string
  /** Path with query. */
  readonly target: string
  readonly status: number
  readonly body: Buffer
  /** A script of a page asked for it. */
  readonly isCall: boolean
}

/** A request as it came, before anybody answers it. */
export interface ArrivedRequest {
  readonly method: string
  /** Path with query. */
  readonly target: string
  /** What the browser wants it for (`Sec-Fetch-Dest`); empty where it does not say. */
  readonly use: string
}

/** Whose request it was: its token lives, was refused since it is too old, or it has none. */
export type TokenState = 'lives' | 'over' | 'none'

/** A call of a script as it was judged, under the number that its answer carries in {@link numberHeader}. */
export interface JudgedCall {
  readonly number: string
  /** Method and path. */
  readonly line: string
  readonly token: string | null
  readonly state: TokenState
  /** 0 until it is answered whole. */
  status: number
}

/** Header that proxies which judge calls add to every answer. */
export const numberHeader = 'x-answer-number'

/** How a proxy is to be. */
export interface ProxyOptions {
  /** Origin behind it. */
  readonly behind: string
  /** Calls with a token are refused with 401 so long after it was first seen; null lets it live. */
  readonly tokenMs: number | null
  passed?(answer: PassedAnswer): void
  arrived?(request: ArrivedRequest): void
  /** Hears every call before it is answered; its status is filled in when it is. */
  judged?(call: JudgedCall): void
}

/** Stands before an application: tells what it answered, and ends sessions. Bodies pass uncoded. */
export async function startWatchingProxy(
  options: ProxyOptions,
): Promise<{ origin: string; close: () => void }> {
  const behind = new URL(options.behind)
  const tokens = new Map<string, number>()
  let count = 0
  const server = createServer((asked, answer) => {
    const { method = 'GET', url: target = '/', headers } = asked
    options.arrived?.({ method, target, use: String(headers['sec-fetch-dest'] ?? '') })
    const token = tokenOf(headers.authorization ?? '', headers.cookie ?? '')
    if (token !== null && !tokens.has(token)) tokens.set(token, performance.now())
    const ageMs = performance.now() - (tokens.get(token ?? '') ?? performance.now())
    const isOver = options.tokenMs !== null && ageMs > options.tokenMs
    if (options.judged && isCall(asked)) {
      const state = token === null ? 'none' : isOver ? 'over' : 'lives'
      const line = `${method} ${target}`
      const call: JudgedCall = { number: `n${++count}`, line, token, state, status: 0 }
      options.judged(call)
      answer.setHeader(numberHeader, call.number)
      answer.on('finish', () => {
        call.status = answer.statusCode
      })
    }
    if (isOver && isCall(asked)) {
      asked.resume()
      answer.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"the session is over"}')
    } else pass(asked, answer, behind, options)
  })
  server.on('upgrade', (asked: IncomingMessage, socket: Socket, head: Buffer) => {
    const other = connect(Number(behind.port), behind.hostname, () => {
      const lines = asked.rawHeaders.flatMap((part, index, all) =>
        index % 2 === 0 ? [`${part}: ${all[index + 1]}`] : [],
      )
      other.write(`${asked.method} ${asked.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      other.write(head)
      other.pipe(socket).pipe(other)
    })
    for (const one of [other, socket]) {
      one.on('error', () => {
        other.destroy()
        socket.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Fits an answer to a captured one: what was asked, its status and a digest of its body. */
export function answerKey(method: string, target: string, status: number, body: Buffer): string {
  return `${method} ${target} ${status} ${createHash('sha1').update(body).digest('base64')}`
}

/** Whether a script of a page asks. */
function isCall({ headers }: IncomingMessage): boolean {
  return headers['sec-fetch-dest'] === 'empty'
}

/** The token of a request, by its headers `Authorization` and `Cookie`. */
export function tokenOf(authorization: string, cookie: string): string | null {
  const bearer = /^Bearer (.+)$/.exec(authorization)?.[1]
  return bearer ?? /(?:^|; )token=([^;]+)/.exec(cookie)?.[1] ?? null
}

function pass(asked: IncomingMessage, answer: ServerResponse, behind: URL, { passed }: ProxyOptions): void {
  // Every answer is to come whole: neither coded nor as a word that the old one still holds.
  const {
    'accept-encoding': _coding,
    'if-none-match': _tag,
    'if-modified-since': _time,
    ...headers
  } = asked.headers
  const { method = 'GET', url: target = '/' } = asked
  const forwarded = send(
    { host: behind.hostname, port: behind.port, method, path: target, headers },
    (received) => {
      const { statusCode: status = 0 } = received
      const parts: Buffer[] = []
      answer.writeHead(status, received.rawHeaders)
      received.on('data', (part: Buffer) => parts.push(part))
      received.pipe(answer)
      answer.on('finish', () => {
        passed?.({ method, target, status, body: Buffer.concat(parts), isCall: isCall(asked) })
      })
      received.on('error', () => answer.destroy())
    },
  )
  forwarded.on('error', () => answer.destroy())
  answer.on('close', () => forwarded.destroy())
  asked.pipe(forwarded)
}
