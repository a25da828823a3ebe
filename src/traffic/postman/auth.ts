import type { DeclaredSecurity } from '../declared-operation.ts'
import type { OutsideObject } from '../untrusted-value.ts'
import { asList, asObject, asText, cutText, own } from '../untrusted-value.ts'

/** What an `auth` object adds to a request. */
interface PostmanCredential {
  /** Header as name and value, or undefined. */
  readonly header?: readonly [name: string, value: string]
  /** Query parameter as name and value, or undefined. */
  readonly query?: readonly [name: string, value: string]
  readonly security: readonly DeclaredSecurity[]
  /** What could not be done exactly. */
  readonly note?: string
}

/** Authorization prefixes of schemes whose credentials are computed per request and so cannot be written down. */
const COMPUTED = new Map([
  ['digest', 'Digest'],
  ['oauth1', 'OAuth'],
  ['hawk', 'Hawk'],
  ['awsv4', 'AWS4-HMAC-SHA256'],
  ['ntlm', 'NTLM'],
  ['edgegrid', 'EG1-HMAC-SHA256'],
  ['jwt', 'Bearer'],
  ['asap', 'Bearer'],
])

/**
 * Reads an `auth` object of collection format 2.0 (attributes as an object) or 2.1 (as a list).
 * @param fill puts variables in place
 */
export function readAuth(auth: OutsideObject | undefined, fill: (text: string) => string): PostmanCredential {
  const type = cutText(own(auth, 'type'), 40)
  const attribute = (name: string): string => fill(attributeOf(own(auth, type), name))
  const http = (scheme: string): DeclaredSecurity[] => [{ name: type, kind: 'http', scheme, scopes: [] }]
  switch (type) {
    case '':
    case 'noauth':
      return { security: [] }
    case 'bearer':
      return { header: ['Authorization', `Bearer ${attribute('token')}`], security: http('bearer') }
    case 'basic': {
      const pair = Buffer.from(`${attribute('username')}:${attribute('password')}`).toString('base64')
      return { header: ['Authorization', `Basic ${pair}`], security: http('basic') }
    }
    case 'apikey': {
      const name = attribute('key') || 'X-Api-Key'
      const inQuery = attribute('in') === 'query'
      const security = [{ name: type, kind: 'apiKey', in: inQuery ? 'query' : 'header', parameter: name, scopes: [] }] as const // biome-ignore format: one line reads better
      const pair = [name, attribute('value')] as const
      return inQuery ? { query: pair, security } : { header: pair, security }
    }
    case 'oauth2': {
      const security = [{ name: type, kind: 'oauth2', scopes: [] }] as const
      const token = attribute('accessToken') || 'sample-auth-token'
      if (attribute('addTokenTo') === 'queryParams') return { query: ['access_token', token], security }
      const prefix = attribute('headerPrefix').trim() || 'Bearer'
      return { header: ['Authorization', `${prefix} ${token}`], security }
    }
    default: {
      const prefix = COMPUTED.get(type)
      if (prefix === undefined) return { security: [], note: `authentication "${type}" is not known` }
      const note = `credentials of type ${type} are computed per request; only their kind is kept`
      return {
        header: ['Authorization', `${prefix} sample-auth-token`],
        security: http(prefix.toLowerCase()),
        note,
      }
    }
  }
}

function attributeOf(attributes: unknown, name: string): string {
  if (!Array.isArray(attributes)) return asText(own(asObject(attributes), name))
  for (const item of asList(attributes)) {
    const fields = asObject(item)
    if (own(fields, 'key') === name) return asText(own(fields, 'value'))
  }
  return ''
}
