import { sendableHeaders } from '../browser/connection-headers.ts'
import type { Authenticator } from './authenticator.ts'
import { cookiesOf } from './given-credentials.ts'

/**
 * Signs in by headers: an API key, or the stored credentials of a test role. A `Cookie` header becomes cookies of the
 * browser, because it would win over those that the application sets. Headers that a browser writes itself are left out.
 *
 * @param name for people, without secrets
 * @param origin origin of the application, for cookies
 */
export function headerLogin(
  name: string,
  headers: Readonly<Record<string, string>>,
  origin: string,
): Authenticator {
  return {
    name,
    async authenticate(context) {
      const own: Record<string, string> = {}
      let cookies = ''
      for (const [header, value] of Object.entries(sendableHeaders(headers))) {
        if (header.toLowerCase() === 'cookie') cookies = value
        else own[header] = value
      }
      if (cookies === '' && Object.keys(own).length === 0)
        return { kind: 'failed', text: 'None of the headers can be sent by a browser.', mayRetry: false }
      const session = await context.session()
      const { hostname, protocol } = new URL(origin)
      const restored = {
        ...session,
        cookies: [
          ...session.cookies,
          ...cookiesOf(cookies).map((cookie) => ({
            ...cookie,
            domain: hostname,
            path: '/',
            expires: -1,
            httpOnly: false,
            secure: protocol === 'https:',
            sameSite: null,
          })),
        ],
      }
      if (cookies !== '') await context.restore(restored)
      return { kind: 'logged in', session: restored, headers: own, landedOn: null, loginUrl: null }
    },
  }
}
