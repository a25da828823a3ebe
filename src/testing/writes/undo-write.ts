import { type Exchange, headerValue } from '../../http/index.ts'
import type { RequestDraft } from '../attempts/index.ts'
import { readTree } from '../attempts/json-tree.ts'
import { createdIn } from './created-object.ts'
import { changedFields, innerOf, type ObjectState, restoring, stateOf } from './object-state.ts'
import type {
  Caller,
  PendingChange,
  PendingCreation,
  PendingPassword,
  PendingWrite,
} from './pending-write.ts'
import { showsNoObject } from './shows-no-object.ts'
import { isSignedIn, isWelcome } from './sign-in.ts'

/** Sends a request as it stands. @throws Failure a code of the sender */
export type SendDraft = (draft: Caller) => Promise<Exchange>

/** Headers of a request with a body that have no place in one without. */
const OF_BODY = /^(?:content-.*|transfer-encoding|expect)$/i

/** A request without body, to another URL, with the credentials of a draft. */
export function bareDraft(draft: Caller, method: string, url: string): Caller {
  const body = { text: '', recorded: { text: '', isBase64: false, contentType: '', jsonForm: '' } }
  const headers = draft.headers.filter(({ name }) => !OF_BODY.test(name))
  return { ...draft, method, url, query: '', headers, body, files: [] }
}

/**
 * Undoes a write and reads whether that worked: what was made is deleted, what was changed gets its old values.
 *
 * @returns null when the application is as before, otherwise why it is not, as the end of a sentence
 * @throws Failure a code of the sender
 */
export function undoWrite(write: PendingWrite, send: SendDraft): Promise<string | null> {
  if (write.kind === 'PASSWORD') return setBackPassword(write, send)
  return write.kind === 'CREATE' ? removeCreated(write, send) : restoreChanged(write, send)
}

/** Sends the recorded request, as its user and then as who sent the other one: whose request worked can undo it. */
async function setBackPassword(
  { url, callers, signIn }: PendingPassword,
  send: SendDraft,
): Promise<string | null> {
  const [recorded, sent] = [callers[0]!, callers.at(-1)!]
  let problem = ''
  for (const caller of [recorded, sent]) {
    const answer = await send(sentAs(recorded, caller))
    // A password that was never changed may not be set again.
    const isBack = isSignedIn(await send(signIn))
    if (isBack) return null
    problem ||= isWelcome(answer)
      ? `the recorded password does not sign in after ${recorded.method} ${url}`
      : `${recorded.method} ${url}, which sets the recorded password back, was answered with ${answer.response.status}`
  }
  return problem
}

/** A request with the headers of a caller, which say who sends it. */
function sentAs(draft: Caller, { headers, identity, role }: Caller): Caller {
  return { ...draft, headers, identity, role }
}

async function removeCreated(write: PendingCreation, send: SendDraft): Promise<string | null> {
  const urls = write.created ?? (await findCreated(write, send))
  if (urls === null) return 'its answer was lost, and no list shows what it made'
  for (const url of urls) {
    const problem = await remove(url, write.callers, send)
    if (problem !== null) return problem
  }
  return null
}

/**
 * What a creation with a lost answer made; null when that cannot be found out. Only the caller whose list was noted before
 * is asked: in the list of another one everything would be new.
 */
async function findCreated(
  { url, callers, listed, sentAtMs }: PendingCreation,
  send: SendDraft,
): Promise<string[] | null> {
  const [recorded, sent] = [callers[0], callers.at(-1)]
  if (listed === null || recorded === undefined || sent === undefined) return null
  const list = await send(bareDraft(recorded, 'GET', url))
  if (list.response.status < 200 || list.response.status > 299) return null
  const lost = { sent: sent.body.text, recorded: recorded.body.text, listed, sentAtMs }
  return createdIn(list, lost).map((id) => `${url.replace(/\/$/, '')}/${id}`)
}

async function remove(url: string, callers: readonly Caller[], send: SendDraft): Promise<string | null> {
  let status = 0
  for (const caller of callers) {
    const { response } = await sendBare(caller, 'DELETE', url, send)
    status = response.status
    const isAccepted = status < 300 || status === 404 || status === 410
    if (isAccepted && !(await isShown(url, callers, send))) return null
  }
  return status < 300 ? `${url} was deleted and is still shown` : `DELETE ${url} was answered with ${status}`
}

/** Sends a request without body; again, where the application says that the address has a slash at its end, or has none. */
async function sendBare(caller: Caller, method: string, url: string, send: SendDraft): Promise<Exchange> {
  const answer = await send(bareDraft(caller, method, url))
  const { status, headers } = answer.response
  const location = status >= 301 && status <= 308 ? headerValue(headers, 'location') : undefined
  const other = url.endsWith('/') ? url.slice(0, -1) : `${url}/`
  const isOther =
    location !== undefined && URL.canParse(location, url) && new URL(location, url).href === other
  return isOther ? send(bareDraft(caller, method, other)) : answer
}

async function isShown(url: string, callers: readonly Caller[], send: SendDraft): Promise<boolean> {
  for (const caller of callers) {
    const answer = await sendBare(caller, 'GET', url, send)
    // To who may not see it, an object is not there either.
    const isObject = answer.response.status < 300 && stateOf(answer)?.kind === 'object'
    if (isObject && !showsNoObject(answer)) return true
  }
  return false // gone, or nobody may read it, so the answer to DELETE is all there is
}

async function restoreChanged(write: PendingChange, send: SendDraft): Promise<string | null> {
  const { url, callers, before, readUrl = url } = write
  const [recorded, sent] = [callers[0]!, callers.at(-1)!]
  const body = readTree(recorded.body.text) ?? readTree(sent.body.text)
  const read = (): Promise<ObjectState | null> => readState(readUrl, callers, send)
  // What was written may keep the application from showing the object: then what was sent gets its old values.
  let now = (await read()) ?? UNREADABLE
  let fields =
    now === UNREADABLE && before.kind === 'object' ? sentNames(sent) : changedFields(before, now, body)
  if (fields.length === 0) return null
  if (before.kind === 'absent') return remove(url, callers, send)
  if (now.kind === 'absent') return `${url} is gone`
  for (const caller of callers) {
    for (const isWhole of [false, true]) {
      const form = readTree(recorded.body.text) === undefined ? sent : recorded
      const base = { ...sentAs(form, caller), method: sent.method, url }
      await send(restoring(base, before, now, fields, isWhole))
      now = (await read()) ?? now
      fields = changedFields(before, now, body)
      if (fields.length === 0) return null
    }
  }
  if (now === UNREADABLE) return `${readUrl} cannot be read any more`
  const names = fields === 'all' ? 'it' : fields.join(', ')
  return `${url} does not take its old values back (${names})`
}

/** Names of the fields that a request carries in its body or query. */
function sentNames({ body, query }: RequestDraft): string[] {
  return [...(innerOf(readTree(body.text))?.keys() ?? []), ...new URLSearchParams(query).keys()]
}

/** An object that no caller can read. */
const UNREADABLE: ObjectState = { kind: 'text', text: '', mediaType: '' }

/** What an object is like, as the first caller sees it who may. */
export async function readState(
  url: string,
  callers: readonly Caller[],
  send: SendDraft,
): Promise<ObjectState | null> {
  let absent: ObjectState | null = null
  for (const caller of callers) {
    const state = stateOf(await sendBare(caller, 'GET', url, send))
    if (state?.kind === 'absent') absent = state
    else if (state !== null) return state
  }
  return absent
}
