import { isOtherObject, MessageView, meaningPercentage } from '../../rules/index.ts'
import { replaceLeaves } from '../attempts/body-edits.ts'
import type { RequestDraft } from '../attempts/index.ts'
import { setQueryParameter } from '../attempts/query-edits.ts'
import type { Trial } from './judge.ts'

/** Names of values that prove who is asking. */
const SECRET =
  /(?:pass(?:word|wd|phrase|code)?|pwd|pin|otp|secret|(?:access|refresh|id|auth|session|api|user|login|bearer)_?token|api_?key)$|^token$/i
const WRONG = 'Wr0ng-vigil-484811'

/**
 * Whether a request without credentials in headers and cookies carries them elsewhere: with another password in the
 * body or query it is refused, or answered without what was asked for. A conflict or a limit is not a refusal of the
 * password.
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
  const view = new MessageView(exchange)
  if (view.status < 300) return !saysTheSame(trial, view)
  return view.status >= 400 && view.status < 500 && view.status !== 409 && view.status !== 429
}

/** The share of meaning that an answer to another secret must have to be the same. */
const SAME = 60
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** GraphQL, among others, refuses with status 200. */
function saysTheSame({ sample, endpoint }: Trial, view: MessageView): boolean {
  const sent = {
    now: view.sentValues,
    before: sample.sentValues,
    isOtherObject: isOtherObject(view.url, sample.url, endpoint.url),
  }
  const isWrite = !SAFE_METHODS.has(endpoint.method)
  return meaningPercentage(view.responseBody.text, sample.responseBody.text, isWrite, sent) >= SAME
}
