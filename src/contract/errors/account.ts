import { errorRows } from './row.ts'

/** Errors of sign-in, users, roles and keys. */
export const accountErrors = errorRows({
  WRONG_CREDENTIALS: {
    status: 401,
    message: 'Wrong e-mail or password',
    cure: 'Check both; after 10 failures in an hour the address must wait.',
  },
  INVALID_EMAIL: {
    status: 422,
    message: 'Invalid e-mail address',
    cure: 'Send an address like name@example.org.',
  },
  WEAK_PASSWORD: {
    status: 422,
    message: 'Passwords need 8 to 39 characters with letters and digits',
    cure: 'Choose another password.',
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
    cure: 'Take the user from getTeamData.',
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
    cure: 'Take the id from fetchApiTokens.',
  },
  TOO_MANY_KEYS: {
    status: 422,
    message: 'A user holds at most {limit} API keys',
    cure: 'Delete a key first.',
  },
})
