import { Failure, OnDemandThread, siblingModule, type ThreadCalls } from '../../kit/index.ts'
import type { DeclaredOperation } from '../../traffic/index.ts'
import type { ReaderMethods } from './import-worker.ts'
import type { OpenedFile, ReaderSource, Slice } from './reader-protocol.ts'

/** Files that may wait while one is read. */
const MAX_WAITING = 16
const IDLE_MS = 30_000
const RETRY_AFTER_SECONDS = 5
/** Heap of the reading thread; a file that needs more ends its thread, not the process. */
const MAX_HEAP_MB = 2048

/** One file being read. */
export interface FileReading {
  readonly opened: OpenedFile
  /** The next entries; `report` comes with the last. */
  next(): Promise<Slice>
}

/** Reads files in a separate thread, one after the other. The thread is started on demand and ends when idle. */
export class FileReader {
  readonly #thread = new OnDemandThread<ReaderMethods>({
    module: siblingModule(import.meta.url, './import-worker'),
    limits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    idleMs: IDLE_MS,
  })
  #line: Promise<unknown> = Promise.resolve()
  #waiting = 0

  /** True while the thread is running. */
  get isRunning(): boolean {
    return this.#thread.isRunning
  }

  /** Whether a further file may wait. */
  get isAccepting(): boolean {
    return this.#waiting < MAX_WAITING
  }

  /**
   * Opens a file and hands it to `use`; the next file is read when that is done.
   * @throws Failure OVERLOADED, or what is wrong with the file
   */
  read<T>(source: ReaderSource, use: (reading: FileReading) => Promise<T>): Promise<T> {
    if (!this.isAccepting) throw new Failure('OVERLOADED', { retryAfterSeconds: RETRY_AFTER_SECONDS })
    this.#waiting++
    const done = this.#line.then(() => this.#readNow(source, use))
    this.#line = done.catch(() => {}) // the caller hears of it; the line continues
    return done.finally(() => {
      this.#waiting--
    })
  }

  async close(): Promise<void> {
    await this.#line
    await this.#thread.end()
  }

  async #readNow<T>(source: ReaderSource, use: (reading: FileReading) => Promise<T>): Promise<T> {
    const transfer =
      source.kind === 'body' && ownsMemory(source.body) ? [source.body.buffer as ArrayBuffer] : []
    try {
      return await this.#thread.use(async (calls) => {
        const opened = await calls.call('open', [source], { transfer })
        const declared = await declaredOperations(calls)
        return use({ opened: { ...opened, declared }, next: () => calls.call('next', []) })
      })
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
      throw new Failure('INVALID_IMPORT', { reason: 'it needs too much memory; split it' }, { cause: error })
    }
  }
}

/** What the open file declares, a slice at a time so that other calls get their turn. */
async function declaredOperations(calls: ThreadCalls<ReaderMethods>): Promise<DeclaredOperation[]> {
  const declared: DeclaredOperation[] = []
  for (;;) {
    const { operations, isLast } = await calls.call('declared', [])
    declared.push(...operations)
    if (isLast) return declared
  }
}

function ownsMemory(bytes: Uint8Array): boolean {
  return bytes.byteLength === bytes.buffer.byteLength
}
