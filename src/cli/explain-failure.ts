import { readStoreFailure } from '../app/index.ts'
import { describeFailure, errorRow } from '../contract/index.ts'
import { Failure } from '../kit/index.ts'
import { exitCodes } from './exit-codes.ts'

const MISUSE = new Set(['INVALID_SETTINGS', 'BAD_COMMAND'])

/** Says on standard error what failed and what to do, and gives the exit code that fits. */
export function explainFailure(thrown: unknown): number {
  const error = readStoreFailure(thrown)
  const row = error instanceof Failure ? errorRow(error.code) : undefined
  if (!(error instanceof Failure) || row === undefined) {
    const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) }
    process.stderr.write(`vigil: ${name}: ${message}\n`)
    return exitCodes.failed
  }
  process.stderr.write(`vigil: ${describeFailure(error).messages.join('\n')}\n${row.remedy}\n`)
  if (MISUSE.has(error.code)) return exitCodes.misused
  if (error.code === 'DATA_FOLDER_IN_USE') return exitCodes.inUse
  return error.code === 'STORE_IS_NEWER' ? exitCodes.newerStore : exitCodes.failed
}
