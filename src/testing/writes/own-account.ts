import { randomBytes } from 'node:crypto'
import { absoluteUrl, type Exchange } from '../../http/index.ts'
import { formDecoded } from '../../kit/index.ts'
import { replaceLeaves } from '../attempts/body-edits.ts'
import { draftOf, type RequestDraft } from '../attempts/index.ts'
import { type JsonTree, scalarText } from '../attempts/json-tree.ts'
import { replaceQueryParameter } from '../attempts/query-edits.ts'
import { freshText } from './fresh-values.ts'
import { type SignInField, signInFields } from './sign-in.ts'

/** How an account for one test is made, and how sign-ins use it. */
export interface SignUp {
  /** The recorded sign-up. */
  readonly recorded: Exchange
  /** The same with a name and an address that nobody has. */
  readonly draft: RequestDraft
  /** Somebody who was recorded deleting such an account; null where nobody was. */
  readonly deleter: RequestDraft | null
  /** A sign-in of the recorded account as one of the new account; its secret only where it was the right one. */
  signIn(draft: RequestDraft): RequestDraft
}

/** Last words of paths whose POST makes an account. */
const SIGN_UP =
  /^(?:register|registration|sign-?up|users?|accounts?|members?|customers?|create|create-?(?:user|account))$/i
const MAIL = /e-?mail/i
/** Names of what accounts are called and must not share. */
const ONLY_ONE = /(?:e-?mail|user|user_?name|login|handle|nick(?:name)?|phone|identity|identifier)$/i

/** The recorded sign-up that makes accounts for a sign-in; null where none was recorded. */
export function signUpFor(start: RequestDraft, related: readonly Exchange[]): SignUp | null {
  for (const recorded of related) {
    const { method, target } = recorded.request
    const path = pathOf(absoluteUrl(recorded.request))
    if (method !== 'POST' || recorded.response.status >= 300) continue
    if (!SIGN_UP.test(path.split('/').at(-1) ?? '') || pathOf(start.url) === path || target === '') continue
    const signUp = planned(start, recorded, related)
    if (signUp !== null) return signUp
  }
  return null
}

function planned(start: RequestDraft, recorded: Exchange, related: readonly Exchange[]): SignUp | null {
  const draft = draftOf(recorded)
  const given = signInFields(draft)
  const secret = given.find(({ isSecret }) => isSecret)
  if (secret === undefined) return null
  const mark = randomBytes(4).toString('hex')
  const fresh = new Map<string, string>()
  for (const { name, value } of given)
    if (ONLY_ONE.test(name) && value !== '') fresh.set(name, freshName(value, mark))
  const signIn = signInFields(start)
  const account = signIn.find((field) => !field.isSecret && ownName(field, fresh) !== null)
  const password = signIn.find(({ isSecret }) => isSecret)
  if (account === undefined || password === undefined) return null
  for (const [name, value] of fresh) replaceField(draft, name, () => value)
  const changes = [
    { field: account, value: ownName(account, fresh)! },
    { field: password, value: secret.value },
  ]
  return {
    recorded,
    draft: { ...draft, followRedirects: false },
    deleter: deleterOf(recorded, related),
    signIn(one) {
      const changed = { ...one }
      for (const { field, value } of changes)
        replaceField(changed, field.name, (old) => (old === field.value ? value : old))
      return changed
    },
  }
}

/** The name that a new account has in a field of the sign-in: the same field of the sign-up, or its mail address. */
function ownName({ name, value }: SignInField, fresh: ReadonlyMap<string, string>): string | null {
  const same = fresh.get(name)
  if (same !== undefined) return same
  if (!ONLY_ONE.test(name)) return null
  const wanted = value.includes('@') ? MAIL : /^(?!.*mail)/i
  return [...fresh].find(([other]) => wanted.test(other))?.[1] ?? null
}

/** Names may hold letters and digits only. */
function freshName(value: string, mark: string): string {
  return value.includes('@') || /^\+?\d+$/.test(value) ? freshText(value) : `${value.slice(0, 20)}${mark}`
}

function replaceField(draft: RequestDraft, name: string, change: (old: string) => string): void {
  replaceQueryParameter(draft, name, (old) => encodeURIComponent(change(formDecoded(old))))
  const isText = (old: JsonTree): boolean => typeof old === 'string' || typeof old === 'number'
  replaceLeaves(draft, name, (old) => (isText(old) ? change(scalarText(old)) : (old as never)))
}

function deleterOf(recorded: Exchange, related: readonly Exchange[]): RequestDraft | null {
  const parent = pathOf(absoluteUrl(recorded.request))
  const deletion = related.find(
    ({ request, response }) =>
      request.method === 'DELETE' &&
      response.status < 300 &&
      pathOf(absoluteUrl(request)).replace(/\/[^/]*$/, '') === parent,
  )
  return deletion === undefined ? null : draftOf(deletion)
}

function pathOf(url: string): string {
  return url
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
    .replace(/[?#].*$/s, '')
    .replace(/\/$/, '')
}
