import type { AuthView } from './auth-kind.ts'

/** A kind of authentication that a user described by the keys it needs. */
export interface CustomAuthKind {
  readonly name: string
  /** Names of headers or cookies (compared without case). */
  readonly headerKeys: readonly string[]
  /** Dot paths into the body. */
  readonly payloadKeys: readonly string[]
  readonly isActive: boolean
}

/**
 * Name of the first active custom kind whose header keys are all among the headers and cookies, or whose payload keys
 * are all in the body; undefined when none is. An empty list of keys matches nothing.
 */
export function customAuthKindOf(view: AuthView, kinds: readonly CustomAuthKind[]): string | undefined {
  const active = kinds.filter((kind) => kind.isActive)
  if (active.length === 0) return undefined
  const headerNames = namesOfHeadersAndCookies(view.requestHeaders)
  const matches = (kind: CustomAuthKind): boolean =>
    holdsAll(kind.headerKeys, (key) => headerNames.has(key.toLowerCase())) ||
    holdsAll(kind.payloadKeys, (path) => hasPath(view.requestBody, path))
  return active.find(matches)?.name
}

function holdsAll(wanted: readonly string[], isPresent: (key: string) => boolean): boolean {
  return wanted.length > 0 && wanted.every(isPresent)
}

function hasPath(body: unknown, path: string): boolean {
  let at: unknown = body
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return false
    at = (at as Readonly<Record<string, unknown>>)[name]
  }
  return true
}

function namesOfHeadersAndCookies(headers: readonly string[]): Set<string> {
  const names = new Set<string>()
  for (let i = 0; i + 1 < headers.length; i += 2) {
    names.add(headers[i]!)
    if (headers[i] !== 'cookie') continue
    for (const pair of headers[i + 1]!.split(';', 100)) names.add(pair.split('=', 1)[0]!.trim().toLowerCase())
  }
  return names
}
