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
  const headerNames = namesOfHeadersAndCookies(view.headers)
  const bodyKeys = new Set(view.bodyKeys)
  const matches = (kind: CustomAuthKind): boolean =>
    hasAll(
      headerNames,
      kind.headerKeys.map((key) => key.toLowerCase()),
    ) || hasAll(bodyKeys, kind.payloadKeys)
  return active.find(matches)?.name
}

function hasAll(present: ReadonlySet<string>, wanted: readonly string[]): boolean {
  return wanted.length > 0 && wanted.every((key) => present.has(key))
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
