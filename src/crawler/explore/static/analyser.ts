import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { siblingModule } from '../../../kit/index.ts'
import { BoundedSet } from '../bounded-set.ts'
import type { AnalysisTask } from './analysis.ts'
import { noFindings, type TextFindings } from './found-in-text.ts'

/** Longest time for one text; the thread is ended then and another begun. */
const DEADLINE_MS = 20_000

/** Heap of the thread, in MB: the largest text that is parsed needs most of it. */
const HEAP_MB = 176
const YOUNG_HEAP_MB = 16
/** Texts whose routes are kept. */
const MAX_KEPT = 300
/** Times routes are reported again: a server that answers every path with the same script has pages without end. */
const MAX_TELLINGS = 10

/** Time after which an idle thread is ended, in milliseconds. */
const IDLE_MS = 10_000

interface Waiting {
  readonly task: AnalysisTask
  readonly resolve: (findings: TextFindings) => void
  readonly timer: NodeJS.Timeout
}

/**
 * Reads texts in a separate thread, each content once. The thread has a bounded heap and 20 seconds for a text; one that
 * needs more memory is searched by patterns, one that does not come to an end is given up.
 */
export class Analyser {
  readonly #isOn: boolean
  readonly #seen = new BoundedSet(10_000)
  /** Routes of texts that had any: another entry document may load the same script. */
  readonly #routes = new Map<string, { readonly routes: readonly string[]; tellings: number }>()
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | null = null
  #idle: NodeJS.Timeout | undefined
  #next = 0

  /** @param isOn whether texts are read at all; else none has findings */
  constructor(isOn = true) {
    this.#isOn = isOn
  }

  /** Findings of a text; nothing but routes when the same was read before, and none when reading failed. */
  read(kind: AnalysisTask['kind'], text: string): Promise<TextFindings> {
    if (!this.#isOn) return Promise.resolve(noFindings)
    const hash = createHash('sha1').update(text).digest('base64')
    if (text.length < 8 || !this.#seen.add(hash)) {
      return Promise.resolve(this.#again(hash))
    }
    clearTimeout(this.#idle)
    const id = this.#next++
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#restart(), DEADLINE_MS + this.#waiting.size * 1000)
      const task: AnalysisTask = { id, kind, text }
      this.#waiting.set(id, { task, resolve: (findings) => resolve(this.#keep(hash, findings)), timer })
      this.#thread().postMessage(task)
    })
  }

  /** Ends the thread; what was being read has no findings. */
  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = null
    this.#giveUp()
    await worker?.terminate()
  }

  #again(hash: string): TextFindings {
    const known = this.#routes.get(hash)
    const routes = known && known.tellings++ < MAX_TELLINGS ? known.routes : []
    return { ...noFindings, routes, isRepeat: true }
  }

  #keep(hash: string, findings: TextFindings): TextFindings {
    if (findings.routes.length > 0 && this.#routes.size < MAX_KEPT)
      this.#routes.set(hash, { routes: findings.routes, tellings: 0 })
    return findings
  }

  #thread(): Worker {
    if (this.#worker) return this.#worker
    const worker = new Worker(siblingModule(import.meta.url, './analysis-worker'), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
    })
    worker.on('message', ({ id, findings }: { id: number; findings: TextFindings }) =>
      this.#settle(id, findings),
    )
    worker.on('error', () => this.#died(worker))
    worker.unref()
    this.#worker = worker
    return worker
  }

  /** Most likely a text was too large to be parsed: what waits is searched by patterns in a new thread. */
  #died(worker: Worker): void {
    if (this.#worker !== worker) return
    this.#worker = null
    for (const [id, { task, ...rest }] of this.#waiting) {
      if (task.byPatterns === true) this.#settle(id, noFindings)
      else {
        const again: AnalysisTask = { ...task, byPatterns: true }
        this.#waiting.set(id, { ...rest, task: again })
        this.#thread().postMessage(again)
      }
    }
  }

  #restart(): void {
    const worker = this.#worker
    this.#worker = null
    this.#giveUp()
    void worker?.terminate()
  }

  #giveUp(): void {
    for (const id of [...this.#waiting.keys()]) this.#settle(id, noFindings)
  }

  #settle(id: number, findings: TextFindings): void {
    const waiting = this.#waiting.get(id)
    if (!waiting) return
    this.#waiting.delete(id)
    clearTimeout(waiting.timer)
    waiting.resolve(findings)
    if (this.#waiting.size > 0) return
    // A thread that has nothing to read keeps what it needed for the largest bundle.
    this.#idle = setTimeout(() => this.#restart(), IDLE_MS)
    this.#idle.unref()
  }
}
