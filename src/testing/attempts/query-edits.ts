import { formDecoded } from '../../kit/index.ts'
import type { RequestDraft } from './request-draft.ts'

/** Sets every parameter of a name; a new one is added last. The value is written as it stands. */
export function setQueryParameter(draft: RequestDraft, name: string, value: string): void {
  if (replaceQueryParameter(draft, name, () => value)) return
  draft.query = draft.query === '' ? `${name}=${value}` : `${draft.query}&${name}=${value}`
}

/** Replaces the value of every parameter of exactly that name; false when there is none. */
export function replaceQueryParameter(
  draft: RequestDraft,
  name: string,
  change: (old: string) => string,
): boolean {
  let isFound = false
  const parts = draft.query.split('&').map((part) => {
    const { rawName, value } = readPart(part)
    if (part === '' || !isName(rawName, name)) return part
    isFound = true
    return `${rawName}=${change(value)}`
  })
  draft.query = parts.join('&')
  return isFound
}

/**
 * Replaces values of the query; false when nothing was replaced.
 *
 * @param change given the decoded value; null for one that stays
 */
export function replaceQueryValues(draft: RequestDraft, change: (old: string) => string | null): boolean {
  let isFound = false
  const parts = draft.query.split('&').map((part) => {
    const { rawName, value } = readPart(part)
    const fresh = change(formDecoded(value))
    if (fresh === null) return part
    isFound = true
    return `${rawName}=${encodeURIComponent(fresh)}`
  })
  draft.query = parts.join('&')
  return isFound
}

/** Removes every parameter of exactly that name; false when there is none. */
export function removeQueryParameter(draft: RequestDraft, name: string): boolean {
  const parts = draft.query.split('&')
  const kept = parts.filter((part) => part === '' || !isName(readPart(part).rawName, name))
  draft.query = kept.join('&')
  return kept.length < parts.length
}

function readPart(part: string): { rawName: string; value: string } {
  const equals = part.indexOf('=')
  return equals < 0
    ? { rawName: part, value: '' }
    : { rawName: part.slice(0, equals), value: part.slice(equals + 1) }
}

/** Names are compared as written and decoded: templates hold decoded names, captures either. */
function isName(rawName: string, name: string): boolean {
  return rawName === name || formDecoded(rawName) === name
}
