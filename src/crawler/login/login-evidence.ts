import type { BrowserSession } from '../browser/session.ts'

/** What can be seen of a login, before or after. */
export interface LoginView {
  readonly url: string
  readonly hasPassword: boolean
  readonly session: BrowserSession
}

/** Signs that a login went well; two of them make it so. */
export function successSigns(before: LoginView, after: LoginView, acceptedCalls: number): string[] {
  const signs: string[] = []
  // A form that leads where nothing may be sent, or nobody answers, leaves a page of the browser's own.
  if (!/^https?:/.test(after.url)) return signs
  if (before.hasPassword && !after.hasPassword) signs.push('the password box is gone')
  if (placeOf(before.url) !== placeOf(after.url)) signs.push('another page is shown')
  if (hasNewCookie(before.session, after.session)) signs.push('a cookie was set')
  if (hasNewStorage(before.session, after.session)) signs.push('something was stored')
  if (acceptedCalls > 0) signs.push('calls that were refused are answered')
  return signs
}

/** Where a URL leads, its query aside: forms often send back to themselves with an error in the query. */
function placeOf(url: string): string {
  const [base = '', hash = ''] = url.split('#')
  return `${base.split('?')[0]}#${hash.split('?')[0]}`
}

function hasNewCookie(before: BrowserSession, after: BrowserSession): boolean {
  const known = new Map(before.cookies.map((one) => [`${one.domain} ${one.name}`, one.value]))
  return after.cookies.some((one) => one.value !== '' && known.get(`${one.domain} ${one.name}`) !== one.value)
}

function hasNewStorage(before: BrowserSession, after: BrowserSession): boolean {
  const keys = ({ storage }: BrowserSession): Set<string> =>
    new Set(
      storage.flatMap(({ origin, local, session }) =>
        [...local, ...session].map(([name]) => `${origin} ${name}`),
      ),
    )
  const known = keys(before)
  return [...keys(after)].some((key) => !known.has(key))
}
