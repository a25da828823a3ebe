import { setImmediate } from 'node:timers/promises'
import { type Exchange, parseSampleMessage, writeSampleMessage } from '../http/index.ts'
import { Failure } from '../kit/index.ts'
import type { KeptMessage } from '../threat/index.ts'
import type { Call } from './handler.ts'
import { messageMask } from './message-mask.ts'

/** What somebody asks to see: how the request put it, and a name for the log. */
interface Asked {
  readonly operation: string
  readonly isUnmasked: boolean
  /** The endpoint or event whose messages are shown. */
  readonly of: string
}

/** Prepares recorded messages for people: credentials and values of sensitive data types are masked. */
interface ShownMessages {
  /** A sample message as JSON text, still one after masking. */
  samples(messages: readonly string[]): Promise<string[]>
  /** Messages behind threat events; what filters matched in them is masked alike. */
  events(messages: readonly KeptMessage[]): Promise<KeptMessage[]>
  /** An exchange that is written in another form. */
  exchange(exchange: Exchange): Exchange
}

const WHOLE: ShownMessages = {
  samples: async (messages) => [...messages],
  events: async (messages) => [...messages],
  exchange: (exchange) => exchange,
}

/**
 * The one place that decides how much of recorded messages a caller sees. Administrators and members may ask for the
 * whole messages, which is logged.
 * @throws Failure UNMASKED_FOR_MEMBERS
 */
export async function shownMessages({ app, caller }: Call, asked: Asked): Promise<ShownMessages> {
  const { operation, isUnmasked, of } = asked
  if (isUnmasked) {
    requireReveal({ app, caller }, operation, of)
    return WHOLE
  }
  const masked = await messageMask(app.store)
  return {
    exchange: (plain) => masked(plain).exchange,
    samples: (messages) =>
      oneByOne(messages, (message) => writeSampleMessage(masked(parseSampleMessage(message)).exchange)),
    events: (messages) =>
      oneByOne(messages, (kept) => {
        const { exchange, phrase } = masked(parseSampleMessage(kept.message))
        const evidence = kept.facts.evidence.map((one) => ({ ...one, phrase: phrase(one.phrase) }))
        return { ...kept, message: writeSampleMessage(exchange), facts: { ...kept.facts, evidence } }
      }),
  }
}

/**
 * Lets administrators and members see what is masked, and logs that they did.
 *
 * @param of the endpoint or event whose messages are shown
 * @throws Failure UNMASKED_FOR_MEMBERS
 */
function requireReveal({ app, caller }: Pick<Call, 'app' | 'caller'>, operation: string, of: string): void {
  if (caller.role === 'GUEST') throw new Failure('UNMASKED_FOR_MEMBERS')
  app.log.info('evidence.unmasked', { userId: caller.userId, via: caller.via, operation, of })
}

/** Other work gets its turn between large messages. */
async function oneByOne<From, To>(all: readonly From[], change: (one: From) => To): Promise<To[]> {
  const changed: To[] = []
  for (const one of all) {
    changed.push(change(one))
    await setImmediate()
  }
  return changed
}
