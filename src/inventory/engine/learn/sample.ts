import type { TypeRules } from '../../../data-types/index.ts'
import { type Exchange, type LiveExchange, plainExchange, writeSampleMessage } from '../../../http/index.ts'
import { storable } from '../../../kit/index.ts'
import { maskTypes } from './mask-types.ts'

/** Longest body kept in a sample, in characters. */
const MAX_BODY = 65_536
/** Longest body in which types are masked for others who cut it themselves, in characters. */
const MAX_MASKED = 1_048_576
const MASK = '****'
const MAX_DEPTH = 64

/**
 * The message of an exchange as it is stored. Long bodies are cut. For a redacted collection every value is masked
 * while names and shape stay: header and cookie values, query values, JSON leaves, any other body, addresses. In others
 * only the types are masked that people want masked.
 */
export function sampleText(exchange: LiveExchange, isRedacted: boolean, rules: TypeRules): string {
  const plain = plainExchange(exchange)
  return writeSampleMessage(isRedacted ? redacted(plain) : maskTypes(cut(plain, MAX_BODY), rules))
}

/**
 * An exchange without what must not be kept, its bodies as long as they came, so that what differs is what was masked;
 * the exchange itself where nothing is to be masked. Where types are, of huge bodies only the start is left.
 */
export function maskedExchange(exchange: Exchange, isRedacted: boolean, rules: TypeRules): Exchange {
  if (isRedacted) return redacted(exchange)
  return rules.redacted === null ? exchange : maskTypes(cut(exchange, MAX_MASKED), rules)
}

function cut(exchange: Exchange, most: number): Exchange {
  if (exchange.request.body.length <= most && exchange.response.body.length <= most) return exchange
  return {
    ...exchange,
    request: { ...exchange.request, body: storable(exchange.request.body.slice(0, most)) },
    response: { ...exchange.response, body: storable(exchange.response.body.slice(0, most)) },
  }
}

/** A copy without any value: what may be kept of an exchange in a redacted collection. */
function redacted(exchange: Exchange): Exchange {
  return {
    ...exchange,
    clientIp: MASK,
    serverIp: MASK,
    messageId: undefined,
    request: {
      ...exchange.request,
      target: redactedTarget(exchange.request.target),
      headers: redactedHeaders(exchange.request.headers),
      body: redactedBody(exchange.request.body),
      bodyIsBase64: false,
    },
    response: {
      ...exchange.response,
      headers: redactedHeaders(exchange.response.headers),
      body: redactedBody(exchange.response.body),
      bodyIsBase64: false,
    },
  }
}

/** Headers whose value says how to read the message, not what it holds. */
const STRUCTURAL = new Set([
  'host',
  ':authority',
  'content-type',
  'content-length',
  'accept',
  'transfer-encoding',
])

function redactedHeaders(headers: readonly string[]): string[] {
  return headers.map((text, i) => {
    if (i % 2 === 0 || STRUCTURAL.has(headers[i - 1]!.toLowerCase())) return text
    const name = headers[i - 1]!.toLowerCase()
    if (name === 'cookie') return text.replace(/=[^;]*/g, `=${MASK}`)
    if (name === 'set-cookie') return text.replace(/=[^;]*/, `=${MASK}`)
    return MASK
  })
}

function redactedTarget(target: string): string {
  const question = target.indexOf('?')
  if (question < 0) return target
  return target.slice(0, question) + target.slice(question).replace(/=[^&#]*/g, `=${MASK}`)
}

function redactedBody(body: string): string {
  if (body === '') return ''
  try {
    return JSON.stringify(masked(JSON.parse(body), 0))
  } catch {
    return MASK // no JSON: nothing of it can be kept safely
  }
}

function masked(value: unknown, depth: number): unknown {
  if (value === null || typeof value !== 'object' || depth > MAX_DEPTH) return MASK
  if (Array.isArray(value)) return value.slice(0, 3).map((item) => masked(item, depth + 1))
  const copy: Record<string, unknown> = Object.create(null)
  for (const key of Object.keys(value)) copy[key] = masked((value as Record<string, unknown>)[key], depth + 1)
  return copy
}
