import type { FastifyInstance } from 'fastify'
import {
  completeReset,
  hasSecondFactor,
  notedSignIn,
  requestReset,
  resetMail,
  startSession,
} from '../app/index.ts'
import { Failure, reportError } from '../kit/index.ts'
import { jsonType } from './json-type.ts'
import type { ServerParts } from './server-parts.ts'
import { field, optionalFlag, readForm, refuseWithoutPasswords, replySession } from './session-forms.ts'

/** A new password by mail: asking for it, and choosing it with the code of the mail. */
export function addPasswordResetRoutes(server: FastifyInstance, parts: ServerParts): void {
  const { app } = parts

  server.post('/auth/password-reset', async (request, reply) => {
    const form = await readForm(parts, request)
    refuseWithoutPasswords(parts)
    const { mailer } = app
    if (mailer === null) throw new Failure('MAIL_OFF')
    const email = field(form, 'email')
    const made = await requestReset(app.access, { email, ip: request.ip })
    // Not awaited: the time of the answer must not tell whether the account exists.
    if (made !== null)
      mailer
        .send(resetMail(app, made.user.login, made.code))
        .catch((error: unknown) => app.log.warn('part.failed', { part: 'mail', error: reportError(error) }))
    return reply.code(202).header('cache-control', 'no-store').type(jsonType).send('{}')
  })

  server.post('/auth/password-reset/complete', async (request, reply) => {
    const form = await readForm(parts, request)
    refuseWithoutPasswords(parts)
    const attempt = { action: 'resetPassword', via: 'PASSWORD', login: null, ip: request.ip } as const
    const { user } = await notedSignIn(app, attempt, async () => ({
      user: await completeReset(app.access, {
        code: field(form, 'code'),
        password: field(form, 'password'),
        revokesKeys: optionalFlag(form, 'revokeApiTokens'),
      }),
    }))
    // The mail proves one factor only: with a second one, the person signs in.
    if (await hasSecondFactor(app.access, user.id))
      return reply.header('cache-control', 'no-store').type(jsonType).send('{"loginResult":null}')
    const session = await startSession(app.access, user, request.headers['user-agent'] ?? null)
    return replySession(parts, request, reply, session)
  })
}
