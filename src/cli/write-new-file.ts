import { writeFileSync } from 'node:fs'
import { Failure } from '../kit/index.ts'
import { fileReason } from './file-reason.ts'

const OWNER_ONLY = 0o600

/**
 * Writes a file that must not exist yet, for its owner only.
 *
 * @throws Failure BAD_COMMAND that names --out
 */
export function writeNewFile(path: string, content: string | Uint8Array): void {
  try {
    writeFileSync(path, content, { flag: 'wx', mode: OWNER_ONLY })
  } catch (error) {
    const reason = `--out: ${path} cannot be written: ${fileReason(error)}`
    throw new Failure('BAD_COMMAND', { reason }, { cause: error })
  }
}
