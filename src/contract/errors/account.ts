import { errorRows } from './row.ts'

/** Errors of sign-in, users, roles and keys. */
export const accountErrors = errorRows({
  WRONG_CREDENTIALS: {
    status: 401,
    message: 'Wrong e-mail or password',
    cure: 'Check both. After 10 failures within an hour, wait as long as Retry-After says.',
  },
  INVALID_EMAIL: {
    status: 422,
    message: 'Invalid e-mail address',
    cure: 'Send an address like name@example.org.',
  },
  WEAK_PASSWORD: {
    status: 422,
    message: '{reason}',
    cure: 'Choose a password of 12 to 128 characters that is not a common one, a pattern or your e-mail address.',
  },
  SETUP_CODE_REQUIRED: {
    status: 422,
    message:
      'The first sign-up needs the set-up code. The server printed it, or the name of the file that holds it, when it started',
    cure: 'Send setupCode, or run: vigil user create.',
  },
  WRONG_SETUP_CODE: {
    status: 422,
    message:
      'Wrong set-up code. The server printed it, or the name of the file that holds it, when it started',
    cure: 'Take the code from the output or the file of the server that runs now.',
  },
  INVITATION_REQUIRED: {
    status: 422,
    message: 'An invitation is required',
    cure: 'Ask an administrator for an invitation; only the first user signs up without one.',
  },
  INVALID_INVITATION: {
    status: 422,
    message: 'Invalid or expired invitation',
    cure: 'Ask an administrator for a new invitation for this address.',
  },
  USER_EXISTS: {
    status: 422,
    message: 'This user already exists',
    cure: 'Sign in instead.',
  },
  NO_SUCH_USER: {
    status: 422,
    message: 'No such user exists',
    cure: 'Send a user that getTeamData lists.',
  },
  LAST_ADMIN: {
    status: 422,
    message: 'At least one administrator must remain',
    cure: 'Make another user an administrator first.',
  },
  OWN_ACCOUNT: {
    status: 422,
    message: 'You cannot do this to your own account',
    cure: 'Ask another administrator.',
  },
  NO_SUCH_KEY: {
    status: 422,
    message: 'No such API key exists',
    cure: 'Send an id that fetchApiTokens lists.',
  },
  TOO_MANY_KEYS: {
    status: 422,
    message: 'A user can have at most {limit} API keys',
    cure: 'Delete a key first.',
  },
})
