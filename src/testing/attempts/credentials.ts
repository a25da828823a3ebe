import type { Exchange } from '../../http/index.ts'
import { formDecoded } from '../../kit/index.ts'
import { readJwt } from '../tokens/jwt.ts'
import { leafTexts, removeEntry, replaceLeaves, setBody } from './body-edits.ts'
import { draftOf } from './draft-of.ts'
import type { AttemptEnvironment, CredentialParameter } from './environment.ts'
import {
  draftCookie,
  draftHeader,
  removeCookie,
  removeHeader,
  replaceCookie,
  replaceHeader,
  setHeader,
} from './header-edits.ts'
import type { JsonTree } from './json-tree.ts'
import { readTree, writeTree } from './json-tree.ts'
import type { RequestDraft } from './request-draft.ts'

/** Names of headers and cookies that carry credentials in this test: its own, else the installation's. */
export function credentialNames(environment: AttemptEnvironment): readonly string[] {
  const own = environment.variables.get('auth_headers')
  const names = Array.isArray(own) ? own.map(String) : environment.credentials.authHeaderNames
  return [...new Set(names.map((name) => name.toLowerCase()))]
}

/**
 * Puts credentials where the request has a header, cookie or body key of that name; those marked so are added in any
 * case. Returns how many were put in.
 */
export function replaceCredentials(draft: RequestDraft, parameters: readonly CredentialParameter[]): number {
  const placed = parameters.filter((parameter) => placeCredential(draft, parameter))
  const identities = placed.flatMap(({ identity }) => (identity === undefined ? [] : [identity]))
  // What the connection says must not speak for the caller before.
  if (placed.length > 0) draft.identity = identities.length === 0 ? null : Object.assign({}, ...identities)
  return placed.length
}

function placeCredential(
  draft: RequestDraft,
  { where, key, value, isAlwaysAdded, identity }: CredentialParameter,
): boolean {
  if (where === 'TLS' || where === 'DIGEST') return identity !== undefined
  if (where === 'BODY') return replaceLeaves(draft, key, () => value)
  const isCarried = placeCarried(draft, key, value)
  const inHeader = replaceHeader(draft, key, () => value)
  const inCookie = replaceCookie(draft, key, () => value)
  if (inHeader || inCookie || isCarried) return true
  if (isAlwaysAdded === true) setHeader(draft, key, value)
  return isAlwaysAdded === true
}

/**
 * Puts a credential in place of the one in the query or body that repeats the recorded header or cookie, or that is the
 * only JWT of a request without that header, if it is a JWT as well.
 */
function placeCarried(draft: RequestDraft, key: string, value: string): boolean {
  const carried = new Set(carriedIn(draft))
  if (carried.size === 0) return false
  const [old, fresh] = [draftHeader(draft, key) ?? draftCookie(draft, key), withoutScheme(value)]
  const isReplaced = (text: string): boolean =>
    old === undefined
      ? carried.size === 1 && readJwt(text) !== null && readJwt(fresh) !== null
      : withoutScheme(text) === withoutScheme(old)
  return editCarried(draft, (text) =>
    isReplaced(text) ? text.slice(0, text.length - withoutScheme(text).length) + fresh : text,
  )
}

/**
 * Removes headers, cookies and body entries of the given names, and what the connection says; false when the request has
 * none of them.
 */
export function removeCredentials(
  draft: RequestDraft,
  names: readonly string[],
  bodyKeys: readonly string[] = [],
): boolean {
  let isFound = draft.identity !== null
  draft.identity = null
  for (const name of names) {
    const inHeader = removeHeader(draft, name)
    isFound = removeCookie(draft, name) || inHeader || isFound
  }
  for (const key of bodyKeys) while (removeEntry(draft, key)) isFound = true
  return isFound
}

/**
 * Removes every credential that still has the value it has in `start`, so that none of the recorded caller survives
 * beside the new ones.
 */
export function removeUnchangedCredentials(
  draft: RequestDraft,
  start: RequestDraft,
  names: readonly string[],
  bodyKeys: readonly string[],
): void {
  if (draft.identity === start.identity) draft.identity = null
  for (const name of names) {
    if (draftHeader(draft, name) === draftHeader(start, name)) removeHeader(draft, name)
    if (draftCookie(draft, name) === draftCookie(start, name)) removeCookie(draft, name)
  }
  for (const key of bodyKeys) {
    const old = leafTexts(start, key)
    if (leafTexts(draft, key).some((text) => old.includes(text))) while (removeEntry(draft, key));
  }
}

