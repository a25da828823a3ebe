import { existsSync } from 'node:fs'
import { Failure } from '../../kit/index.ts'

/** @throws Failure BAD_COMMAND unless there is at least one path and each exists */
export function requirePaths(paths: readonly string[]): void {
  if (paths.length === 0) throw new Failure('BAD_COMMAND', { reason: '<file> is missing' })
  const absent = paths.find((path) => !existsSync(path))
  if (absent !== undefined)
    throw new Failure('BAD_COMMAND', { reason: `there is no file or folder ${absent}` })
}
