import type { JobFlow, PlayedLogin, SessionCookie } from '../../crawler/index.ts'
import { nowSeconds } from '../../kit/index.ts'
import type { PlayedFlow } from '../../testing/index.ts'
import type { CrawlSignIn } from './pending-sign-ins.ts'

/** Headers by which scripts prove that a request comes from the site itself. */
const ANTI_FORGERY = ['x-csrf-token', 'x-xsrf-token', 'x-csrftoken', 'csrf-token']

/**
 * What a recorded login yielded, as JSON text in the form of the interface notes (A 4.3). It contains local
 * storage under two names, of which clients know one or the other.
 */
export function flowResult(played: PlayedLogin): string {
  const { session, token, values } = played
  const forgeryName = ANTI_FORGERY.find((name) => session.headers[name] !== undefined)
  return JSON.stringify({
    token,
    created_at: nowSeconds(),
    localStorage: values,
    aktoOutput: values,
    all_cookies: session.cookies.map(wireCookie),
    cookieHeader: cookieHeaderOf(played),
    ...(forgeryName === undefined
      ? {}
      : { csrfToken: session.headers[forgeryName], csrfTokenHeaderName: forgeryName }),
  })
}

/** What a recorded login yielded, for a crawler that does not replay it: the token goes where its role puts it. */
export function crawlSignIn(
  { session, token }: PlayedLogin,
  { header, prefix }: Pick<JobFlow, 'header' | 'prefix'>,
): CrawlSignIn {
  const { cookies } = session
  const headers = header !== '' && token !== '' ? { [header]: prefix + token } : {}
  if (cookies.length === 0 && token === '')
    return { cookies: null, headers, error: 'Recorded login flow returned no cookies.' }
  return {
    cookies: cookies.length === 0 ? null : JSON.stringify(cookies.map(wireCookie)),
    headers,
    error: null,
  }
}

/** What a recorded login yielded, for the sessions of test runs. */
export function playedFlow(played: PlayedLogin): PlayedFlow {
  return { token: played.token, values: played.values, cookieHeader: cookieHeaderOf(played) }
}

/** The cookies that the last page is sent. */
function cookieHeaderOf({ session, landedOn }: PlayedLogin): string {
  const host = URL.canParse(landedOn) ? new URL(landedOn).hostname : ''
  return session.cookies
    .filter(({ domain }) => {
      const plain = domain.replace(/^\./, '')
      return host === plain || host.endsWith(`.${plain}`)
    })
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ')
}

/** A cookie as extensions of browsers write it. */
function wireCookie(cookie: SessionCookie, index: number): Record<string, unknown> {
  const { name, value, domain, path, expires, httpOnly, secure, sameSite } = cookie
  return {
    name,
    value,
    domain,
    path,
    httpOnly,
    secure,
    sameSite: sameSite?.toLowerCase() ?? 'unspecified',
    session: expires < 0,
    hostOnly: !domain.startsWith('.'),
    expirationDate: expires < 0 ? null : expires,
    storeId: '0',
    id: index + 1,
  }
}
