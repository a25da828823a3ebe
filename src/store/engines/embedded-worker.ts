import { constants, cpSync } from 'node:fs'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { answerOf } from './answer-of.ts'
import { EngineFiles, syncParameters } from './engine-files.ts'
import { folderMark } from './folder-mark.ts'
import { isIdleAfter, sayDiskFull, simpleQuery } from './protocol-text.ts'
import { SpaceGuard } from './space-guard.ts'

/**
 * Thread that owns the embedded database. Every connection of the process is a MessagePort that sends whole
 * protocol messages (up to Sync or Query) and receives the raw answer. The engine has one session, so while one
 * connection is inside a transaction the others wait.
 */
interface Order {
  connect?: MessagePort
  snapshot?: { id: number; folder: string }
  close?: true
}

interface Request {
  port: MessagePort
  bytes: Uint8Array
}

/** What the thread is started with. */
export interface EmbeddedWorkerData {
  readonly module: WebAssembly.Module
  readonly dataDir: string | undefined
  readonly mark: number | undefined
  readonly isDurable: boolean
  /** One number: since when (epoch milliseconds) the present statement runs, 0 when none does. */
  readonly runningSince: BigInt64Array
}

/** What the thread says. */
export interface EmbeddedWorkerMessage {
  ready?: true
  gone?: true
  closed?: true
  /** The engine stopped itself; the thread ends. */
  stopped?: string
  /** Whether writes are refused for lack of space, when that changes. */
  isLow?: boolean
  snapshot?: number
  reason?: string
}

const ROLLBACK = simpleQuery('ROLLBACK')
const CHECKPOINT = simpleQuery('CHECKPOINT')
const REFUSE_WRITES = simpleQuery('SET default_transaction_read_only = on')
const TAKE_WRITES = simpleQuery('SET default_transaction_read_only = off')
const REFUSE_FURTHER_WRITES = simpleQuery('SET TRANSACTION READ ONLY')
/** Status with which the engine's module leaves a statement that failed (PGlite's POSTGRES_MAIN_LONGJMP). */
const LONG_JUMP = 100
const REFILL_EVERY_MS = 5_000

const { module, dataDir, mark, isDurable, runningSince } = workerData as EmbeddedWorkerData
const guard = dataDir === undefined ? null : new SpaceGuard(dataDir)
/** The last words of the engine, for the error that ends it. */
let lastWords = ''
let isLow = false
/** The statement that runs has filled the disk: it is cancelled. */
let wasFilled = false
const database = await openEngine()
// Says what committed transactions changed, with the answer to the statement that committed.
await answerOf(database, simpleQuery('LISTEN vigil_news'))
const queue: Request[] = []
const snapshots: { id: number; folder: string }[] = []
let owner: MessagePort | null = null
let isRunning = false
if (guard !== null && isDurable) setInterval(() => void refill(guard), REFILL_EVERY_MS).unref()

function say(message: EmbeddedWorkerMessage): void {
  parentPort!.postMessage(message)
}

async function openEngine(): Promise<PGlite> {
  guard?.makeRoomForRecovery()
  // A quarter of the usual page cache: the rest of the process wants the memory more, and files are cached by the system.
  const startParams = [...syncParameters(PGlite.defaultStartParams, isDurable), '-c', 'shared_buffers=32MB']
  const onStderr = (line: string): boolean => {
    lastWords = line
    return true
  }
  if (dataDir === undefined) return PGlite.create({ startParams, pgliteWasmModule: module })
  const makeRoom = (): boolean => {
    wasFilled = true
    return guard!.release()
  }
  const care = { isDurable, makeRoom }
  const engine = await PGlite.create({
    fs: new EngineFiles(dataDir, care),
    startParams,
    pgliteWasmModule: module,
    onStderr,
  })
  endWithEngine(engine)
  return engine
}

/**
 * After a panic the engine's code cannot be run any more, but its loop would try for ever. The thread ends instead, so
 * that another one recovers from the log.
 */
