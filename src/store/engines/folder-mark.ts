import { statSync } from 'node:fs'
import { join } from 'node:path'

/** A file that the engine never writes anew: as long as it is the same one, the folder is. */
const MARK = 'PG_VERSION'

/** What tells one database folder from another in its place; undefined when there is none. */
export function folderMark(folder: string): number | undefined {
  return statSync(join(folder, MARK), { throwIfNoEntry: false })?.ino
}
