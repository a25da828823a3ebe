import { errorRows } from './row.ts'

/** Errors of sign-in, users, roles and keys. */
export const accountErrors = errorRows({
  WRONG_CREDENTIALS: {
    status: 401,
    message: 'Wrong e-mail or password',
    remedy: 'Check both. After 10 failures within an hour, wait as long as Retry-After says.',
  },
  NO_PASSWORD: {
    status: 422,
    message: 'This account has no password: it signs in with a provider',
    remedy: 'Change the password and set up a second factor at the provider.',
  },
  CODE_REQUIRED: {
    status: 401,
    message: 'A code is required: this account signs in with a second step',
    remedy: 'Send code: what the authenticator app shows now, or a recovery code.',
  },
  WRONG_CODE: {
    status: 401,
    message: 'Wrong code, or one that was used already',
    remedy:
      'Enter the code that the app shows now; check the clock of the device. A recovery code works once.',
  },
  SECOND_FACTOR_ON: {
    status: 422,
    message: 'Two-step sign-in is on already',
    remedy: 'Turn it off first to set up another app.',
  },
  SECOND_FACTOR_OFF: {
    status: 422,
    message: 'Two-step sign-in is off',
    remedy: 'Set up an authenticator app first.',
  },
  INVALID_EMAIL: {
    status: 422,
    message: 'Invalid e-mail address',
    remedy: 'Send an address like name@example.org.',
  },
  WEAK_PASSWORD: {
    status: 422,
    message: '{reason}',
    remedy:
      'Choose a password of 12 to 128 characters that is not a common one, a pattern or your e-mail address.',
  },
  SETUP_CODE_REQUIRED: {
    status: 422,
    message:
      'The first sign-up needs the set-up code. The server printed it, or the name of the file that holds it, when it started',
    remedy: 'Send setupCode, or run: vigil user create.',
  },
  WRONG_SETUP_CODE: {
    status: 422,
    message:
      'Wrong set-up code. The server printed it, or the name of the file that holds it, when it started',
    remedy: 'Take the code from the output or the file of the server that runs now.',
  },
  INVITATION_REQUIRED: {
    status: 422,
    message: 'An invitation is required',
    remedy: 'Ask an administrator for an invitation; only the first user signs up without one.',
  },
  INVALID_INVITATION: {
    status: 422,
    message: 'Invalid or expired invitation',
    remedy: 'Ask an administrator for a new invitation for this address.',
  },
  USER_EXISTS: {
    status: 422,
    message: 'This user already exists',
    remedy: 'Sign in instead.',
  },
  NO_SUCH_USER: {
    status: 422,
    message: 'No such user exists',
    remedy: 'Load the list of users again: the user may have been removed.',
  },
  LAST_ADMIN: {
    status: 422,
    message: 'At least one administrator must remain',
    remedy: 'Make another user an administrator first.',
  },
  OWN_ACCOUNT: {
    status: 422,
    message: 'You cannot do this to your own account',
    remedy: 'Ask another administrator.',
  },
  PASSWORD_SIGN_IN_OFF: {
    status: 403,
    message: 'Sign-in with a password is switched off',
    remedy: 'Sign in with the button on the sign-in page. An operator can set VIGIL_PASSWORD_SIGN_IN=true.',
  },
  MAIL_OFF: {
    status: 404,
    message: 'This server sends no mail',
    remedy:
      'Ask the person who runs the server for a new password: vigil user password. An operator can set VIGIL_SMTP_URL.',
  },
  MAIL_NOT_SENT: {
    status: 502,
    message: 'The mail server refused the message: {reason}',
    remedy: 'Check VIGIL_SMTP_URL and VIGIL_MAIL_FROM.',
  },
  INVALID_RESET_CODE: {
    status: 422,
    message: 'Invalid or expired link. Ask for a new one on the sign-in page',
    remedy: 'Ask for a new one on the sign-in page; it works for one hour, once.',
  },
  OIDC_OFF: {
    status: 404,
    message: 'Sign-in with OpenID Connect is not set up',
    remedy: 'Set VIGIL_OIDC_ISSUER and VIGIL_OIDC_CLIENT_ID and start again.',
  },
  OIDC_UNREACHABLE: {
    status: 502,
    message: 'The sign-in provider cannot be used: {reason}',
    remedy: 'Check VIGIL_OIDC_ISSUER and whether this server reaches the provider, then try again.',
  },
  OIDC_EXPIRED: {
    status: 422,
    message: 'This sign-in took too long or was started in another browser',
    remedy: 'Start again from the sign-in page, and complete it within ten minutes.',
  },
  OIDC_REFUSED: {
    status: 422,
    message: 'The sign-in provider refused: {reason}',
    remedy:
      'Try again. If it stays so, compare client id, client secret and redirect URI with those at the provider.',
  },
  OIDC_NO_EMAIL: {
    status: 422,
    message: 'The sign-in provider sent no verified e-mail address',
    remedy:
      'Verify the address at the provider. An operator can add the scope email (VIGIL_OIDC_SCOPES), or set VIGIL_OIDC_TRUST_EMAIL.',
  },
  OIDC_NO_ROLE: {
    status: 403,
    message: 'Your account at the sign-in provider gives no access to this installation',
    remedy: 'Ask an administrator for an invitation, or for a group that VIGIL_OIDC_ROLES names.',
  },
  OIDC_NO_ADMIN: {
    status: 403,
    message: 'The first account of an installation must be an administrator',
    remedy:
      'Sign in with an account that VIGIL_OIDC_ROLES makes ADMIN, or create an administrator: vigil user create.',
  },
  OIDC_OTHER_IDENTITY: {
    status: 403,
    message: 'The account with this e-mail address belongs to another identity at the sign-in provider',
    remedy: 'Ask an administrator to remove the account, then sign in again.',
  },
  NO_SUCH_KEY: {
    status: 422,
    message: 'No such API key exists',
    remedy: 'Load the list of API keys again: the key may have been revoked.',
  },
  KEPT_TOO_LONG: {
    status: 422,
    message: '{kind} can be kept for at most {most} {unit}',
    remedy: 'Send a shorter time, or 0 to keep it forever.',
  },
  TOO_MANY_KEYS: {
    status: 422,
    message: 'A user can have at most {limit} API keys',
    remedy: 'Delete a key first.',
  },
})
