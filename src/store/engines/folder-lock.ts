import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../kit/index.ts'

const LOCK_FILE = 'vigil.lock'
const ATTEMPTS = 5

/** What Linux tells of a process behind its name (proc(5), from `state` on); [] where that cannot be read. */
function statOf(pid: number): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return [] // no /proc on this system: the pid alone decides
  }
}

const STATE = 0
const THREADS = 17
const START = 19

/** Start time of a process in clock ticks since boot, or '' where that cannot be read. */
function processStart(pid: number): string {
  return statOf(pid)[START] ?? ''
}

function isAlive(pid: number, start: string): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  const stat = statOf(pid)
  // Dead, and not waited for by its parent yet. With threads left it is still about to die.
  if (stat[STATE] === 'Z' && Number(stat[THREADS]) <= 1) return false
  const now = stat[START] ?? ''
  return start === '' || now === '' || now === start
}

/**
 * Takes the data folder for this process only. The embedded engine has no lock, and two processes on
 * one folder lose rows, so this must come before it opens. A lock left behind by a killed process is taken over.
 *
 * @returns a function that gives the folder back
 * @throws Failure DATA_FOLDER_IN_USE when a living process holds it
 */
export function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, LOCK_FILE)
  const own = JSON.stringify({ pid: process.pid, start: processStart(process.pid) })
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      writeFileSync(path, own, { flag: 'wx' })
      return () => {
        // The folder may have been replaced by one that another process holds.
        if (readHolder(path)?.pid === process.pid) rmSync(path, { force: true })
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const holder = readHolder(path)
    if (holder && isAlive(holder.pid, holder.start)) {
      throw new Failure('DATA_FOLDER_IN_USE', { folder, pid: holder.pid })
    }
    // Rename is atomic: of two processes that find the same dead holder, one wins and the other tries again.
    try {
      renameSync(path, `${path}.${process.pid}.stale`)
      rmSync(`${path}.${process.pid}.stale`, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  throw new Failure('DATA_FOLDER_IN_USE', { folder, pid: 0 })
}

/** Id of the living process that holds the folder, or null. */
export function folderHolder(folder: string): number | null {
  const holder = readHolder(join(folder, LOCK_FILE))
  return holder && isAlive(holder.pid, holder.start) ? holder.pid : null
}

function readHolder(path: string): { pid: number; start: string } | null {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'))
    const { pid, start } = parsed as { pid?: unknown; start?: unknown }
    return typeof pid === 'number' && typeof start === 'string' ? { pid, start } : null
  } catch {
    return null // torn by a kill between creation and write: nobody holds it
  }
}
