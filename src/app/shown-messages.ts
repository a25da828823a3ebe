import { loadTypeRules } from '../inventory/index.ts'
import { Failure } from '../kit/index.ts'
import type { KeptMessage } from '../threat/index.ts'
import type { Call } from './handler.ts'
import { type FoundMessage, maskMessages } from './message-mask.ts'

/** Longest message that is masked in this thread, in characters: some milliseconds. */
const MAX_HERE = 16_384

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
}

const WHOLE: ShownMessages = {
  samples: async (messages) => [...messages],
  events: async (messages) => [...messages],
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
  return {
    async samples(messages) {
      const masked = await maskAll(
        app,
        messages.map((message) => ({ message, phrases: [] })),
      )
      return masked.map(({ message }) => message)
    },
    async events(messages) {
      const masked = await maskAll(
        app,
        messages.map(({ message, facts }) => ({
          message,
          phrases: facts.evidence.map(({ phrase }) => phrase),
        })),
      )
      return messages.map((kept, at) => {
        const { message, phrases } = masked[at]!
        const evidence = kept.facts.evidence.map((one, i) => ({ ...one, phrase: phrases[i]! }))
        return { ...kept, message, facts: { ...kept.facts, evidence } }
      })
    },
  }
}

/**
 * Masks messages without holding up the server: large ones, and all of them where patterns of people are looked for,
 * in the thread of test runs.
 */
async function maskAll(app: Call['app'], messages: readonly FoundMessage[]): Promise<FoundMessage[]> {
  const areSmall = messages.every(({ message }) => message.length <= MAX_HERE)
  if (areSmall && (await loadTypeRules(app.store)).custom === null) return maskMessages(app.store, messages)
  return app.testRuns.maskMessages(messages)
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
