import { createHash } from 'node:crypto'
import { OnDemandThread, siblingModule } from '../../../kit/index.ts'
import { BoundedSet } from '../bounded-set.ts'
import { withCalls } from './analyse-script.ts'
import type { AnalysisTask } from './analysis.ts'
import type { AnalysisMethods } from './analysis-worker.ts'
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

/** Why texts are given up that did not come to an end, or that nobody waits for. */
class GivenUp extends Error {}

/**
 * Reads texts in a separate thread, each content once. The thread has a bounded heap and 20 seconds for a text; one that
 * needs more memory is searched by patterns, one that does not come to an end is given up.
 */
export class Analyser {
  readonly #isOn: boolean
  readonly #seen = new BoundedSet(10_000)
  /** Routes of texts that had any: another entry document may load the same script. */
  readonly #routes = new Map<string, { readonly routes: readonly string[]; tellings: number }>()
  readonly #thread = new OnDemandThread<AnalysisMethods>({
    module: siblingModule(import.meta.url, './analysis-worker'),
    limits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
    // A thread that has nothing to read keeps what it needed for the largest bundle.
    idleMs: IDLE_MS,
  })
  #waiting = 0

  /** @param isOn whether texts are read at all; else none has findings */
  constructor(isOn = true) {
    this.#isOn = isOn
  }

  /** Findings of a text; nothing but routes when the same was read before, and none when reading failed. */
  async read(kind: AnalysisTask['kind'], text: string): Promise<TextFindings> {
    if (!this.#isOn) return noFindings
    const hash = createHash('sha1').update(text).digest('base64')
    if (text.length < 8 || !this.#seen.add(hash)) return this.#again(hash)
    const found = this.#keep(hash, await this.#analyse({ kind, text }))
    if (kind === 'text') return found
    // What a bundle has made of its helper for requests shows in patterns only. A failure costs nothing else.
    return withCalls(
      found,
      (await this.#analyse({ kind: kind === 'html' ? 'page calls' : 'calls', text })).endpoints,
    )
  }

  /** Ends the thread; what was being read has no findings. */
  close(): Promise<void> {
    return this.#thread.end(new GivenUp())
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

  /** A thread that died had most likely a text too large to be parsed: what waits is searched by patterns. */
  async #analyse(task: AnalysisTask): Promise<TextFindings> {
    const timer = setTimeout(
      () => void this.#thread.end(new GivenUp()),
      DEADLINE_MS + this.#waiting * 1000,
    ).unref()
    this.#waiting++
    try {
      return await this.#thread.use((calls) => calls.call('analyse', [task]))
    } catch (error) {
      if (error instanceof GivenUp || task.byPatterns === true) return noFindings
      return await this.#analyse({ ...task, byPatterns: true })
    } finally {
      clearTimeout(timer)
      this.#waiting--
    }
  }
}
