import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Where directories cannot be opened (Windows), their entries are durable without. */
const canSyncFolders = process.platform !== 'win32'

/** Makes what a folder lists (names that were created, renamed or removed) survive a power failure. */
export function syncFolder(folder: string): void {
  if (canSyncFolders) syncPath(folder)
}

/** Makes a folder with everything in it survive a power failure; symbolic links are not followed. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) syncTree(path)
    else if (entry.isFile()) syncPath(path)
  }
  syncFolder(folder)
}

/**
 * Writes a file that is whole or not there, also after a power failure: it is written beside, synced and renamed.
 *
 * @param mode permission bits, whatever the process's umask is set to take away
 */
export function writeFileDurably(path: string, text: string, mode: number): void {
  const draft = `${path}.new`
  // A draft that a killed process left may be a link to somewhere else, or have another mode.
  rmSync(draft, { force: true })
  const fd = openSync(draft, 'wx', mode)
  try {
    writeSync(fd, text)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  renameDurably(draft, path)
}

/** Renames within one file system; the new name survives a power failure once this returns. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to)
  syncFolder(dirname(to))
}

function syncPath(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
