import { Worker } from 'node:worker_threads'
import { Failure, siblingModule } from '../../kit/index.ts'
import type { DeclaredOperation, ImportedExchange, ImportReport } from '../../traffic/index.ts'
import type { OpenedFile, ReaderAnswer, ReaderRequest, ReaderSource } from './reader-protocol.ts'

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
  next(): Promise<{ items: ImportedExchange[]; report: ImportReport | null }>
}

/** Reads files in a separate thread, one after the other. The thread is started on demand and ends when idle. */
export class FileReader {
  #worker: Worker | null = null
  #line: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #idle: NodeJS.Timeout | null = null

  /** True while the thread is running. */
  get isRunning(): boolean {
    return this.#worker !== null
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
    if (this.#idle) clearTimeout(this.#idle)
    await this.#worker?.terminate()
    this.#worker = null
  }

  /** What the open file declares, a slice at a time so that other calls get their turn. */
  async #declared(worker: Worker): Promise<DeclaredOperation[]> {
    const declared: DeclaredOperation[] = []
    for (;;) {
      const slice = await this.#ask(worker, { kind: 'declared' }, [])
      if (slice.kind !== 'declared') throw new Error(`unexpected answer of the file reader: ${slice.kind}`)
      declared.push(...slice.operations)
      if (slice.isLast) return declared
    }
  }

  async #readNow<T>(source: ReaderSource, use: (reading: FileReading) => Promise<T>): Promise<T> {
    if (this.#idle) clearTimeout(this.#idle)
    const worker = this.#start()
    const transfer =
      source.kind === 'body' && ownsMemory(source.body) ? [source.body.buffer as ArrayBuffer] : []
    try {
      const opened = await this.#ask(worker, { kind: 'open', source }, transfer)
      if (opened.kind !== 'opened') throw new Error(`unexpected answer of the file reader: ${opened.kind}`)
      return await use({
        opened: { ...opened, declared: await this.#declared(worker) },
        next: async () => {
          const slice = await this.#ask(worker, { kind: 'next' }, [])
          if (slice.kind !== 'slice') throw new Error(`unexpected answer of the file reader: ${slice.kind}`)
          return slice
        },
      })
    } finally {
      this.#idle = setTimeout(() => {
        void this.#worker?.terminate()
        this.#worker = null
      }, IDLE_MS).unref()
    }
  }

  #start(): Worker {
    if (this.#worker) return this.#worker
    const worker = new Worker(siblingModule(import.meta.url, './import-worker'), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    })
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = null
    })
    worker.unref()
    this.#worker = worker
    return worker
  }

  #ask(worker: Worker, request: ReaderRequest, transfer: ArrayBuffer[]): Promise<ReaderAnswer> {
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void): void => {
        worker.off('message', onMessage)
        worker.off('error', onError)
        worker.off('exit', onExit)
        finish()
      }
      const onMessage = (answer: ReaderAnswer): void =>
        settle(() => {
          if (answer.kind !== 'failed') resolve(answer)
          else if (answer.code !== null) reject(new Failure(answer.code, answer.details))
          else reject(new Error(String(answer.details['message'])))
        })
      const onError = (error: unknown): void =>
        settle(() => {
          this.#worker = null
          reject(
            (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY'
              ? new Failure(
                  'INVALID_IMPORT',
                  { reason: 'it needs too much memory; split it' },
                  { cause: error },
                )
              : error,
          )
        })
      const onExit = (): void => settle(() => reject(new Error('the file reader ended')))
      worker.on('message', onMessage)
      worker.on('error', onError)
      worker.on('exit', onExit)
      worker.postMessage(request, transfer)
    })
  }
}

function ownsMemory(bytes: Uint8Array): boolean {
  return bytes.byteLength === bytes.buffer.byteLength
}
