import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Access } from './access.ts'

/** Cookie of browsers in which somebody signed in (RFC 6265). It opens nothing: it only has its own limits. */
export const deviceCookieName = 'knownDevice'

/** Only sign-in carries the cookie. */
const PATH = '/auth'
const ID_BYTES = 16
/** People who use one browser; the one who was there last stays longest. */
const MAX_PEOPLE = 5
const SEPARATOR = '~'

/** Id of the browser when the account signed in there before, else null. */
export function knownDevice(access: Access, cookie: string | null, login: string): string | null {
  for (const mark of marksOf(cookie)) {
    const id = mark.split('.', 1)[0]!
    if (isSame(mark, markOf(access, id, login))) return id
  }
  return null
}

/** Value of Set-Cookie after a sign-in: the browser stays known to everyone who signed in there. */
export function deviceCookie(
  access: Access,
  cookie: string | null,
  login: string,
  maxAgeSeconds: number,
  isSecure: boolean,
): string {
  const id = knownDevice(access, cookie, login) ?? randomBytes(ID_BYTES).toString('base64url')
  const mark = markOf(access, id, login)
  const others = marksOf(cookie).filter((other) => other !== mark)
  const value = [mark, ...others].slice(0, MAX_PEOPLE).join(SEPARATOR)
  const secure = isSecure ? '; Secure' : ''
  return `${deviceCookieName}=${value}; Path=${PATH}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`
}

function marksOf(cookie: string | null): string[] {
  return (cookie ?? '')
    .split(SEPARATOR)
    .filter((mark) => /^[\w-]{22}\.[\w-]{43}$/.test(mark))
    .slice(0, MAX_PEOPLE)
}

function markOf(access: Access, id: string, login: string): string {
  return `${id}.${createHmac('sha256', access.deviceKey).update(`${id}.${login}`).digest('base64url')}`
}

function isSame(given: string, wanted: string): boolean {
  return given.length === wanted.length && timingSafeEqual(Buffer.from(given), Buffer.from(wanted))
}
