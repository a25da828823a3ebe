import { MessageView } from '../../rules/index.ts'
import { replaceLeaves } from '../attempts/body-edits.ts'
import type { RequestDraft } from '../attempts/index.ts'
import { setQueryParameter } from '../attempts/query-edits.ts'
import type { Trial } from './judge.ts'

/** Names of values that prove who is asking. */
const SECRET = /(?:pass(?:word|wd|phrase|code)?|pwd|pin|otp|secret|(?:access|refresh|id)_?token|api_?key)$/i
const WRONG = 'Wr0ng-vigil-484811'

/**
 * Whether a request without credentials in headers and cookies carries them elsewhere: with another password in the
 * body or query it is refused. A conflict or a limit is not a refusal of the password.
 *
 * @throws Failure a code of the sender
 */
export async function isGuardedBySecret(trial: Trial, draft: RequestDraft): Promise<boolean> {
  const { requestBody, namedQuery } = trial.sample
  const inBody = requestBody.named.keys.map(({ name }) => name).filter((name) => SECRET.test(name))
  const inQuery = namedQuery.keys.map(({ name }) => name).filter((name) => SECRET.test(name))
  if (inBody.length + inQuery.length === 0) return false
  const wrong = { ...draft }
  for (const name of inBody) replaceLeaves(wrong, name, () => WRONG)
  for (const name of inQuery) setQueryParameter(wrong, name, WRONG)
  const { template, endpoint, tools } = trial
  const { exchange } = await tools.send(wrong, { followRedirects: true, testId: template.id, endpoint })
  const { status } = new MessageView(exchange)
  return status >= 400 && status < 500 && status !== 409 && status !== 429
}
