import type { TSchema } from 'typebox'
import type { ErrorCode } from './errors.ts'
import { changeHeartbeatSeconds } from './limits.ts'
import { userRole } from './records/user.ts'
import { absentable, document, flag, mapOf, model, nullable, oneOf, openObject, text } from './schema.ts'
import { changeTopics } from './vocabulary.ts'
import { changesPath } from './wire.ts'

/**
 * Who is answered: anyone; callers with a key or a session; or browsers with the refresh cookie, which only requests
 * under /dashboard carry.
 */
type Audience = 'anyone' | 'key or session' | 'refresh cookie'

/** A path beside the operations. */
export interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly audience: Audience
  /** JSON body, which may also come as a form; absent for GET. */
  readonly request?: TSchema
  /** Media type and schema of the answer. */
  readonly response: { readonly mediaType: string; readonly schema: TSchema }
  readonly errors: readonly ErrorCode[]
  /** Headers the answer carries, with their meaning. */
  readonly headers?: Readonly<Record<string, string>>
}

const page = document({ description: 'A page.' })
const openApi = { mediaType: 'application/json', schema: openObject({ description: 'OpenAPI 3.1.' }) }

const signedInUser = {
  login: text({ description: 'E-mail address.' }),
  name: nullable(text()),
  role: userRole(),
}

const loginResult = model('LoginResult', 'Who signed in.', signedInUser)

const session = {
  mediaType: 'application/json',
  schema: model('LoginAnswer', 'A started session.', { loginResult }),
}

const sessionHeaders = {
  'access-token': 'Signed token for the header access-token of the calls.',
  'set-cookie': 'refreshToken, HttpOnly, for the path /dashboard; knownDevice, HttpOnly, for the path /auth.',
}

