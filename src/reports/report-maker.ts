import { Failure, type Log, reportError } from '../kit/index.ts'
import type { Store } from '../store/index.ts'
import {
  claimReport,
  endReport,
  keepReport,
  type ReportDefinition,
  releaseReport,
  removeOldReports,
} from './definitions.ts'
import type { ReportContent } from './report-content.ts'
import { renderInThread } from './report-thread.ts'

const LOOK_EVERY_MS = 2_000
const SIGN_OF_LIFE_MS = 2_000
/** After so long without a heartbeat a process counts as dead, and another makes its report. */
const SILENT_SECONDS = 10
const HOUR_MS = 3_600_000
/** Largest PDF that is kept. */
const MAX_PDF_BYTES = 32 * 1024 * 1024

/** What the maker needs of the installation. */
export interface ReportMakerDeps {
  readonly store: Store
  readonly log: Log
  /**
   * Reads what a report tells.
   *
   * @throws Failure when it cannot be made, with a sentence for people
   */
  readonly gather: (definition: ReportDefinition) => Promise<ReportContent>
}

/**
 * Makes the reports that were asked for, one at a time, on any process of the store. One that a killed process was
 * making is made again by the next that looks.
 */
export class ReportMaker {
  readonly #deps: ReportMakerDeps
  readonly #stop = new AbortController()
  #timers: NodeJS.Timeout[] = []
  #working: Promise<void> | null = null

  constructor(deps: ReportMakerDeps) {
    this.#deps = deps
  }

  begin(): void {
    this.#timers = [
      setInterval(() => this.look(), LOOK_EVERY_MS),
      setInterval(() => this.#removeOld(), HOUR_MS),
    ]
    this.#removeOld()
  }

  /** Looks for work now instead of at the next tick. */
  look(): void {
    if (this.#working !== null || this.#stop.signal.aborted) return
    this.#working = this.#workOff()
      .catch((error: unknown) => this.#tell(error))
      .finally(() => {
        this.#working = null
      })
  }

  /** Gives back what is under way; the next start makes it. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    this.#stop.abort()
    await this.#working
  }

  async #workOff(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const definition = await claimReport(this.#deps.store, SILENT_SECONDS)
      if (definition === null) return
      await this.#make(definition)
    }
  }

  async #make(definition: ReportDefinition): Promise<void> {
    const { store, gather } = this.#deps
    const signs = setInterval(() => {
      keepReport(store, definition.id).catch((error: unknown) => this.#tell(error))
    }, SIGN_OF_LIFE_MS)
    try {
      const pdf = await renderInThread(await gather(definition), this.#stop.signal)
      await endReport(
        store,
        definition.id,
        pdf.byteLength <= MAX_PDF_BYTES ? { pdf } : { error: 'The report is too large; narrow the filters.' },
      )
    } catch (error) {
      if (this.#stop.signal.aborted) return releaseReport(store, definition.id)
      this.#tell(error)
      const why = error instanceof Failure ? error.code : 'the log says why'
      await endReport(store, definition.id, { error: `The report could not be made: ${why}.` })
    } finally {
      clearInterval(signs)
    }
  }

  #removeOld(): void {
    removeOldReports(this.#deps.store).catch((error: unknown) => this.#tell(error))
  }

  #tell(error: unknown): void {
    this.#deps.log.warn('part.failed', { part: 'reports', error: reportError(error) })
  }
}
