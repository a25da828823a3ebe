import { randomBytes } from 'node:crypto'
import type { Exchange } from '../../http/index.ts'
import type { StoredState } from '../../rules/index.ts'
import { draftOf, type RequestDraft } from '../attempts/index.ts'
import { signInFields } from '../writes/sign-in.ts'
import type { Trial } from './judge.ts'
import { isWelcome, replaceField } from './new-account.ts'
import type { SentRequest } from './tools.ts'

/** What a sign-in shows of a password that was set. */
interface PasswordRead {
  readonly sent: SentRequest
  readonly state: StoredState
}

/**
 * Whether a request gave the recorded user another password: a sign-in with it is accepted, and one with a wrong password
 * is not. The recorded request sets the password back. Null where the request sets none, or no sign-in of the user was
 * recorded.
 *
 * @throws Failure a code of the sender
 */
export async function readNewPassword(
  trial: Trial,
  write: RequestDraft,
  exchange: Exchange,
): Promise<PasswordRead | null> {
  const password = newPassword(trial.start, write)
  if (password === null || !isWelcome(exchange)) return null
  const { tools, template, endpoint, start } = trial
  const recorded = tools.signInOf(endpoint)
  if (recorded === null) return null
  const options = { followRedirects: false, testId: template.id, endpoint }
  const signIn = (secret: string): Promise<SentRequest> => tools.send(withSecret(recorded, secret), options)
  try {
    const sent = await signIn(password)
    const isSet =
      isWelcome(sent.exchange) && !isWelcome((await signIn(randomBytes(8).toString('hex'))).exchange)
    return { sent, state: isSet ? 'as sent' : 'otherwise' }
  } finally {
    await tools.send(start, options)
  }
}

/** The password that a request sets otherwise than the recorded one; null where it sets none. */
function newPassword(start: RequestDraft, write: RequestDraft): string | null {
  const old = signInFields(start).filter(({ isSecret }) => isSecret)
  const changed = signInFields(write).find(
    ({ isSecret, name, value }) => isSecret && old.some((one) => one.name === name && one.value !== value),
  )
  return changed?.value ?? null
}

function withSecret(recorded: Exchange, secret: string): RequestDraft {
  const draft = draftOf(recorded)
  for (const field of signInFields(draft)) if (field.isSecret) replaceField(draft, field, secret)
  return draft
}
