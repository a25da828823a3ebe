import type { HeaderEntry, RequestDraft } from './request-draft.ts'

/** First value of a header, its name compared without case; undefined when absent. */
export function draftHeader(draft: RequestDraft, name: string): string | undefined {
  const wanted = name.toLowerCase()
  return draft.headers.find((header) => header.name.toLowerCase() === wanted)?.value
}

/** Sets a header: the first of that name takes the value, its repeats go; a new one is added last. */
export function setHeader(draft: RequestDraft, name: string, value: string): void {
  if (replaceHeader(draft, name, () => value)) return
  draft.headers = [...draft.headers, { name, value }]
}

/** Replaces the value of a header that is there; repeats go. False when it is not. */
export function replaceHeader(draft: RequestDraft, name: string, change: (old: string) => string): boolean {
  const wanted = name.toLowerCase()
  let isFound = false
  const headers: HeaderEntry[] = []
  for (const header of draft.headers) {
    if (header.name.toLowerCase() !== wanted) headers.push(header)
    else if (!isFound) {
      isFound = true
      headers.push({ name: header.name, value: change(header.value) })
    }
  }
  if (isFound) draft.headers = headers
  return isFound
}

/** Removes every header of a name; false when there is none. */
export function removeHeader(draft: RequestDraft, name: string): boolean {
  const wanted = name.toLowerCase()
  const headers = draft.headers.filter((header) => header.name.toLowerCase() !== wanted)
  const isFound = headers.length < draft.headers.length
  draft.headers = headers
  return isFound
}

/** Value of a cookie, its name compared without case; undefined when absent. */
export function draftCookie(draft: RequestDraft, name: string): string | undefined {
  let found: string | undefined
  editCookies(draft, (pair, cookieName, value) => {
    if (found === undefined && cookieName.toLowerCase() === name.toLowerCase()) found = value
    return pair
  })
  return found
}

/** Replaces the value of each cookie of a name, compared without case; false when there is none. */
export function replaceCookie(draft: RequestDraft, name: string, change: (old: string) => string): boolean {
  let isFound = false
  editCookies(draft, (pair, cookieName, value) => {
    if (cookieName.toLowerCase() !== name.toLowerCase()) return pair
    isFound = true
    return `${cookieName}=${change(value)}`
  })
  return isFound
}

/** Replaces the value of a header that is there, and of each cookie of that name; false when there is neither. */
export function replaceNamedHeader(
  draft: RequestDraft,
  name: string,
  change: (old: string) => string,
): boolean {
  const inHeader = replaceHeader(draft, name, change)
  return replaceCookie(draft, name, change) || inHeader
}

/** Removes each cookie of a name, and the header with its last one; false when there is none. */
export function removeCookie(draft: RequestDraft, name: string): boolean {
  let isFound = false
  editCookies(draft, (pair, cookieName) => {
    if (cookieName.toLowerCase() !== name.toLowerCase()) return pair
    isFound = true
    return null
  })
  return isFound
}

/**
 * Edits the pairs of the Cookie header (RFC 6265 section 4.2.1): the pair to write for each, or null to drop it. The
 * header stays as it is, to the letter, when no pair changes.
 */
export function editCookies(
  draft: RequestDraft,
  edit: (pair: string, name: string, value: string) => string | null,
): void {
  let isChanged = false
  const headers: HeaderEntry[] = []
  for (const header of draft.headers) {
    if (header.name.toLowerCase() !== 'cookie') {
      headers.push(header)
      continue
    }
    const pairs = header.value.split(';').map((pair) => pair.trim())
    const edited = pairs.map((pair) => {
      const equals = pair.indexOf('=')
      return equals < 0 ? pair : edit(pair, pair.slice(0, equals).trim(), pair.slice(equals + 1))
    })
    if (edited.every((pair, index) => pair === pairs[index])) {
      headers.push(header)
      continue
    }
    isChanged = true
    const kept = edited.filter((pair) => pair !== null && pair !== '')
    if (kept.length > 0) headers.push({ name: header.name, value: kept.join('; ') })
  }
  if (isChanged) draft.headers = headers
}
