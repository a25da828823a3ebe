import { execFile } from 'node:child_process'
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import pg from 'pg'
import { Failure, siblingModule } from '../../kit/index.ts'
import { databaseFolder } from '../backup/backup-file.ts'
import { lockFolder } from './folder-lock.ts'
import { folderMark } from './folder-mark.ts'
import { PortStream } from './port-stream.ts'

const runProgram = promisify(execFile)
/** Beside the database's place; the holder of the folder's lock removes what a killed start left. */
const DRAFT_PREFIX = `${databaseFolder}.new-`
const LOOK_AT_FOLDER_MS = 1_000

/** Gives one new connection to the embedded engine; can be handed to another thread. */
export type EmbeddedConnector = () => MessagePort

/** The embedded engine of this process: PostgreSQL compiled to WebAssembly, in a thread of its own. */
export interface EmbeddedEngine {
  /** A new connection port, for a pool in this thread or, transferred, in another. */
  connect: EmbeddedConnector
  /**
   * Copies the database folder between two transactions; statements wait meanwhile.
   *
   * @throws Failure SNAPSHOT_FAILED
   */
  copyTo(folder: string): Promise<void>
  /** Closes the database and gives the folder back. */
  close(): Promise<void>
}

/**
 * Opens the embedded engine on a folder (created when absent), or in memory when `dataDir` is undefined (tests).
 * It survives the death of the process, not of the machine: it never calls fsync.
 *
 * @param onDeath called when the engine's thread dies unasked, with Failure DATA_FOLDER_GONE when the folder was deleted,
 *   moved or replaced; the process cannot go on
 * @throws Failure DATA_FOLDER_IN_USE when another process holds the folder
 */
export async function openEmbedded(
  dataDir: string | undefined,
  onDeath: (error: Error) => void,
): Promise<EmbeddedEngine> {
  const unlock = dataDir === undefined ? () => {} : lockFolder(dataDir)
  const folder = dataDir === undefined ? undefined : join(dataDir, databaseFolder)
  if (folder !== undefined) {
    await makeDatabase(folder).catch((error: unknown) => {
      unlock()
      throw new Failure('DATABASE_CANNOT_OPEN', { reason: (error as Error).message }, { cause: error })
    })
  }
  const mark = folder === undefined ? undefined : folderMark(folder)
  const worker = new Worker(siblingModule(import.meta.url, './embedded-worker'), {
    workerData: { dataDir: folder, mark },
    // Its own objects are few and short-lived: a small nursery keeps what it holds on to small.
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  })
  let closing: Promise<void> | null = null
  let hasEnded = false
  worker.once('exit', () => {
    hasEnded = true
  })
  try {
    await new Promise<void>((resolve, reject) => {
      worker.once('message', () => resolve())
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error('the embedded database ended while opening')))
    })
  } catch (error) {
    unlock()
    throw new Failure('DATABASE_CANNOT_OPEN', { reason: (error as Error).message }, { cause: error })
  }
  let isGone = false
  worker.on('message', (message: { gone?: true }) => {
    isGone ||= message.gone === true
  })
  worker.on('error', (error) => {
    if (!closing) onDeath(error as Error)
  })
  // Without its files the engine may go round in circles, from which its thread does not come back to tell.
  const watch = setInterval(() => {
    if (folder === undefined || folderMark(folder) === mark) return
    isGone = true
    void worker.terminate()
  }, LOOK_AT_FOLDER_MS).unref()
  worker.once('exit', () => {
    clearInterval(watch)
    if (isGone && !closing) onDeath(new Failure('DATA_FOLDER_GONE', { folder: dataDir! }))
  })
  let lastCopy = 0
  return {
    async copyTo(folder) {
      const id = ++lastCopy
      const reason = await new Promise<string | undefined>((resolve) => {
        const finish = (why: string | undefined): void => {
          worker.off('message', listen).off('exit', onExit)
          resolve(why)
        }
        const listen = (message: { snapshot?: number; reason?: string }): void => {
          if (message.snapshot === id) finish(message.reason)
        }
        const onExit = (): void => finish('the embedded database ended')
        worker.on('message', listen).on('exit', onExit)
        worker.postMessage({ snapshot: { id, folder } })
      })
      if (reason !== undefined) throw new Failure('SNAPSHOT_FAILED', { reason })
    },
    connect() {
      const { port1, port2 } = new MessageChannel()
      worker.postMessage({ connect: port2 }, [port2])
      return port1
    },
    close() {
      closing ??= (hasEnded ? Promise.resolve() : endWorker(worker)).finally(unlock)
      return closing
    },
  }
}

function endWorker(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    worker.once('exit', () => resolve())
    worker.postMessage({ close: true })
  })
}

/** Makes the folder of a new database beside its place and moves it there, so that a kill leaves no half of one. */
async function makeDatabase(folder: string): Promise<void> {
  if (existsSync(folder)) return
  const drafts = dirname(folder)
  for (const name of readdirSync(drafts)) {
    if (name.startsWith(DRAFT_PREFIX)) rmSync(join(drafts, name), { recursive: true, force: true })
  }
  const draft = join(drafts, `${DRAFT_PREFIX}${process.pid}`)
  const program = fileURLToPath(siblingModule(import.meta.url, './make-database'))
  await runProgram(process.execPath, [program, draft])
  renameSync(draft, folder)
}

/** A pool whose connections are ports of the embedded engine. */
export function embeddedPool(connect: EmbeddedConnector, size: number): pg.Pool {
  return new pg.Pool({
    user: 'postgres',
    database: 'postgres',
    max: size,
    // A port that was given up cannot be had again from another thread: connections stay for good.
    idleTimeoutMillis: 0,
    ssl: false,
    stream: () => new PortStream(connect()) as never,
  } as pg.PoolConfig)
}