/**
 * Names of query parameters and body fields that carry credentials of any form; a JWT is one under every name. The key
 * of an application is none of them: all its users send the same.
 */
const CREDENTIAL_NAME = /^(?:access|auth|session)[-_]?token$/i
/** What a text with a credential in it holds; most have none and are not read. */
const WORTH_READING = /eyJ|token/i
/** What a form in a body begins with, where no JSON is. */
const FORM = /^[\w.%[\]+-]+=/
/** A JWT inside a text, such as the argument of a GraphQL document; tried once at each run of its characters. */
const JWT_IN_TEXT = /(?<![\w+/-])eyJ[\w+/-]+={0,2}\.[\w+/-]+={0,2}\.[\w+/=-]*/g

/**
 * Changes every credential that travels in the query or the body: JWTs, also as arguments in a GraphQL document, and
 * values of parameters and fields that are named as credentials. False when nothing changed.
 *
 * @param change given the credential; null removes its parameter or field, and empties an argument
 */
export function editCarried(draft: RequestDraft, change: (credential: string) => string | null): boolean {
  const edited = (text: string, edit: typeof editedQuery): string =>
    WORTH_READING.test(text) ? edit(text, change) : text
  const query = edited(draft.query, editedQuery)
  const body = edited(draft.body.text, editedBody)
  const isChanged = query !== draft.query || body !== draft.body.text
  draft.query = query
  if (body !== draft.body.text) setBody(draft, body)
  return isChanged
}

/** Credentials that travel in the query or the body, as they are there. */
export function carriedIn(draft: RequestDraft): string[] {
  const found: string[] = []
  editCarried({ ...draft }, (credential) => {
    found.push(credential)
    return credential
  })
  return found
}

/** Credentials that travel in the query or the body of a recorded request. */
export function carriedCredentials(exchange: Exchange): string[] {
  return carriedIn(draftOf(exchange))
}

function editedQuery(query: string, change: (credential: string) => string | null): string {
  const parts = query.split('&').flatMap((part) => {
    const equals = part.indexOf('=')
    if (equals < 0) return [part]
    const [name, value] = [formDecoded(part.slice(0, equals)), formDecoded(part.slice(equals + 1))]
    if (!isCredential(name, value)) {
      const text = editedText(value, change)
      return [text === value ? part : `${part.slice(0, equals)}=${encodeURIComponent(text)}`]
    }
    const fresh = change(value)
    if (fresh === null) return []
    return [fresh === value ? part : `${part.slice(0, equals)}=${encodeURIComponent(fresh)}`]
  })
  return parts.join('&')
}

function editedBody(text: string, change: (credential: string) => string | null): string {
  const root = readTree(text)
  if (typeof root !== 'object' || root === null)
    return FORM.test(text) ? editedQuery(text, change) : editedText(text, change)
  const seen = { isChanged: false }
  visit(root, change, seen)
  return seen.isChanged ? writeTree(root) : text
}

/** Changes the entries of an object or a list in place. */
function visit(
  tree: JsonTree,
  change: (credential: string) => string | null,
  seen: { isChanged: boolean },
): void {
  if (Array.isArray(tree)) {
    for (let at = tree.length - 1; at >= 0; at--) {
      const fresh = editedValue('', tree[at]!, change, seen)
      if (fresh === null) tree.splice(at, 1)
      else tree[at] = fresh
    }
  } else if (tree instanceof Map) {
    for (const [name, value] of [...tree]) {
      const fresh = editedValue(name, value, change, seen)
      if (fresh === null && value !== null) tree.delete(name)
      else tree.set(name, fresh)
    }
  }
}

/** What becomes of a value; null removes it. */
function editedValue(
  name: string,
  value: JsonTree,
  change: (credential: string) => string | null,
  seen: { isChanged: boolean },
): JsonTree {
  if (typeof value !== 'string') {
    visit(value, change, seen)
    return value
  }
  const fresh = isCredential(name, value) ? change(value) : editedText(value, change)
  if (fresh !== value) seen.isChanged = true
  return fresh
}

function isCredential(name: string, value: string): boolean {
  return value !== '' && (CREDENTIAL_NAME.test(name) || readJwt(withoutScheme(value)) !== null)
}

/** A credential without the scheme in front of it. */
export function withoutScheme(value: string): string {
  return value.replace(/^[A-Za-z][\w-]{0,19} +/, '')
}

function editedText(text: string, change: (credential: string) => string | null): string {
  return text.replaceAll(JWT_IN_TEXT, (word) => (readJwt(word) === null ? word : (change(word) ?? '')))
}
