import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  baseUrlOf,
  deviceCookieName,
  isLoopbackHost,
  needsFirstUser,
  notedSignIn,
  refreshCookieName,
  renewSession,
  signIn,
  signUp,
  startSession,
} from '../app/index.ts'
import { accessTokenHeader } from '../contract/index.ts'
import { Failure } from '../kit/index.ts'
import { jsonType } from './json-type.ts'
import type { ServerParts } from './server-parts.ts'
import { field, optionalField, readForm, refuseWithoutPasswords, replySession } from './session-forms.ts'

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
        code: optionalField(form, 'code'),
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
    if (await needsFirstUser(app.store.pool)) refuseRebinding(parts, request)
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
