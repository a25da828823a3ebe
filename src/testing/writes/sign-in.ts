import { type Exchange, headerValue } from '../../http/index.ts'
import { MessageView, saysNo } from '../../rules/index.ts'
import { replaceLeaves } from '../attempts/body-edits.ts'
import type { RequestDraft } from '../attempts/index.ts'
import { isScalar, type JsonTree, readTree, scalarText } from '../attempts/json-tree.ts'
import { replaceQueryParameter } from '../attempts/query-edits.ts'

/** What a sign-in says of who signs in, and the secret that proves it. */
export interface SignIn {
  /** The same text for the same account. */
  readonly account: string
  /** Values of all secrets. */
  readonly secret: string
}

/** Names of secrets that people choose or get sent. */
const SECRET = /(?:pass(?:word|wd|phrase|code)?|pwd|pin|otp|totp)$/i
/** Names that mean a secret only where somebody signs in. */
const CODE = /(?:^|[_-]|(?<=[a-z]))(?:code|secret)$/i
/** Names that mean a secret only where a one-time code is checked. */
const ONE_TIME = /^token$/i
const CHECKS_ONE_TIME = /otp|2fa|mfa|one-?time/i
const SIGNS_IN = /log-?in|sign-?in|auth|otp|mfa|2fa|verif|pin|token|session|password/i
/** Names of fields in the answer to a sign-in that give a credential out. */
const CREDENTIAL = /token|jwt|access|session|auth/i
/** Names of what accounts are called. */
export const ACCOUNT = /(?:e-?mail|user|user_?name|user_?id|login|account|phone|name|id)$/i

/** The sign-in in a request, by the fields of its query and body; null where it carries no secret of an account. */
export function signInOf(draft: RequestDraft): SignIn | null {
  const fields = signInFields(draft)
  const secrets = fields.filter(({ isSecret }) => isSecret)
  if (secrets.length === 0) return null
  const others = fields.filter(({ isSecret }) => !isSecret)
  const accounts = others.filter(({ name }) => ACCOUNT.test(name))
  return {
    account: textOf(accounts.length > 0 ? accounts : others),
    secret: textOf(secrets),
  }
}

/** A named value of the query or the body. */
export interface SignInField {
  readonly name: string
  readonly value: string
  readonly isSecret: boolean
}

/** Every named value of a request's query and body. */
export function signInFields({ url, query, body }: RequestDraft): SignInField[] {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
  const isSignIn = SIGNS_IN.test(path)
  const isOneTime = CHECKS_ONE_TIME.test(path)
  const fields: SignInField[] = []
  const isSecret = (name: string): boolean =>
    SECRET.test(name) || (isSignIn && CODE.test(name)) || (isOneTime && ONE_TIME.test(name))
  const add = (name: string, value: string): void => {
    fields.push({ name, value, isSecret: isSecret(name) })
  }
  for (const [name, value] of new URLSearchParams(query)) add(name, value)
  const visit = (tree: JsonTree, name: string): void => {
    if (Array.isArray(tree)) for (const item of tree) visit(item, name)
    // An object in place of a secret is one more guess.
    else if (tree instanceof Map && name !== '' && SECRET.test(name)) add(name, [...tree.keys()].join())
    else if (tree instanceof Map) for (const [key, value] of tree) visit(value, key)
    else if (isScalar(tree) && name !== '') add(name, scalarText(tree))
  }
  visit(readTree(body.text) ?? null, '')
  return fields
}

/** Whether a field of an object holds a secret that people choose or get sent. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name)
}

/** Gives a field of the query and the body another value. */
export function replaceField(draft: RequestDraft, { name, value }: SignInField, now: string): void {
  replaceQueryParameter(draft, name, () => encodeURIComponent(now))
  const isOld = (old: JsonTree): boolean => isScalar(old) && scalarText(old) === value
  replaceLeaves(draft, name, (old: JsonTree) => (isOld(old) ? now : (old as never)))
}

/** A sign-in with another secret. */
export function withSecret(signIn: RequestDraft, secret: string): RequestDraft {
  const draft = { ...signIn }
  for (const field of signInFields(draft)) if (field.isSecret) replaceField(draft, field, secret)
  return draft
}

/** The credential that an answer gives out; null where it gives none. */
export function tokenOf(exchange: Exchange): string | null {
  if (!isWelcome(exchange)) return null
  const leaf = new MessageView(exchange).responseBody.leaves.find(
    ({ key, value }) => CREDENTIAL.test(key) && typeof value === 'string' && /^[\w.~+/=-]{8,}$/.test(value),
  )
  if (leaf !== undefined) return String(leaf.value)
  // Some answer as a client sends it afterwards: `authorization: Bearer …`.
  return (
    /^(?:bearer |token )?([\w.~+/=-]{8,})$/i.exec(
      headerValue(exchange.response.headers, 'authorization') ?? '',
    )?.[1] ?? null
  )
}

/** Whether a sign-in was accepted: its answer gives a credential out. */
export function isSignedIn(exchange: Exchange): boolean {
  if (!isWelcome(exchange)) return false
  return tokenOf(exchange) !== null || headerValue(exchange.response.headers, 'set-cookie') !== undefined
}

/** Whether a sign-in was rejected for what it said, and not because the target is busy or asks too much. */
export function isRejected(exchange: Exchange): boolean {
  const { status } = exchange.response
  return !isSignedIn(exchange) && status < 500 && status !== 429
}

/** Whether a request was carried out. */
export function isWelcome({ response: { status, body } }: Exchange): boolean {
  return status >= 200 && status < 300 && !saysNo(body)
}

function textOf(fields: readonly SignInField[]): string {
  return JSON.stringify(fields.map(({ name, value }) => [name.toLowerCase(), value.toLowerCase()]).sort())
}
