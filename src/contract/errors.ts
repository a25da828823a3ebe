import { accountErrors } from './errors/account.ts'
import { alertErrors } from './errors/alerts.ts'
import { collectionErrors } from './errors/collections.ts'
import { commonErrors } from './errors/common.ts'
import { crawlerErrors } from './errors/crawler.ts'
import { helperErrors } from './errors/helpers.ts'
import { importErrors } from './errors/imports.ts'
import { issueErrors } from './errors/issues.ts'
import type { ErrorRow } from './errors/row.ts'
import { startErrors } from './errors/start.ts'
import { testRunErrors } from './errors/test-runs.ts'
import { threatErrors } from './errors/threat.ts'

export type { ErrorRow } from './errors/row.ts'

/** The parts of the error table by the group that owns them, in the order of docs/errors.md. */
export const errorGroups = {
  'Every operation': commonErrors,
  'Collections and endpoints': collectionErrors,
  'Imports and live traffic': importErrors,
  'Test runs': testRunErrors,
  'Issues and results': issueErrors,
  'Threat detection': threatErrors,
  Crawler: crawlerErrors,
  'Burp and recorded-flow helpers': helperErrors,
  'Account, users and keys': accountErrors,
  'Alerts and tickets': alertErrors,
  'Start and command line': startErrors,
} as const

/** Every error the product gives on purpose: code → status, sentence, remedy. */
export const errorTable = {
  ...commonErrors,
  ...collectionErrors,
  ...importErrors,
  ...testRunErrors,
  ...issueErrors,
  ...threatErrors,
  ...crawlerErrors,
  ...helperErrors,
  ...accountErrors,
  ...alertErrors,
  ...startErrors,
} as const

/** Code of a row of {@link errorTable}. */
export type ErrorCode = keyof typeof errorTable

/** The row of a code, or undefined when the table has none. */
export function errorRow(code: string): ErrorRow | undefined {
  return Object.hasOwn(errorTable, code) ? errorTable[code as ErrorCode] : undefined
}
