import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { closeToOthers, closeTreeToOthers, Failure } from '../kit/index.ts'

const OWNER_ONLY = 0o700
const OTHERS_WRITE = 0o022
/** Names that Vigil makes in its folder; those of drafts begin with one of them. */
const OWN_NAMES =
  /^(database|instance\.key|vigil\.lock|server\.json|snapshots|blocklist|browser|crawls|restore\.partial|first-api-key|setup-code)/
/** What a file system or a desktop puts into an empty folder. */
const NEUTRAL_NAMES = /^(\..*|lost\+found)$/

/**
 * Makes the data folder, or checks the one that is there and takes the rights of other users away from what Vigil keeps
 * in it, also where a link leads to another disk.
 *
 * @throws Failure DATA_FOLDER_UNUSABLE, DATA_FOLDER_FOREIGN, DATA_FOLDER_OPEN
 */
export function prepareDataFolder(dataDir: string): void {
  const folder = resolve(dataDir)
  try {
    makeFolder(folder)
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new Failure('DATA_FOLDER_UNUSABLE', { folder, reason: (error as Error).message }, { cause: error })
  }
  // Rights of other users are not in the mode there.
  if (process.platform === 'win32') return
  const names = readdirSync(folder)
  const own = names.filter((name) => OWN_NAMES.test(name))
  const foreign = names.filter((name) => !NEUTRAL_NAMES.test(name))
  if (own.length === 0 && foreign.length > 0)
    throw new Failure('DATA_FOLDER_FOREIGN', { folder, names: foreign.slice(0, 3).join(', ') })
  const place = realpathSync(folder)
  const places = own.map((name) => placeOf(join(folder, name)))
  for (const path of [place, ...places]) refuseOpen(path)
  try {
    closeToOthers(place)
    for (const path of places) closeTreeToOthers(path)
  } catch (error) {
    throw new Failure('DATA_FOLDER_UNUSABLE', { folder, reason: (error as Error).message }, { cause: error })
  }
}

/**
 * Makes a folder and those above it. Not with the option `recursive` of mkdirSync, which never returns where the file
 * system answers ENOENT below a folder that exists, as /proc does.
 */
function makeFolder(folder: string): void {
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: OWNER_ONLY })
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST' && statSync(folder).isDirectory()
    if (!isThere) throw error
  }
}

/** Where a link leads, unless it leads nowhere. */
function placeOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : path
}

/** What others may write, they may have written: closing it now would come too late. */
function refuseOpen(path: string): void {
  const found = lstatSync(path)
  if (found.isDirectory() && (found.mode & OTHERS_WRITE) !== 0)
    throw new Failure('DATA_FOLDER_OPEN', { folder: path, mode: (found.mode & 0o777).toString(8) })
}
