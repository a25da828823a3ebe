import type { Exchange } from '../../http/index.ts'
import { type StoredState, saysNo } from '../../rules/index.ts'
import type { Doubt } from './absence.ts'
import type { Trial } from './judge.ts'
import { setsPasswords } from './new-password.ts'
import type { AttemptRecord } from './pair-result.ts'
import { isAboutObjects } from './test-callers.ts'

/** Methods whose effect a later read of the object shows. */
const CHANGES = new Set(['PUT', 'PATCH', 'DELETE'])
/** What a later read shows where a write changed nothing. */
const UNTOUCHED: ReadonlySet<StoredState | undefined> = new Set<StoredState>(['otherwise', 'shown'])

/**
 * Why an accepted write proves nothing, although no attempt showed the weakness: what was read does not have what it wrote,
 * or, of another user's object, nothing that can be read shows it without the write, such as after the change of
 * a password. Null otherwise.
 *
 * @param attempts each write before its later read
 */
export function unseenWriteDoubt({ template }: Trial, attempts: readonly AttemptRecord[]): Doubt | null {
  const unlisted = attempts.find(
    ({ exchange }, i) => attempts[i + 1]?.storedState === 'not listed' && !saysNo(exchange.response.body),
  )
  if (unlisted !== undefined) {
    const { request, response } = unlisted.exchange
    return {
      code: 'ATTACK_NOT_PROCESSED',
      text: `The ${request.method} request was accepted with ${response.status}, but what was read afterwards does not show the object that the response names: it may be on another page of a list, or shown to another user only.`,
    }
  }
  if (!isAboutObjects(template)) return null
  const unseen = attempts.find(
    ({ exchange, isLaterRead }, i) =>
      isLaterRead !== true &&
      isAcceptedChange(exchange, setsPasswords(template)) &&
      !UNTOUCHED.has(attempts[i + 1]?.storedState),
  )
  if (unseen === undefined) return null
  const { request, response } = unseen.exchange
  return {
    code: 'ATTACK_NOT_PROCESSED',
    text: `The attacker's ${request.method} request was accepted with ${response.status}, and no later read shows whether it changed the object.`,
  }
}

function isAcceptedChange({ request, response: { status, body } }: Exchange, isAny: boolean): boolean {
  return (isAny || CHANGES.has(request.method)) && status >= 200 && status < 300 && !saysNo(body)
}
