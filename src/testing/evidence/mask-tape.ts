import type { Exchange } from '../../http/index.ts'
import type { SecretMask } from '../records/mask-secrets.ts'
import type { Tape, TapedExchange } from './tape.ts'

/** The tape without secrets. Digests of templates and counts stay as they are. */
export function maskTape(tape: Tape, mask: SecretMask): Tape {
  const { credentials } = tape
  return {
    ...tape,
    words: maskTexts(tape.words, mask),
    captured: maskTexts(tape.captured, mask),
    credentials: credentials && {
      ...credentials,
      roles: Object.fromEntries(
        Object.entries(credentials.roles).map(([role, parameters]) => [
          role,
          parameters?.map((one) => ({
            ...one,
            value: mask.headerValue(one.key.toLowerCase(), one.value),
            // That there is one decides; passwords and keys in it are of no use offline.
            ...(one.identity === undefined ? {} : { identity: {} }),
          })) ?? null,
        ]),
      ),
    },
    fresh: tape.fresh && maskPlace(tape.fresh, mask),
    unchanged: tape.unchanged && maskPlace(tape.unchanged, mask),
    own: tape.own && maskPlace(tape.own, mask),
    list: tape.list && maskPlace(tape.list, mask),
    ...(tape.signIn === undefined ? {} : { signIn: tape.signIn && maskPlace(tape.signIn, mask) }),
    sends: tape.sends.map((send) =>
      'failure' in send ? send : { ...send, exchange: maskPlace(send.exchange, mask) },
    ),
    lookups: maskTexts(tape.lookups, mask),
    ...(tape.ownParents === undefined ? {} : { ownParents: maskTexts(tape.ownParents, mask) }),
  }
}

function maskPlace(place: TapedExchange, mask: SecretMask): TapedExchange {
  return isExchange(place) ? mask.exchange(place) : place
}

/** Whether an exchange stands here itself. */
export function isExchange(place: TapedExchange): place is Exchange {
  return typeof place === 'object' && 'request' in place
}

/** The same value with every text in it masked; values of variables and look-ups are shallow. */
function maskTexts<T>(value: T, mask: SecretMask): T {
  return mapTexts(value, (text) => mask.text(text))
}

/** The same JSON value with every text in it changed, keys of objects aside. */
export function mapTexts<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T
  if (Array.isArray(value)) return value.map((item: unknown) => mapTexts(item, change)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapTexts(item as unknown, change)]),
  ) as T
}
