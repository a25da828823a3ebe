import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { compilePattern } from '../../rules/index.ts'
import type { AnswerRule, TemplateCase, Wanted } from './case-file.ts'
import { exchangeOf, flat } from './exchange-text.ts'

/** A server that answers by the rules of one case. */
export interface AnsweringServer {
  readonly origin: string
  /** Why a request could not be answered by the rules, such as an invalid pattern; null when each was. */
  fault(): Error | null
  close(): Promise<void>
}

/** Longest wait before an answer. */
const MAX_DELAY_MS = 10_000
/** Largest body of a request; cases of users run in a thread that test runs share. */
const MAX_BODY_BYTES = 262_144
/** Largest text of one answer and its call, with the placeholders replaced. */
const MAX_FILLED_BYTES = 1_048_576

interface Received {
  readonly method: string
  readonly target: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/**
 * Starts one on a free port of this machine.
 *
 * @param callable origin of the only server that it calls
 */
export async function startAnsweringServer(one: TemplateCase, callable: string): Promise<AnsweringServer> {
  let fault: Error | null = null
  const uses = new Map<AnswerRule, number>()
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    // Kept: a request that is given up while its body is read lets go of its socket.
    const { socket } = request
    receive(request)
      .then(async (received) => {
        const rule = one.answers.find(
          (candidate) =>
            (uses.get(candidate) ?? 0) < (candidate.times ?? Number.POSITIVE_INFINITY) &&
            fits(candidate.when, received, one),
        )
        if (rule !== undefined) uses.set(rule, (uses.get(rule) ?? 0) + 1)
        if (rule?.closes === true) return socket.destroy()
        const text = await answerOf(rule, received, { one, callable })
        // Written by hand: a weak server may send what the library would refuse, such as a split header.
        response.socket?.end(received.method === 'HEAD' ? text.slice(0, text.indexOf('\r\n\r\n') + 4) : text)
      })
      .catch((error: unknown) => {
        fault ??= error as Error
        socket.destroy()
      })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: () => fault,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

async function receive(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length
    if (bytes > MAX_BODY_BYTES)
      throw new Error(`a request has a body over ${MAX_BODY_BYTES / 1024} KiB, the limit of cases`)
    chunks.push(chunk as Buffer)
  }
  return {
    method: request.method ?? '',
    target: request.url ?? '',
    headers: request.headers,
    body: Buffer.concat(chunks).toString('utf8'),
  }
}

function fits(when: Wanted | 'sample', received: Received, one: TemplateCase): boolean {
  if (when === 'sample') return isSample(received, one)
  return (
    found(when.method === undefined ? undefined : `^(?:${when.method})$`, received.method) &&
    found(when.path, received.target) &&
    found(when.body, received.body) &&
    Object.entries(when.headers ?? {}).every(([name, pattern]) => found(pattern, headerOf(received, name)))
  )
}

/** The recorded request, headers included; others may be there as well only if the sample has no say in them. */
function isSample(received: Received, one: TemplateCase): boolean {
  const [method, target] = one.sample.request.split(' ')
  return (
    received.method === method &&
    received.target === target &&
    received.body === (one.sample.body ?? '') &&
    Object.entries(one.sample.headers ?? {}).every(
      ([name, value]) => headerOf(received, name) === String(value),
    )
  )
}

function found(pattern: string | undefined, text: string): boolean {
  if (pattern === undefined) return true
  const compiled = compilePattern(pattern)
  if (typeof compiled === 'string') throw new Error(`pattern of a case: ${compiled}`)
  return compiled.test(text)
}

function headerOf(received: Received, name: string): string {
  const value = received.headers[name.toLowerCase()]
  return Array.isArray(value) ? value.join('; ') : (value ?? '')
}

async function answerOf(
  rule: AnswerRule | undefined,
  received: Received,
  { one, callable }: { readonly one: TemplateCase; readonly callable: string },
): Promise<string> {
  if (rule === undefined) return written(404, ['content-type', 'application/json'], '{"error":"not found"}')
  const filler = new Filler(received)
  if (rule.calls !== undefined) await call(filler.fill(rule.calls), callable)
  if (rule.delayMs !== undefined)
    await new Promise((resolve) => setTimeout(resolve, Math.min(MAX_DELAY_MS, Number(rule.delayMs))))
  const recorded = rule.when === 'sample' ? exchangeOf(one.sample).response : null
  const headers = rule.headers === undefined ? (recorded?.headers ?? []) : flat(rule.headers)
  const body = String(rule.body ?? recorded?.body ?? '')
  const echoed = (text: string): string => (rule.echo === true ? filler.fill(text) : text)
  const hasType = headers.some((text, i) => i % 2 === 0 && text.toLowerCase() === 'content-type')
  return written(
    rule.status ?? recorded?.status ?? 200,
    [...(hasType ? [] : ['content-type', 'application/json']), ...headers.map(echoed)],
    echoed(body),
  )
}

function written(status: number, headers: readonly string[], body: string): string {
  const lines = [`HTTP/1.1 ${status} Answer`]
  for (let i = 0; i + 1 < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`)
  lines.push(`content-length: ${Buffer.byteLength(body)}`, 'connection: close')
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

/** Cases may come from anyone who writes tests: only the listener for callbacks is ever called. */
async function call(url: string, callable: string): Promise<void> {
  if (!URL.canParse(url) || new URL(url).origin !== callable) return
  // A weak server does not care what became of its call.
  await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(2_000) }).catch(() => null)
}

/** A placeholder, such as `${path}` or `${body.name}`. */
const PLACEHOLDER = /\$\{([a-z]+)(?:\.([\w-]+))?\}/g

/** How many placeholders texts have. */
export function placeholdersIn(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + (text.match(PLACEHOLDER)?.length ?? 0), 0)
}

/** Replaces the placeholders of one answer by what was sent. */
class Filler {
  readonly #received: Received
  #bytesLeft = MAX_FILLED_BYTES
  #fields: URLSearchParams | Record<string, unknown> | null = null

  constructor(received: Received) {
    this.#received = received
  }

  /** @throws Error before the text is built where the answer grows too large */
  fill(text: string): string {
    this.#count(text.replaceAll(PLACEHOLDER, ''))
    return text.replaceAll(PLACEHOLDER, (_all, place: string, name: string | undefined) =>
      this.#count(this.#part(place, name ?? '')),
    )
  }

  #count(part: string): string {
    this.#bytesLeft -= Buffer.byteLength(part)
    if (this.#bytesLeft >= 0) return part
    const limit = `${MAX_FILLED_BYTES / 1_048_576} MiB`
    throw new Error(`an answer is over ${limit} with its placeholders replaced, the limit of cases`)
  }

  #part(place: string, name: string): string {
    const { method, target, body } = this.#received
    const mark = target.indexOf('?')
    const query = mark < 0 ? '' : target.slice(mark + 1)
    switch (place) {
      case 'method':
        return method
      case 'path':
        return mark < 0 ? target : target.slice(0, mark)
      case 'query':
        return name === '' ? query : (new URLSearchParams(query).get(name) ?? '')
      case 'header':
        return headerOf(this.#received, name)
      default:
        return name === '' ? body : this.#field(name)
    }
  }

  /** A field at the top of a JSON body, or of a form; the body is parsed once. */
  #field(name: string): string {
    const { body } = this.#received
    this.#fields ??= body.startsWith('{')
      ? (JSON.parse(body) as Record<string, unknown>)
      : new URLSearchParams(body)
    if (this.#fields instanceof URLSearchParams) return this.#fields.get(name) ?? ''
    const value = Object.hasOwn(this.#fields, name) ? this.#fields[name] : null
    return typeof value === 'string' ? value : JSON.stringify(value)
  }
}
