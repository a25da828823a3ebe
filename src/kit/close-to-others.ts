import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const OTHERS = 0o077

/** Takes the rights of other users away from a file or folder (CWE-276). */
export function closeToOthers(path: string, mode = lstatSync(path).mode): void {
  if ((mode & OTHERS) !== 0) chmodSync(path, mode & 0o700)
}

/** Takes the rights of other users away from a folder and all in it; does not follow links. A path that is gone is passed over. */
export function closeTreeToOthers(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined || found.isSymbolicLink()) return
  closeToOthers(path, found.mode)
  if (found.isDirectory()) for (const name of readdirSync(path)) closeTreeToOthers(join(path, name))
}
