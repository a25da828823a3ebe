import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  baseUrlOf,
  deviceCookieName,
  isLoopbackHost,
  needsFirstUser,
  notedSignIn,
  refreshCookieName,
  renewSession,
  type Session,
  signIn,
  signUp,
  startSession,
} from '../app/index.ts'
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

/** Sign-in, sign-up and the renewal of access tokens: the calls that need no key and no session. */
export function addAuthRoutes(server: FastifyInstance, parts: ServerParts): void {
  const { app } = parts

  server.post('/auth/login', async (request, reply) => {
    const form = await readForm(parts, request)
    refuseWithoutPasswords(parts)
    const login = field(form, 'username')
    const password = field(form, 'password')
    const attempt = { action: 'signIn', via: 'PASSWORD', login, ip: request.ip } as const
    const session = await notedSignIn(app, attempt, () =>
      signIn(app.access, {
        login,
        password,
        ip: request.ip,
        userAgent: request.headers['user-agent'] ?? null,
        deviceCookie: request.cookies[deviceCookieName] ?? null,
      }),
    )
    return replySession(parts, request, reply, session)
  })

  server.post('/signup-email', async (request, reply) => {
    const form = await readForm(parts, request)
    refuseWithoutPasswords(parts)
    if (await needsFirstUser(app.access)) refuseRebinding(parts, request)
    const email = field(form, 'email')
    const attempt = { action: 'signUp', via: 'PASSWORD', login: email, ip: request.ip } as const
    const { user } = await notedSignIn(app, attempt, async () => ({
      user: await signUp(app.access, {
        email,
        password: field(form, 'password'),
        invitationCode: optionalField(form, 'invitationCode'),
        setupCode: optionalField(form, 'setupCode'),
        ip: request.ip,
      }),
    }))
    const session = await startSession(app.access, user, request.headers['user-agent'] ?? null)
    return replySession(parts, request, reply, session)
  })

  server.get('/dashboard/accessToken', async (request, reply) => {
    const cookie = request.cookies[refreshCookieName]
    if (cookie === undefined || cookie === '') throw new Failure('SESSION_EXPIRED')
    const { user, accessToken } = await renewSession(app.access, cookie)
    return reply
      .header(accessTokenHeader, accessToken)
      .header('cache-control', 'no-store')
      .type(jsonType)
      .send(JSON.stringify({ login: user.login, name: user.name, role: user.role }))
  })
}

function replySession(
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

function refuseWithoutPasswords({ app }: ServerParts): void {
  if (!app.settings.passwordSignIn) throw new Failure('PASSWORD_SIGN_IN_OFF')
}

/** JSON, or the form encoding that a plain HTML form sends; neither from a page of another site. */
async function readForm(parts: ServerParts, request: FastifyRequest): Promise<Record<string, unknown>> {
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

function field(form: Record<string, unknown>, name: string): string {
  const value = Object.hasOwn(form, name) ? form[name] : undefined
  if (value === undefined || value === null) throw new Failure('FIELD_REQUIRED', { field: name })
  if (typeof value !== 'string' || value.length > 1000) throw new Failure('INVALID_FIELD', { field: name })
  return value
}

function optionalField(form: Record<string, unknown>, name: string): string {
  return form[name] === undefined || form[name] === null ? '' : field(form, name)
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

/**
 * Anyone who signs up first becomes administrator, so on a server for this machine alone the name asked for must be
 * this machine's: a foreign name that resolves here is a rebound one (CWE-350).
 */
function refuseRebinding(parts: ServerParts, request: FastifyRequest): void {
  const { settings } = parts.app
  if (!isLoopbackHost(settings.host)) return
  const asked = request.hostname
  if (!isLoopbackHost(asked) && asked !== new URL(baseUrlOf(settings)).hostname)
    throw new Failure('FOREIGN_ORIGIN')
}
