import { Failure } from '../../kit/index.ts'
import { LOGIN_CAUSE } from '../browser/crawl-guard.ts'
import type { DriverContext, DriverPage } from '../browser/driver.ts'
import { BLANK_PATH } from '../browser/origin-stores.ts'

/**
 * A request whose answer tells whether somebody is signed in: it was compared with the same request without
 * credentials.
 */
export interface SessionProbe {
  readonly url: string
  /** Status and place of the answer without credentials, `status place`. */
  readonly anonymous: string
  /** The same, signed in. */
  readonly signedIn: string
  /** A text that only the answer to somebody signed in holds; '' where the status tells. */
  readonly mark: string
}

interface Probe {
  readonly head: string
  readonly text: string
}

const MAX_CANDIDATES = 8
const PROBE_MS = 10_000
/** Paths that ask who is signed in. */
const WHO =
  /(?:^|[/._-])(?:me|whoami|who-?am-?i|profile|session|current[-_]?user|userinfo|account|user|self)(?:$|[/._?-])/i

/**
 * Asks for a URL from within a page of its origin, with or without credentials. Only what the application itself could
 * read is returned.
 */
function probeScript(url: string, headers: Readonly<Record<string, string>>, isSignedIn: boolean): string {
  return `(async () => {
    const answer = await fetch(${JSON.stringify(url)}, {
      credentials: ${JSON.stringify(isSignedIn ? 'include' : 'omit')},
      headers: ${JSON.stringify(isSignedIn ? headers : {})},
      cache: 'no-store',
      signal: AbortSignal.timeout(${PROBE_MS - 2000}),
    })
    return { head: answer.status + ' ' + new URL(answer.url).pathname, text: (await answer.text()).slice(0, 20000) }
  })()`
}

/**
 * Chooses a probe among the URLs that a page asked for after a login.
 *
 * @param urls of GET requests, and of the page that the login ended on
 * @param username its sight in an answer tells who is signed in
 * @returns null when no answer differs
 */
export async function chooseSessionProbe(
  context: DriverContext,
  origin: string,
  urls: readonly string[],
  username: string,
): Promise<SessionProbe | null> {
  const candidates = [...new Set(urls)]
    .filter((url) => URL.canParse(url) && new URL(url).origin === origin)
    .sort((one, other) => Number(WHO.test(other)) - Number(WHO.test(one)))
    .slice(0, MAX_CANDIDATES)
  return onProbePage(context, origin, async (page, headers) => {
    for (const url of candidates) {
      const signedIn = await runProbe(page, probeScript(url, headers, true))
      if (signedIn === null || !signedIn.head.startsWith('2')) continue
      const anonymous = await runProbe(page, probeScript(url, headers, false))
      if (anonymous === null) continue
      if (anonymous.head !== signedIn.head)
        return { url, anonymous: anonymous.head, signedIn: signedIn.head, mark: '' }
      const mark = username !== '' && signedIn.text.includes(username) && !anonymous.text.includes(username)
      if (mark) return { url, anonymous: anonymous.head, signedIn: signedIn.head, mark: username }
    }
    return null
  })
}

/** Whether the identity is signed in; null when the answer tells neither (the server itself has a problem). */
export async function askSessionProbe(context: DriverContext, probe: SessionProbe): Promise<boolean | null> {
  return onProbePage(context, new URL(probe.url).origin, async (page, headers) => {
    const answer = await runProbe(page, probeScript(probe.url, headers, true))
    if (answer === null) return null
    const isSuccess = answer.head.startsWith('2')
    if (probe.mark !== '' && isSuccess) return answer.text.includes(probe.mark)
    if (answer.head === probe.signedIn) return true
    if (answer.head === probe.anonymous) return false
    return /^(?:401|403|3\d\d) /.test(answer.head) ? false : null
  })
}

/** Works on a page of the origin that no server was asked for. */
async function onProbePage<T>(
  context: DriverContext,
  origin: string,
  work: (page: DriverPage, headers: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T | null> {
  const page = await context.newPage()
  page.cause = LOGIN_CAUSE
  try {
    const { problem } = await page.goto(origin + BLANK_PATH)
    if (problem !== null) return null
    const { headers } = await context.session()
    return await work(page, headers)
  } finally {
    await page.close()
  }
}

/** A request that gets no answer tells nothing. */
async function runProbe(page: DriverPage, script: string): Promise<Probe | null> {
  try {
    return await page.evaluate<Probe>(script, { isolated: true, deadlineMs: PROBE_MS })
  } catch (error) {
    if (error instanceof Failure && error.code !== 'BROWSER_GONE') return null
    throw error
  }
}
