import { group, none, operation, root } from '../operation.ts'
import { required } from '../request-field.ts'
import { flag, list, model, password, text } from '../schema.ts'

const shared = {
  inSpecification: false,
  specified: 'open',
  note: 'Not an operation of the specification.',
  role: 'GUEST',
  access: 'write',
  sessionOnly: true,
  idempotent: false,
} as const

/** One-time codes as a second factor of sign-in, by their wire names. */
export const secondFactorOperations = group('account', {
  fetchSecondFactor: operation({
    ...shared,
    access: 'read',
    idempotent: true,
    summary: 'Tells whether the caller signs in with a second factor',
    description: 'It is asked for after the password; sign-in with a provider is guarded by the provider.',
    request: {},
    answer: root(
      model('SecondFactor', 'Whether a second factor is asked for.', {
        isOn: flag(),
        isAvailable: flag({
          description:
            'Whether the caller signs in with a password here: people who sign in with a provider only are asked for a second factor there.',
        }),
      }),
    ),
    errors: [],
    example: { request: {}, response: { isOn: false, isAvailable: true } },
  }),

  beginSecondFactor: operation({
    ...shared,
    summary: 'Makes the secret of an authenticator app',
    description:
      'The secret is shown once. It is asked for at sign-in after enableSecondFactor; until then each call replaces it.',
    request: {
      currentPassword: required(password({ maxLength: 1000 }), 'Proves that the person is there.'),
    },
    answer: root(
      model('NewSecondFactor', 'What an authenticator app takes.', {
        secret: text({ description: 'Base32, to be typed.' }),
        uri: text({ description: 'otpauth URI, to be shown as a QR code.' }),
      }),
    ),
    errors: ['WRONG_CREDENTIALS', 'NO_PASSWORD', 'SECOND_FACTOR_ON'],
    example: {
      request: { currentPassword: 'example passphrase 1' },
      response: {
        secret: 'JBSWY3DPEHPK3PXP',
        uri: 'otpauth://totp/Vigil:ada%40example.org?issuer=Vigil&secret=JBSWY3DPEHPK3PXP',
      },
    },
  }),

  enableSecondFactor: operation({
    ...shared,
    summary: 'Asks for one-time codes at sign-in from now on',
    description:
      'A code of the app proves that it has the secret. Each recovery code works once in place of a code. Ends every other session of the caller.',
    request: { code: required(text({ maxLength: 20 }), 'The code that the app shows.') },
    answer: root(
      model('EnabledSecondFactor', 'The second factor is asked for.', {
        recoveryCodes: list(text(), { description: 'Shown once.' }),
      }),
    ),
    errors: ['SECOND_FACTOR_ON', 'SECOND_FACTOR_OFF', 'WRONG_CODE'],
    example: { request: { code: '123456' }, response: { recoveryCodes: ['0123456789abcdef'] } },
  }),

  disableSecondFactor: operation({
    ...shared,
    summary: 'No longer asks for one-time codes at sign-in',
    description: 'Needs a code of the app, or a recovery code.',
    request: { code: required(text({ maxLength: 40 }), 'A code of the app, or a recovery code.') },
    answer: none,
    errors: ['SECOND_FACTOR_OFF', 'CODE_REQUIRED', 'WRONG_CODE'],
    example: { request: { code: '123456' } },
  }),

  resetSecondFactor: operation({
    ...shared,
    role: 'ADMIN',
    idempotent: true,
    summary: 'Takes the second factor of a person away',
    description:
      'For people who lost their app and their recovery codes. They sign in with only the password.',
    request: { email: required(text({ maxLength: 300 }), 'The person.') },
    answer: none,
    errors: ['NO_SUCH_USER', 'SECOND_FACTOR_OFF'],
    example: { request: { email: 'ada@example.org' } },
  }),
})
