import { execFile } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { MessagePort } from 'node:worker_threads'
import { closeTreeToOthers, Failure, renameDurably, siblingModule, syncTree } from '../../kit/index.ts'
import { databaseFolder } from '../backup/backup-file.ts'
import type { EmbeddedConnector } from './embedded-pool.ts'
import { lockFolder } from './folder-lock.ts'
import { Supervisor } from './supervisor.ts'

const runProgram = promisify(execFile)
/** Beside the database's place; the holder of the folder's lock removes what a killed start left. */
const DRAFT_PREFIX = `${databaseFolder}.new-`

/** The embedded engine of this process: PostgreSQL compiled to WebAssembly, in a separate thread. */
export interface EmbeddedEngine {
  /** A new connection, for a pool in this thread. It closes when the engine stops; a new one leads to the next engine. */
  connect: EmbeddedConnector
  /** A port, to be transferred to another thread, through which `connectThrough` makes connections there. */
  gate(): MessagePort
  /** Whether writes are refused because the disk has no room. */
  isFull(): boolean
  /** Runs work whose statements may take longer than the limit. */
  patiently<T>(work: () => Promise<T>): Promise<T>
  /**
   * Copies the database folder between two transactions; statements wait meanwhile.
   *
   * @throws Failure SNAPSHOT_FAILED
   */
  copyTo(folder: string): Promise<void>
  /** Closes the database, or ends it when it does not answer, and gives the folder back. */
  close(): Promise<void>
}

export interface EmbeddedOptions {
  /** Folder of the store, created when absent; undefined keeps it in memory (tests). */
  readonly dataDir: string | undefined
  /** Whether an answered commit survives the death of the machine too; without, of the process only. */
  readonly isDurable: boolean
  /** Longest time of a statement; the engine is ended and started again when one takes longer. */
  readonly statementMs: number
  /**
   * Called when the engine's thread died and none can take its place, with Failure DATA_FOLDER_GONE when the folder was
   * deleted, moved or replaced; the process cannot go on.
   */
  readonly onDeath: (error: Error) => void
  /** Called when the engine stopped and another one is started in its place. */
  readonly onError: (error: Error) => void
}

/**
 * Opens the embedded engine on a folder. An engine that stops (it could not write its log, or a statement did not end) is
 * replaced in place: its connections close, and the next engine recovers from the log.
 *
 * @throws Failure DATA_FOLDER_IN_USE when another process holds the folder
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedEngine> {
  const { dataDir, isDurable } = options
  const unlock = dataDir === undefined ? () => {} : lockFolder(dataDir)
  const folder = dataDir === undefined ? undefined : join(dataDir, databaseFolder)
  try {
    if (folder !== undefined) await makeDatabase(folder, isDurable)
    const engine = new Supervisor(options, folder)
    await engine.start()
    return {
      connect: () => engine.connect(),
      gate: () => engine.gate(),
      isFull: () => engine.isFull,
      patiently: (work) => engine.patiently(work),
      copyTo: (target) => engine.copyTo(target),
      close: () => engine.close().finally(unlock),
    }
  } catch (error) {
    unlock()
    throw new Failure('DATABASE_CANNOT_OPEN', { reason: (error as Error).message }, { cause: error })
  }
}

/** Makes the folder of a new database beside its place and moves it there, so that a kill leaves no half of one. */
async function makeDatabase(folder: string, isDurable: boolean): Promise<void> {
  if (existsSync(folder)) return
  const drafts = dirname(folder)
  for (const name of readdirSync(drafts)) {
    if (name.startsWith(DRAFT_PREFIX)) rmSync(join(drafts, name), { recursive: true, force: true })
  }
  const draft = join(drafts, `${DRAFT_PREFIX}${process.pid}`)
  const program = fileURLToPath(siblingModule(import.meta.url, './make-database'))
  await runProgram(process.execPath, [program, draft])
  // The engine's tools set no modes, and the umask of the process does not reach them.
  closeTreeToOthers(draft)
  if (isDurable) syncTree(draft)
  renameDurably(draft, folder)
}
