import type { FastifyReply, FastifyRequest } from 'fastify'
import { baseUrlOf, type Session } from '../app/index.ts'
import { accessTokenHeader } from '../contract/index.ts'
import { Failure } from '../kit/index.ts'
import { parseJsonBody } from './json-body.ts'
import { jsonType } from './json-type.ts'
import { announcesBody, readBody } from './read-body.ts'
import type { ServerParts } from './server-parts.ts'
import { sessionCookies } from './session-cookies.ts'
import { traceOf } from './trace.ts'

const MAX_FORM_BYTES = 16 * 1024
const MAX_FORM_DEPTH = 4
const JSON_TYPE = /^application\/json[\t ]*(;|$)/i
const FORM_TYPE = /^application\/x-www-form-urlencoded[\t ]*(;|$)/i

/** Answers with a session that starts: cookies and access token. */
export function replySession(
  parts: ServerParts,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
): FastifyReply {
  const { user, accessToken } = session
  return reply
    .header(accessTokenHeader, accessToken)
    .header('set-cookie', sessionCookies(parts, request, session))
    .header('cache-control', 'no-store')
    .type(jsonType)
    .send(JSON.stringify({ loginResult: { login: user.login, name: user.name, role: user.role } }))
}

/** @throws Failure PASSWORD_SIGN_IN_OFF */
export function refuseWithoutPasswords({ app }: ServerParts): void {
  if (!app.settings.passwordSignIn) throw new Failure('PASSWORD_SIGN_IN_OFF')
}

/** JSON, or the form encoding that a plain HTML form sends; neither from a page of another site. */
export async function readForm(
  parts: ServerParts,
  request: FastifyRequest,
): Promise<Record<string, unknown>> {
  refuseForeignPage(parts, request)
  if (!announcesBody(request.raw)) return {}
  const type = request.headers['content-type'] ?? ''
  const isForm = FORM_TYPE.test(type)
  // A page of another site can send text/plain without asking first (CORS safelist); application/json it cannot.
  if (!isForm && !JSON_TYPE.test(type)) throw new Failure('UNSUPPORTED_MEDIA_TYPE')
  const body = await readBody(request.raw, {
    maxBytes: MAX_FORM_BYTES,
    idleMs: parts.app.settings.bodyIdleSeconds * 1000,
    budget: parts.budget,
  })
  traceOf(request).releases.push(body.release)
  if (isForm) return Object.fromEntries(new URLSearchParams(new TextDecoder().decode(body.bytes)))
  const parsed = parseJsonBody(body.bytes, MAX_FORM_DEPTH) ?? {}
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new Failure('INVALID_JSON_BODY')
  return parsed as Record<string, unknown>
}

/** @throws Failure FIELD_REQUIRED, INVALID_FIELD */
export function field(form: Record<string, unknown>, name: string): string {
  const value = Object.hasOwn(form, name) ? form[name] : undefined
  if (value === undefined || value === null) throw new Failure('FIELD_REQUIRED', { field: name })
  if (typeof value !== 'string' || value.length > 1000) throw new Failure('INVALID_FIELD', { field: name })
  // The store holds no such text; only passwords never reach it as they are.
  if (name !== 'password' && value.includes('\0')) throw new Failure('INVALID_FIELD', { field: name })
  return value
}

/** Empty when it is absent. @throws Failure INVALID_FIELD */
export function optionalField(form: Record<string, unknown>, name: string): string {
  return form[name] === undefined || form[name] === null ? '' : field(form, name)
}

/** False when it is absent. @throws Failure INVALID_FIELD */
export function optionalFlag(form: Record<string, unknown>, name: string): boolean {
  const value = Object.hasOwn(form, name) ? form[name] : undefined
  if (value === undefined || value === null || value === false || value === 'false') return false
  if (value === true || value === 'true') return true
  throw new Failure('INVALID_FIELD', { field: name })
}

/**
 * A page of another site must not sign anybody up or in (CWE-352). Browsers say how the page relates to this server
 * (Sec-Fetch-Site) and name its origin; programs send neither.
 */
function refuseForeignPage(parts: ServerParts, request: FastifyRequest): void {
  const { origin, host } = request.headers
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new Failure('FOREIGN_ORIGIN')
  if (origin === undefined) return
  const isOwn = URL.canParse(origin) && new URL(origin).host === host
  if (!isOwn && origin !== new URL(baseUrlOf(parts.app.settings)).origin) throw new Failure('FOREIGN_ORIGIN')
}