function endWithEngine(engine: PGlite): void {
  const module = engine.Module as unknown as { _PostgresMainLoopOnce: () => void }
  const once = module._PostgresMainLoopOnce
  module._PostgresMainLoopOnce = () => {
    try {
      once()
    } catch (error) {
      // An ordinary error of a statement leaves the loop so, too.
      if ((error as { status?: unknown }).status === LONG_JUMP) throw error
      say({ stopped: lastWords || String((error as Error).message ?? error) })
      process.exit(1)
    }
  }
}

async function refill(space: SpaceGuard): Promise<void> {
  // A disk that filled up in between: the next round tries again.
  await space.refill().catch(() => {})
}

/**
 * Files that were removed stay open, so the engine would go on writing what nobody can read again. When the folder is
 * gone or another one, this thread ends, and the statement that has just been carried out is not answered.
 */
function checkFolder(): void {
  if (dataDir === undefined || folderMark(dataDir) === mark) return
  say({ gone: true })
  process.exit(1)
}

function takeNext(): Request | undefined {
  if (owner === null) return queue.shift()
  const index = queue.findIndex((request) => request.port === owner)
  return index < 0 ? undefined : queue.splice(index, 1)[0]
}

/** Refuses writes while there is no room for them; statements that only read are carried out. */
async function checkSpace(): Promise<void> {
  if (guard === null) return
  let low = guard.isLow()
  if (low && !isLow && owner === null) {
    // Gives back segments of the log that nobody needs.
    await answerOf(database, CHECKPOINT)
    low = guard.isLow()
  }
  if (low && owner !== null) await answerOf(database, REFUSE_FURTHER_WRITES)
  if (low === isLow || owner !== null) return
  await answerOf(database, low ? REFUSE_WRITES : TAKE_WRITES)
  isLow = low
  say({ isLow })
}

async function run(): Promise<void> {
  if (isRunning) return
  isRunning = true
  for (;;) {
    if (owner === null && snapshots.length > 0) await copyDatabase(snapshots.shift()!)
    const next = takeNext()
    if (!next) break
    Atomics.store(runningSince, 0, BigInt(Date.now()))
    await checkSpace()
    const answer = await answerOf(database, next.bytes)
    Atomics.store(runningSince, 0, 0n)
    owner = isIdleAfter(answer) ? null : next.port
    if (owner === null) checkFolder()
    if (isLow || wasFilled) sayDiskFull(answer)
    wasFilled = false
    next.port.postMessage(answer, [answer.buffer])
  }
  isRunning = false
}

/** Between two transactions, with everything on disk, the folder is consistent; nothing runs while it is copied. */
async function copyDatabase({ id, folder }: { id: number; folder: string }): Promise<void> {
  try {
    if (dataDir === undefined) throw new Error('the store is kept in memory')
    await answerOf(database, CHECKPOINT)
    cpSync(dataDir, folder, { recursive: true, mode: constants.COPYFILE_FICLONE })
    say({ snapshot: id })
  } catch (error) {
    say({ snapshot: id, reason: (error as Error).message })
  }
}

async function abandon(port: MessagePort): Promise<void> {
  for (let i = queue.length - 1; i >= 0; i--) if (queue[i]!.port === port) queue.splice(i, 1)
  if (owner !== port) return
  await answerOf(database, ROLLBACK)
  owner = null
  await run()
}

function fatal(error: unknown): void {
  // A failed engine cannot answer anyone: let the thread die so that the process notices.
  queueMicrotask(() => {
    throw error
  })
}

parentPort!.on('message', (message: Order) => {
  if (message.connect) {
    const port = message.connect
    port.on('message', (bytes: Uint8Array) => {
      queue.push({ port, bytes })
      run().catch(fatal)
    })
    port.on('close', () => abandon(port).catch(fatal))
  }
  if (message.snapshot) {
    snapshots.push(message.snapshot)
    run().catch(fatal)
  }
  if (message.close) {
    database
      .close()
      .then(() => {
        say({ closed: true })
        parentPort!.close()
      })
      .catch(fatal)
  }
})

say({ ready: true })
