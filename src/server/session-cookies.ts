import type { FastifyRequest } from 'fastify'
import { baseUrlOf, deviceCookie, deviceCookieName, refreshCookie, type Session } from '../app/index.ts'
import type { ServerParts } from './server-parts.ts'

/** Whether people reach this server over TLS: by the request, or by the address that the settings publish. */
export function isSecureFor(parts: ServerParts, request: FastifyRequest): boolean {
  return request.protocol === 'https' || baseUrlOf(parts.app.settings).startsWith('https:')
}

/** Values of Set-Cookie for a session that starts: its refresh token, and the mark of a known browser. */
export function sessionCookies(parts: ServerParts, request: FastifyRequest, session: Session): string[] {
  const { user, refreshToken, refreshSeconds } = session
  const known = request.cookies[deviceCookieName] ?? null
  const isSecure = isSecureFor(parts, request)
  return [
    refreshCookie(refreshToken, refreshSeconds, isSecure),
    deviceCookie(parts.app.access, known, user.login, refreshSeconds, isSecure),
  ]
}
