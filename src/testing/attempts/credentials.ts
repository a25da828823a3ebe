import { leafTexts, removeEntry, replaceLeaves } from './body-edits.ts'
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
  const inHeader = replaceHeader(draft, key, () => value)
  const inCookie = replaceCookie(draft, key, () => value)
  if (inHeader || inCookie) return true
  if (isAlwaysAdded === true) setHeader(draft, key, value)
  return isAlwaysAdded === true
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
