import type { Exchange } from '../../http/index.ts'
import { Failure, newHexId } from '../../kit/index.ts'
import type { StoredState } from '../../rules/index.ts'
import { draftOf, type RequestDraft } from '../attempts/index.ts'
import type { Template } from '../template/index.ts'
import {
  isRejected,
  isSignedIn,
  isWelcome,
  replaceField,
  signInFields,
  withSecret,
} from '../writes/sign-in.ts'
import type { Trial } from './judge.ts'
import type { SentRequest } from './tools.ts'

/** What a sign-in shows of a password that was set. */
interface PasswordRead {
  readonly sent: SentRequest
  readonly state: StoredState
}

/** A request that sets a password, and what shows whose it is. */
interface PasswordChange {
  /** With a password that nobody can know. */
  readonly draft: RequestDraft
  /** The user's sign-in with the recorded password. */
  readonly signIn: RequestDraft
}

/** Whether a test gives users other passwords. */
export function setsPasswords({ execute }: Template): boolean {
  return execute.steps.some(({ operations }) =>
    operations.some((entry) => entry.kind !== 'loop' && entry.name === 'change_password'),
  )
}

/**
 * The attack of a test that gives users other passwords; null for other tests.
 * @throws Failure WRITE_NOT_REVERSIBLE where no sign-in of the user was recorded: nothing could show what the request does
 */
export function passwordChange(trial: Trial, attack: RequestDraft): PasswordChange | null {
  const { tools, template, endpoint, start } = trial
  const change = setsPasswords(template) ? changeOf(start, attack) : null
  if (change === null) return null
  const recorded = tools.signInOf(endpoint)
  const { method, url } = attack
  const reason = 'no sign-in of its user was recorded, which would show what it changes'
  if (recorded === null) throw new Failure('WRITE_NOT_REVERSIBLE', { method, url, reason, isFinal: true })
  const draft = { ...attack }
  const random = `${change.now}${newHexId().slice(0, 12)}`
  for (const field of signInFields(draft)) if (field.value === change.now) replaceField(draft, field, random)
  return { draft, signIn: withSecret(draftOf(recorded), change.old) }
}

/**
 * Whether a request gave the recorded user another password: a sign-in with it is accepted, and one with a wrong password
 * is not. It did not where only the recorded password is accepted. Null where the request sets none, or no sign-in of the
 * user was recorded.
 *
 * @throws Failure a code of the sender
 */
export async function readNewPassword(
  trial: Trial,
  write: RequestDraft,
  exchange: Exchange,
): Promise<PasswordRead | null> {
  const { tools, template, endpoint, start } = trial
  const change = setsPasswords(template) && isWelcome(exchange) ? changeOf(start, write) : null
  const recorded = change === null ? null : tools.signInOf(endpoint)
  if (change === null || recorded === null) return null
  const options = { followRedirects: false, testId: template.id, endpoint }
  const signIn = (secret: string): Promise<SentRequest> =>
    tools.send(withSecret(draftOf(recorded), secret), options)
  const sent = await signIn(change.now)
  if (isSignedIn(sent.exchange)) {
    const wrong = await signIn(`Wr0ng-${newHexId()}`)
    return { sent, state: isRejected(wrong.exchange) ? 'as sent' : 'unknown' }
  }
  const isUntouched = isRejected(sent.exchange) && isSignedIn((await signIn(change.old)).exchange)
  return { sent, state: isUntouched ? 'otherwise' : 'unknown' }
}

/** The recorded password that a request sets, and the one it sets instead; null where it sets none. */
function changeOf(start: RequestDraft, write: RequestDraft): { old: string; now: string } | null {
  const fields = signInFields(write)
  for (const { name, value, isSecret } of signInFields(start)) {
    const now = isSecret ? fields.find((one) => one.name === name && one.value !== value) : undefined
    if (now !== undefined) return { old: value, now: now.value }
  }
  return null
}
