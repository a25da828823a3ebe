import { type Exchange, parseSampleMessage, writeSampleMessage } from '../http/index.ts'
import { loadTypeRules, sensitiveValues } from '../inventory/index.ts'
import type { Store } from '../store/index.ts'
import { SecretMask } from '../testing/index.ts'

/** A message without credentials and values of sensitive data types. */
interface MaskedMessage {
  readonly exchange: Exchange
  /** A text that was found in the message, as it may be shown beside it. */
  phrase(text: string): string
}

const HIDDEN = '****'
/** This many characters of a secret in a row tell more than its mask does. */
const TELLING = 6

/** Masks recorded messages by the data types in force now. */
export async function messageMask(store: Store): Promise<(exchange: Exchange) => MaskedMessage> {
  const rules = await loadTypeRules(store)
  const mask = new SecretMask([], [], (exchange) => sensitiveValues(exchange, rules))
  return (plain) => {
    mask.scan([plain])
    const { value: exchange, secrets } = mask.noting(() => mask.exchange(plain))
    const hidden = [...secrets.values()]
    return {
      exchange,
      phrase: (text) => (hidden.some((secret) => tells(text, secret)) ? HIDDEN : text),
    }
  }
}

/** The same for sample messages, which are JSON texts before and after. */
export async function sampleMask(store: Store): Promise<(message: string) => string> {
  const masked = await messageMask(store)
  return (message) => writeSampleMessage(masked(parseSampleMessage(message)).exchange)
}

/** Whether a text holds a secret, or a telling part of it. */
function tells(text: string, secret: string): boolean {
  if (text.length < TELLING || secret.length <= TELLING) return text.includes(secret)
  for (let at = 0; at + TELLING <= text.length; at++)
    if (secret.includes(text.slice(at, at + TELLING))) return true
  return false
}
