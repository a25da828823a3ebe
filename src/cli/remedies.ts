import { errorRow } from '../contract/errors.ts'

const NEW_KEY =
  'make one with "vigil key create" on the machine of the server, and pass it with --key or VIGIL_API_KEY'

/** Where the remedy of the error table is for a page or for a program that calls operations. */
const AT_A_TERMINAL: Readonly<Record<string, string>> = {
  INVALID_KEY: `Check the key, or ${NEW_KEY}.`,
  KEY_EXPIRED: `The key cannot be renewed: ${NEW_KEY}.`,
  KEY_NOT_ALLOWED: `The command needs a key of kind EXTERNAL_API: ${NEW_KEY}.`,
  NO_SUCH_KEY: '"vigil key list" shows the ids of all keys.',
  USER_EXISTS: '"vigil user reset-password" sets a new password for the account.',
  NO_SUCH_USER: 'Check the address; administrators see all accounts in the dashboard, under Settings, Team.',
  SECOND_FACTOR_OFF: 'There is nothing to turn off: the account signs in with its password only.',
  INVALID_EMAIL: 'Name an address such as name@example.org.',
  IMPORT_EMPTY: 'Name a file that holds a recording or an API description.',
  UNKNOWN_FORMAT: 'Convert the file to one of these formats; docs/guides/import-files.md describes each.',
  BODY_TOO_LARGE:
    'Split the file, or raise VIGIL_MAX_BODY_BYTES of the server, for imports VIGIL_MAX_IMPORT_BYTES.',
  INVALID_TEST_RESULT_ID: 'Name the id at the end of the address of a result in the dashboard.',
}

/** What a person at a terminal does about a failure with this code; null where nothing is known. */
export function remedyFor(code: string | null): string | null {
  if (code === null) return null
  return AT_A_TERMINAL[code] ?? errorRow(code)?.remedy ?? null
}
