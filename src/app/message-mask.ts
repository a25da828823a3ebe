import { setImmediate } from 'node:timers/promises'
import type { TypeRules } from '../data-types/index.ts'
import { parseSampleMessage, writeSampleMessage } from '../http/index.ts'
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
 */
export async function maskMessages(store: Store, messages: readonly FoundMessage[]): Promise<FoundMessage[]> {
  const masked = maskBy(await loadTypeRules(store))
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

function maskBy(rules: TypeRules): (found: FoundMessage) => FoundMessage {
  const mask = new SecretMask([], [], (exchange) => sensitiveValues(exchange, rules))
  return ({ message, phrases }) => {
    const plain = parseSampleMessage(message)
    mask.scan([plain])
    const { value: exchange, secrets } = mask.noting(() => mask.exchange(plain))
    const hidden = [...secrets.values()]
    return {
      message: writeSampleMessage(exchange),
      phrases: phrases.map((text) => (hidden.some((secret) => tells(text, secret)) ? HIDDEN : text)),
    }
  }
}

/** Whether a text holds a secret, or a telling part of it. */
function tells(text: string, secret: string): boolean {
  if (text.length < TELLING || secret.length <= TELLING) return text.includes(secret)
  for (let at = 0; at + TELLING <= text.length; at++)
    if (secret.includes(text.slice(at, at + TELLING))) return true
  return false
}