/** Every path of the server beside POST /api/<operation>. */
export const routes: readonly Route[] = [
  {
    method: 'GET',
    path: '/health',
    summary: 'Tells whether every part works',
    description:
      'Status 200 when every part works, else 503 with the same body. With ?live=1 only whether the process answers. setup tells whether the first user is still to sign up.',
    audience: 'anyone',
    response: {
      mediaType: 'application/json',
      schema: model('Health', 'State of the server.', {
        status: oneOf(['ok', 'failed']),
        parts: absentable(mapOf(oneOf(['ok', 'failed', 'missing']))),
        setup: absentable(oneOf(['needs-first-user', 'done'])),
        needsSetupCode: absentable(
          flag({ description: 'True while the first sign-up needs the set-up code.' }),
        ),
        signIn: absentable(
          model('SignInWays', 'How people sign in.', {
            password: flag(),
            mail: flag({ description: 'Whether a forgotten password is reset by mail.' }),
            provider: nullable(text({ description: 'Name of the OpenID Connect provider.' })),
          }),
        ),
      }),
    },
    errors: [],
  },
  {
    method: 'POST',
    path: '/auth/login',
    summary: 'Signs in',
    description:
      'Starts a browser session. After ten failures of an account within an hour, or failures of thirty accounts from one address, each further attempt must wait; browsers that the account used before have a separate limit. Pages of other sites are refused.',
    audience: 'anyone',
    request: model('LoginRequest', 'Credentials.', {
      username: text(),
      password: text(),
      code: absentable(text({ description: 'One-time code or recovery code of the second factor.' })),
    }),
    response: session,
    errors: [
      'WRONG_CREDENTIALS',
      'CODE_REQUIRED',
      'WRONG_CODE',
      'PASSWORD_SIGN_IN_OFF',
      'FOREIGN_ORIGIN',
      'UNSUPPORTED_MEDIA_TYPE',
      'TOO_MANY_REQUESTS',
      'FIELD_REQUIRED',
      'INVALID_FIELD',
      'INVALID_JSON_BODY',
    ],
    headers: sessionHeaders,
  },
  {
    method: 'POST',
    path: '/signup-email',
    summary: 'Creates an account and signs in',
    description:
      'The first user of an installation becomes administrator and needs the set-up code that the server showed when it started, unless it listens on a loopback address; every later one needs an invitation, whose role the account gets.',
    audience: 'anyone',
    request: model('SignUpRequest', 'The new account.', {
      email: text(),
      password: text({
        description: '12 to 128 characters; common passwords, patterns and the e-mail address are refused.',
      }),
      invitationCode: absentable(text()),
      setupCode: absentable(text({ description: 'For the first user only.' })),
    }),
    response: session,
    errors: [
      'PASSWORD_SIGN_IN_OFF',
      'SETUP_CODE_REQUIRED',
      'WRONG_SETUP_CODE',
      'INVITATION_REQUIRED',
      'INVALID_INVITATION',
      'INVALID_EMAIL',
      'WEAK_PASSWORD',
      'USER_EXISTS',
      'FOREIGN_ORIGIN',
      'UNSUPPORTED_MEDIA_TYPE',
      'TOO_MANY_REQUESTS',
      'FIELD_REQUIRED',
      'INVALID_FIELD',
      'INVALID_JSON_BODY',
    ],
    headers: sessionHeaders,
  },
  {
    method: 'POST',
    path: '/auth/password-reset',
    summary: 'Mails a link for a new password',
    description:
      'Status 202 whether or not there is an account with the address. The link works for an hour; an account has at most three at a time.',
    audience: 'anyone',
    request: model('PasswordResetRequest', 'Whose password.', { email: text() }),
    response: { mediaType: 'application/json', schema: openObject() },
    errors: ['MAIL_OFF', 'PASSWORD_SIGN_IN_OFF', 'FOREIGN_ORIGIN', 'TOO_MANY_REQUESTS', 'FIELD_REQUIRED'],
  },
  {
    method: 'POST',
    path: '/auth/password-reset/complete',
    summary: 'Sets a new password with the code of a mail, and signs in',
    description:
      'All sessions of the person end, and all their codes. API keys keep working unless revokeApiTokens is true. Where the person has a second factor, no session starts: loginResult is null, and the person signs in with the new password and a one-time code.',
    audience: 'anyone',
    request: model('PasswordReset', 'The new password.', {
      code: text(),
      password: text(),
      revokeApiTokens: absentable(
        flag({ description: 'Whether the person’s API keys stop working; false unless given.' }),
      ),
    }),
    response: {
      mediaType: 'application/json',
      schema: model('PasswordResetAnswer', 'The password is set.', { loginResult: nullable(loginResult) }),
    },
    errors: [
      'INVALID_RESET_CODE',
      'WEAK_PASSWORD',
      'PASSWORD_SIGN_IN_OFF',
      'FOREIGN_ORIGIN',
      'FIELD_REQUIRED',
      'INVALID_FIELD',
    ],
    headers: sessionHeaders,
  },
  {
    method: 'GET',
    path: '/auth/oidc',
    summary: 'Signs in with OpenID Connect',
    description:
      'Leads a browser (302) to the provider of the settings, and back by /auth/oidc/callback with the cookies of a session to the path in ?returnTo. What fails leads to the sign-in page with the error code in ?signIn.',
    audience: 'anyone',
    response: { mediaType: 'text/html', schema: page },
    errors: ['OIDC_OFF'],
  },
  {
    method: 'GET',
    path: '/dashboard/accessToken',
    summary: 'Renews the access token',
    description: 'For the cookie that sign-in set. The token comes in the header access-token.',
    audience: 'refresh cookie',
    response: {
      mediaType: 'application/json',
      schema: model('SignedInUser', 'Whose session it is.', signedInUser),
    },
    errors: ['SESSION_EXPIRED'],
    headers: { 'access-token': sessionHeaders['access-token'] },
  },
  {
    method: 'GET',
    path: '/metrics',
    summary: 'Figures for Prometheus',
    description: 'Text exposition format. A setting opens it to anyone.',
    audience: 'key or session',
    response: { mediaType: 'text/plain', schema: page },
    errors: ['INVALID_KEY', 'SESSION_EXPIRED', 'KEY_NOT_ALLOWED'],
  },
  {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This interface as an OpenAPI document',
    description: 'OpenAPI 3.1.',
    audience: 'key or session',
    response: openApi,
    errors: ['INVALID_KEY', 'SESSION_EXPIRED', 'KEY_NOT_ALLOWED'],
  },
  {
    method: 'GET',
    path: '/template-schema.json',
    summary: 'JSON Schema of security tests, for editors',
    description: 'JSON Schema 2020-12 with every key, operator, term and operation of the language.',
    audience: 'anyone',
    response: { mediaType: 'application/json', schema: openObject() },
    errors: [],
  },
  {
    method: 'GET',
    path: '/filter-schema.json',
    summary: 'JSON Schema of threat filters, for editors',
    description: 'JSON Schema 2020-12 with every key, operator and term of the language.',
    audience: 'anyone',
    response: { mediaType: 'application/json', schema: openObject() },
    errors: [],
  },
  {
    method: 'GET',
    path: '/reference',
    summary: 'This interface as a page to read',
    description: 'One page without outside resources.',
    audience: 'key or session',
    response: { mediaType: 'text/html', schema: page },
    errors: ['INVALID_KEY', 'SESSION_EXPIRED', 'KEY_NOT_ALLOWED'],
  },
  {
    method: 'GET',
    path: '/api/report/{id}.pdf',
    summary: 'A report as PDF',
    description:
      'The report that generateReportPDF made. Status 202 with no content while it is being made, 404 when there is none (any more), or when it could not be made; downloadReportPDF says why.',
    audience: 'key or session',
    response: { mediaType: 'application/pdf', schema: document({ description: 'A PDF.' }) },
    errors: ['NO_SUCH_REPORT', 'INVALID_KEY', 'SESSION_EXPIRED', 'KEY_NOT_ALLOWED'],
  },
  {
    method: 'GET',
    path: '/api/blocklist',
    summary: 'Who is blocked, for gateways',
    description:
      'One address per line, sorted; ?format=nginx, envoy, kong or json returns it in that format. json also contains actors that are not addresses, and addresses of trusted proxies, which all other formats omit. Returns 304 without content while the list matches If-None-Match.',
    audience: 'key or session',
    response: { mediaType: 'text/plain', schema: document({ description: 'The list.' }) },
    errors: ['INVALID_FIELD', 'INVALID_KEY', 'SESSION_EXPIRED', 'KEY_NOT_ALLOWED'],
    headers: { etag: 'Changes with the list.' },
  },
  {
    method: 'GET',
    path: changesPath,
    summary: 'What changes, as it changes',
    description: `Server-sent events until the caller ends them, its rights end or the server stops. The event ready comes once changes are watched; each event changed has JSON with topics (${changeTopics.join(', ')}), at most one every two seconds, of what the caller may see. A comment comes every ${changeHeartbeatSeconds} seconds. Changes while there is no stream are not told later: read again after reconnecting.`,
    audience: 'key or session',
    response: { mediaType: 'text/event-stream', schema: document({ description: 'Events.' }) },
    errors: ['TOO_MANY_REQUESTS', 'OVERLOADED', 'INVALID_KEY', 'SESSION_EXPIRED', 'KEY_NOT_ALLOWED'],
  },
  {
    method: 'GET',
    path: '/dashboard/openapi.json',
    summary: 'The OpenAPI document, for links in the dashboard',
    description: 'As /openapi.json, for the cookie of a signed-in browser.',
    audience: 'refresh cookie',
    response: openApi,
    errors: ['SESSION_EXPIRED'],
  },
  {
    method: 'GET',
    path: '/dashboard/reference',
    summary: 'The reference page, for links in the dashboard',
    description: 'As /reference, for the cookie of a signed-in browser.',
    audience: 'refresh cookie',
    response: { mediaType: 'text/html', schema: page },
    errors: ['SESSION_EXPIRED'],
  },
]
