import { readStoreFailure } from '../app/store-failure.ts'
import { describeFailure } from '../contract/describe-failure.ts'
import { errorRow } from '../contract/errors.ts'
import { Failure } from '../kit/index.ts'
import { exitCodes } from './exit-codes.ts'
import { systemErrors } from './file-reason.ts'
import { remedyFor } from './remedies.ts'
import { terminalText } from './terminal-text.ts'

const MISUSE = new Set(['INVALID_SETTINGS', 'BAD_COMMAND'])

/** The sentence for an error of the system about a file or an address; null for any other error. */
function systemSentence(error: unknown): string | null {
  const {
    code = '',
    path,
    dest,
    address,
    port,
  } = error as NodeJS.ErrnoException & {
    dest?: string
    address?: string
    port?: number
  }
  const words = systemErrors[code]
  const what = dest ?? path ?? (address === undefined ? undefined : `${address}:${port}`)
  return words === undefined || what === undefined ? null : `${what}: ${words}`
}

/**
 * Says on standard error what failed and what to do, and gives the exit code that fits.
 *
 * @param command its name, for the help that is referred to
 */
export function explainFailure(thrown: unknown, command = '<command>'): number {
  const error = readStoreFailure(thrown)
  const row = error instanceof Failure ? errorRow(error.code) : undefined
  if (!(error instanceof Failure) || row === undefined) {
    const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) }
    process.stderr.write(`vigil: ${terminalText(systemSentence(error) ?? `${name}: ${message}`)}\n`)
    return exitCodes.failed
  }
  const messages = describeFailure(error).messages.map(terminalText)
  const remedy = remedyFor(error.code)?.replace('<command>', command)
  process.stderr.write(`vigil: ${messages.join('\n')}\n${remedy}\n`)
  if (MISUSE.has(error.code)) return exitCodes.misused
  if (error.code === 'DATA_FOLDER_IN_USE') return exitCodes.inUse
  return error.code === 'STORE_IS_NEWER' ? exitCodes.newerStore : exitCodes.failed
}
