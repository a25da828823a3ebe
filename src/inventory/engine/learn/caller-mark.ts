import { createHash } from 'node:crypto'
import { headerValue, type LiveExchange } from '../../../http/index.ts'

/** Headers and cookies that tell callers apart. */
const CALLER_HEADERS = ['authorization', 'x-api-key', 'x-auth-token', 'x-access-token', 'x-session-token']
const SESSION_COOKIE = /sess|sid$|^sid|auth|token|jwt/i
/** Cookies that only protect forms against forged requests, and change with each of them. */
const FORM_TOKEN = /csrf|xsrf/i
const MAX_REMEMBERED = 2_000

const marks = new Map<string, string>()

/**
 * A short text that is the same for requests of the same caller, for keeping a sample of each; '' for a request without a
 * credential. Of a JWT its subject counts (RFC 7519 section 4.1.2), for the token changes with each sign-in.
 */
export function callerMark({ request: { headers } }: LiveExchange): string {
  let text = ''
  for (const name of CALLER_HEADERS) {
    const value = headerValue(headers, name)
    if (value !== undefined) text += `${name}=${value}\n`
  }
  const cookies = headerValue(headers, 'cookie')
  if (cookies !== undefined)
    for (const pair of cookies.split(';')) {
      const name = pair.slice(0, Math.max(pair.indexOf('='), 0))
      if (SESSION_COOKIE.test(name.trim()) && !FORM_TOKEN.test(name)) text += `${pair.trim()}\n`
    }
  if (text === '') return ''
  const known = marks.get(text)
  if (known !== undefined) return known
  const subject = /eyJ[\w-]+\.(eyJ[\w-]+)\.[\w-]*/.exec(text)?.[1]
  const mark = createHash('sha256')
    .update((subject === undefined ? null : subjectOf(subject)) ?? text)
    .digest('base64url')
    .slice(0, 12)
  if (marks.size >= MAX_REMEMBERED) marks.clear()
  marks.set(text, mark)
  return mark
}

function subjectOf(payload: string): string | null {
  try {
    const { iss, sub } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Record<
      string,
      unknown
    >
    return typeof sub === 'string' || typeof sub === 'number' ? `${String(iss)} ${sub}` : null
  } catch {
    return null // not a token after all
  }
}
