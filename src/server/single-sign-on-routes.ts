import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  baseUrlOf,
  clearedSignInCookie,
  notedSignIn,
  type SingleSignOn,
  signInCookieName,
  startSession,
} from '../app/index.ts'
import { describeFailure } from '../contract/index.ts'
import { Failure, reportError } from '../kit/index.ts'
import type { ServerParts } from './server-parts.ts'
import { isSecureFor, sessionCookies } from './session-cookies.ts'

const CALLBACK = '/auth/oidc/callback'
/** What people cannot mend; the log then has the cause. */
const FAULTS = new Set(['OIDC_UNREACHABLE', 'OIDC_REFUSED'])

/**
 * Sign-in with OpenID Connect: to the provider, and back with a session. Browsers come here by navigation, so what
 * fails leads to the sign-in page, which says what to do for the code in the query.
 */
export function addSingleSignOnRoutes(server: FastifyInstance, parts: ServerParts): void {
  server.get('/auth/oidc', (request, reply) =>
    orSignInPage(parts, reply, async () => {
      const { returnTo } = request.query as { returnTo?: unknown }
      const { url, cookie } = await signOnOf(parts).begin(
        redirectUri(parts, request),
        typeof returnTo === 'string' ? returnTo : '/',
        isSecureFor(parts, request),
      )
      return reply.header('set-cookie', cookie).redirect(url, 302)
    }),
  )

  server.get(CALLBACK, (request, reply) =>
    orSignInPage(parts, reply, async () => {
      const query = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : ''
      const attempt = { action: 'signIn', via: 'OIDC', login: null, ip: request.ip } as const
      const { user, returnTo } = await notedSignIn(parts.app, attempt, () =>
        signOnOf(parts).finish(
          redirectUri(parts, request) + query,
          request.cookies[signInCookieName] ?? null,
        ),
      )
      const session = await startSession(parts.app.access, user, request.headers['user-agent'] ?? null)
      const cookies = [...sessionCookies(parts, request, session), clearedSignInCookie]
      return reply.header('set-cookie', cookies).redirect(returnTo, 302)
    }),
  )
}

async function orSignInPage(
  { app }: ServerParts,
  reply: FastifyReply,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store')
  try {
    return await work()
  } catch (error) {
    const { code } = describeFailure(error)
    if (!(error instanceof Failure) || error.code === 'OIDC_OFF') throw error
    if (FAULTS.has(code)) app.log.warn('part.failed', { part: 'single sign-on', error: reportError(error) })
    app.log.info('login.refused', { reason: 'provider' })
    return reply.header('set-cookie', clearedSignInCookie).redirect(`/?signIn=${code}`, 302)
  }
}

/** @throws Failure OIDC_OFF */
function signOnOf({ app }: ServerParts): SingleSignOn {
  if (app.singleSignOn === null) throw new Failure('OIDC_OFF')
  return app.singleSignOn
}

/**
 * Where the provider sends people back to; it only accepts what is registered there. Without a base URL it is the
 * address that the browser used.
 */
function redirectUri({ app }: ServerParts, request: FastifyRequest): string {
  const base =
    app.settings.baseUrl === null ? `${request.protocol}://${request.host}` : baseUrlOf(app.settings)
  return `${base}${CALLBACK}`
}
