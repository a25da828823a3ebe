import { randomBytes } from 'node:crypto'
import { editCarried } from '../attempts/credentials.ts'
import type { HeaderEntry, RequestDraft } from '../attempts/index.ts'

/** The request without the named headers and cookies, and without credentials in its query and body. */
export function withoutCredentials(draft: RequestDraft, names: readonly string[]): RequestDraft {
  return { ...edited(draft, names, () => null), identity: null }
}

/** The request with credentials nobody has: every named header and cookie, and what travels in the query and body, keeps its form and gets another value. */
export function asStranger(draft: RequestDraft, names: readonly string[]): RequestDraft {
  const { identity } = draft
  const digest = identity?.digest
  // Nobody can make up a certificate that a server believes: such a stranger comes without.
  return {
    ...edited(draft, names, madeUp),
    identity:
      digest === undefined ? null : { digest: { user: digest.user, password: madeUp(digest.password) } },
  }
}

function edited(
  draft: RequestDraft,
  names: readonly string[],
  change: (value: string) => string | null,
): RequestDraft {
  const wanted = new Set(names.map((name) => name.toLowerCase()))
  const headers: HeaderEntry[] = []
  for (const header of draft.headers) {
    const name = header.name.toLowerCase()
    const value =
      name === 'cookie' && !wanted.has('cookie')
        ? cookiesEdited(header.value, wanted, change)
        : wanted.has(name)
          ? change(header.value)
          : header.value
    if (value !== null && value !== '') headers.push({ name: header.name, value })
  }
  const made = { ...draft, headers }
  editCarried(made, change)
  return made
}

function cookiesEdited(
  text: string,
  wanted: ReadonlySet<string>,
  change: (value: string) => string | null,
): string {
  const kept: string[] = []
  for (const pair of text.split(';')) {
    const equals = pair.indexOf('=')
    const name = pair.slice(0, Math.max(equals, 0)).trim()
    if (!wanted.has(name.toLowerCase())) {
      kept.push(pair.trim())
      continue
    }
    const value = change(pair.slice(equals + 1))
    if (value !== null) kept.push(`${name}=${value}`)
  }
  return kept.join('; ')
}

/** Another value of the same form: a scheme in front stays, letters and digits are drawn anew, signs stay. */
export function madeUp(value: string): string {
  const space = value.indexOf(' ')
  const scheme = space > 0 && space < 20 ? value.slice(0, space + 1) : ''
  const secret = value.slice(scheme.length)
  const random = randomBytes(secret.length)
  let at = 0
  return (
    scheme + secret.replaceAll(/[A-Za-z0-9]/g, () => 'abcdefghijklmnopqrstuvwxyz012345'[random[at++]! & 31]!)
  )
}
