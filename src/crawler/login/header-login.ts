import type { Authenticator } from './authenticator.ts'

/**
 * Signs in by headers: an API key, or the stored credentials of a test role. A `Cookie` header becomes cookies of the
 * browser, because it would win over those that the application sets.
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
      for (const [header, value] of Object.entries(headers)) {
        if (header.toLowerCase() === 'cookie') cookies = value
        else own[header] = value
      }
      const session = await context.session()
      const { hostname, protocol } = new URL(origin)
      const restored = {
        ...session,
        cookies: [
          ...session.cookies,
          ...pairsOf(cookies).map(([cookieName, value]) => ({
            name: cookieName,
            value,
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

/** Names and values of a Cookie header (RFC 6265 section 4.2.1). */
function pairsOf(header: string): [string, string][] {
  return header.split(';').flatMap((pair) => {
    const equals = pair.indexOf('=')
    return equals <= 0
      ? []
      : [[pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()] as [string, string]]
  })
}
