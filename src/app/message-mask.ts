import { setImmediate } from 'node:timers/promises'
import type { TypeRules } from '../data-types/index.ts'
import { type Exchange, parseSampleMessage, writeSampleMessage } from '../http/index.ts'
import { loadTypeRules, sensitiveValues } from '../inventory/index.ts'
import type { Store } from '../store/index.ts'
import { SecretMask } from '../testing/index.ts'

/** A recorded message and texts that were found in it, before or after masking. */
export interface FoundMessage {
  /** Sample message as JSON text. */
  readonly message: string
  /** Texts that are shown beside it. */
  readonly phrases: readonly string[]
}

const HIDDEN = '****'
/** This many characters of a secret in a row tell more than its mask does. */
const TELLING = 6

/**
 * Masks recorded messages by the data types in force now. Other work gets its turn between messages; one of 64 KiB may
 * take some ten milliseconds, and any time where people defined data types.
 *
 * @param maxBody characters of each masked body that are returned
 */
export async function maskMessages(
  store: Store,
  messages: readonly FoundMessage[],
  maxBody = Number.POSITIVE_INFINITY,
): Promise<FoundMessage[]> {
  const masked = maskBy(await loadTypeRules(store), maxBody)
  const changed: FoundMessage[] = []
  for (const one of messages) {
    changed.push(masked(one))
    await setImmediate()
  }
  return changed
}

/** A function that masks one message after the other. */
export async function messageMask(store: Store): Promise<(found: FoundMessage) => FoundMessage> {
  return maskBy(await loadTypeRules(store))
}

function maskBy(rules: TypeRules, maxBody = Number.POSITIVE_INFINITY): (found: FoundMessage) => FoundMessage {
  const mask = new SecretMask([], [], (exchange) => sensitiveValues(exchange, rules))
  return ({ message, phrases }) => {
    const plain = parseSampleMessage(message)
    const quotations = phrases.map((text) => quotation(plain, text))
    mask.scan([plain, ...quotations])
    const { value: exchange, secrets } = mask.noting(() => {
      for (const one of quotations) mask.exchange(one)
      return mask.exchange(plain)
    })
    const hidden = [...secrets.values()]
    return {
      message: writeSampleMessage(shortened(exchange, maxBody)),
      phrases: phrases.map((text) => (tellsOneOf(text, hidden) ? HIDDEN : text)),
    }
  }
}

/** A line of a header in a text. */
const HEADER_LINE = /^([\w-]{1,100}):[ \t]*(\S.*)$/gm

/** A text as the answer of a message, so that secrets are found that only this text holds. */
function quotation(plain: Exchange, text: string): Exchange {
  const headers = [...text.matchAll(HEADER_LINE)].flatMap(([, name, value]) => [name!, value!])
  return {
    ...plain,
    request: { method: 'GET', target: '/', version: 'HTTP/1.1', headers: [], body: '' },
    response: { status: 0, reason: '', headers, body: text },
  }
}

function shortened(exchange: Exchange, maxBody: number): Exchange {
  const { request, response } = exchange
  const cut = (body: string): string => (body.length > maxBody ? body.slice(0, maxBody).toWellFormed() : body)
  return {
    ...exchange,
    request: { ...request, body: cut(request.body) },
    response: { ...response, body: cut(response.body) },
  }
}

/** Whether a text holds one of the secrets, or a telling part of one; in time linear in their length together. */
function tellsOneOf(text: string, secrets: readonly string[]): boolean {
  const parts = new Set<string>()
  for (let at = 0; at + TELLING <= text.length; at++) parts.add(text.slice(at, at + TELLING))
  return secrets.some((secret) => {
    if (parts.size === 0 || secret.length <= TELLING) return text.includes(secret)
    for (let at = 0; at + TELLING <= secret.length; at++)
      if (parts.has(secret.slice(at, at + TELLING))) return true
    return false
  })
}
