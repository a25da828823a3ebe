import { type Exchange, headerValue } from '../../http/index.ts'
import { draftOf, type RequestDraft } from '../attempts/index.ts'
import { isSelfRequest } from '../callers/index.ts'
import { isWelcome, replaceField, signInFields, tokenOf } from '../writes/sign-in.ts'
import type { Trial } from './judge.ts'
import type { SentRequest } from './tools.ts'

/**
 * What an account shows of itself that a request has just signed up: signed in as a recorded sign-in does, it asks a
 * recorded question for "who am I". Null where the request is not a sign-up, or no such requests are recorded.
 *
 * @param signUp the request as it was sent
 * @throws Failure a code of the sender
 */
export async function readNewAccount(trial: Trial, signUp: Exchange): Promise<SentRequest | null> {
  const { tools, template, endpoint } = trial
  if (signUp.request.method !== 'POST' || !isWelcome(signUp)) return null
  const related = (tools.relatedTo?.(endpoint) ?? []).filter(isWelcome)
  const self = related.find((one) => isSelfRequest(one) && headerValue(one.request.headers, 'authorization'))
  const signIn = self === undefined ? null : signInAs(draftOf(signUp), related)
  if (self === undefined || signIn === null) return null
  const options = { followRedirects: false, testId: template.id, endpoint }
  const token = tokenOf((await tools.send(signIn, options)).exchange)
  if (token === null) return null
  const draft = draftOf(self)
  const headers = draft.headers.map((header) =>
    header.name.toLowerCase() === 'authorization'
      ? { ...header, value: header.value.replace(/\S+$/, token) }
      : header,
  )
  return tools.send({ ...draft, headers }, options)
}

/** A recorded sign-in with the name and the secrets of a sign-up; null where there is none with the same fields. */
function signInAs(signUp: RequestDraft, related: readonly Exchange[]): RequestDraft | null {
  const given = signInFields(signUp)
  if (!given.some(({ isSecret }) => isSecret)) return null
  for (const recorded of related) {
    const draft = draftOf(recorded)
    if (recorded.request.method !== 'POST' || draft.url === signUp.url || tokenOf(recorded) === null) continue
    const fields = signInFields(draft)
    const changes = fields.map((field) => ({ field, now: given.find(({ name }) => name === field.name) }))
    const isComplete = changes.every(({ now }) => now !== undefined)
    if (!isComplete || !fields.some(({ isSecret }) => isSecret) || fields.length < 2) continue
    for (const { field, now } of changes) replaceField(draft, field, now!.value)
    return draft
  }
  return null
}
