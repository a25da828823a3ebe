import { constants, cpSync } from 'node:fs'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { folderMark } from './folder-mark.ts'

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

const READY_FOR_QUERY = 0x5a
const IDLE = 0x49
const ROLLBACK = simpleQuery('ROLLBACK')
const CHECKPOINT = simpleQuery('CHECKPOINT')

const { dataDir, mark } = workerData as { dataDir: string | undefined; mark: number | undefined }
// A quarter of the usual page cache: the rest of the process wants the memory more, and files are cached by the system.
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB']
const database = await PGlite.create(dataDir ? { dataDir, startParams } : { startParams })
const queue: Request[] = []
const snapshots: { id: number; folder: string }[] = []
let owner: MessagePort | null = null
let isRunning = false

function simpleQuery(text: string): Uint8Array {
  const body = Buffer.from(`${text}\0`)
  const message = Buffer.alloc(5 + body.length)
  message.write('Q', 0)
  message.writeUInt32BE(4 + body.length, 1)
  body.copy(message, 5)
  return message
}

/** Transaction status of the session after an answer: the last byte of the closing ReadyForQuery message. */
function isIdleAfter(answer: Uint8Array): boolean {
  const at = answer.length - 6
  return at < 0 || answer[at] !== READY_FOR_QUERY || answer[at + 5] === IDLE
}

/**
 * Files that were removed stay open, so the engine would go on writing what nobody can read again. When the folder is
 * gone or another one, this thread ends, and the statement that has just been carried out is not answered.
 */
function checkFolder(): void {
  if (dataDir === undefined || folderMark(dataDir) === mark) return
  parentPort!.postMessage({ gone: true })
  process.exit(1)
}

function takeNext(): Request | undefined {
  if (owner === null) return queue.shift()
  const index = queue.findIndex((request) => request.port === owner)
  return index < 0 ? undefined : queue.splice(index, 1)[0]
}

async function run(): Promise<void> {
  if (isRunning) return
  isRunning = true
  for (;;) {
    if (owner === null && snapshots.length > 0) await copyDatabase(snapshots.shift()!)
    const next = takeNext()
    if (!next) break
    const answer = await database.execProtocolRaw(next.bytes)
    owner = isIdleAfter(answer) ? null : next.port
    if (owner === null) checkFolder()
    // The engine may hand out a view of its own memory: send a copy, and give that copy away.
    const copy = answer.slice()
    next.port.postMessage(copy, [copy.buffer])
  }
  isRunning = false
}

/** Between two transactions, with everything on disk, the folder is consistent; nothing runs while it is copied. */
async function copyDatabase({ id, folder }: { id: number; folder: string }): Promise<void> {
  try {
    if (dataDir === undefined) throw new Error('the store is kept in memory')
    await database.execProtocolRaw(CHECKPOINT)
    cpSync(dataDir, folder, { recursive: true, mode: constants.COPYFILE_FICLONE })
    parentPort!.postMessage({ snapshot: id })
  } catch (error) {
    parentPort!.postMessage({ snapshot: id, reason: (error as Error).message })
  }
}

async function abandon(port: MessagePort): Promise<void> {
  for (let i = queue.length - 1; i >= 0; i--) if (queue[i]!.port === port) queue.splice(i, 1)
  if (owner !== port) return
  await database.execProtocolRaw(ROLLBACK)
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
        parentPort!.postMessage({ closed: true })
        parentPort!.close()
      })
      .catch(fatal)
  }
})

parentPort!.postMessage({ ready: true })
