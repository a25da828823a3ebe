import { closeSync, openSync, readSync } from 'node:fs'
import { Failure } from '../kit/index.ts'
import { fileReason } from './file-reason.ts'

const MIB = 1024 * 1024
/** More than anybody writes by hand, and read in a moment. */
const MAX_BYTES = 16 * MIB
const CHUNK = 64 * 1024

/**
 * Reads a text file, or what a pipe gives.
 *
 * @param bad makes the failure of a file that cannot be read, or is too large
 * @param maxBytes how much of it is read at most
 */
export function readTextFile(path: string, bad: (reason: string) => Failure, maxBytes = MAX_BYTES): string {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const parts: Buffer[] = []
    let size = 0
    for (;;) {
      const part = Buffer.allocUnsafe(CHUNK)
      const read = readSync(file, part)
      if (read === 0) return Buffer.concat(parts).toString()
      size += read
      if (size > maxBytes) throw bad(`it is larger than ${maxBytes / MIB} MiB`)
      // A pipe gives a little at a time, which does not need a whole buffer.
      parts.push(read < CHUNK ? Buffer.from(part.subarray(0, read)) : part)
    }
  } catch (error) {
    throw error instanceof Failure ? error : bad(fileReason(error))
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
