import { Failure, type Log, PollLoop, reportError, withHeartbeat } from '../kit/index.ts'
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

const POLL_EVERY_MS = 2_000
const HEARTBEAT_MS = 2_000
/** After so long without a heartbeat a process counts as dead, and another makes its report. */
const SILENT_SECONDS = 10
const HOUR_MS = 3_600_000
/** Largest PDF that is kept. */
const MAX_PDF_BYTES = 32 * 1024 * 1024

/** What the maker needs of the installation. */
interface ReportMakerDeps {
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
  readonly #work: PollLoop
  #hasBegun = false
  readonly #removals: PollLoop

  constructor(deps: ReportMakerDeps) {
    const onError = (error: unknown): void => this.#logError(error)
    this.#deps = deps
    this.#work = new PollLoop({
      everyMs: POLL_EVERY_MS,
      pass: (closing) => this.#makeAll(closing),
      onError,
      news: { from: deps.store.news, topics: ['reports'], isTimed: true },
    })
    this.#removals = new PollLoop({ everyMs: HOUR_MS, pass: () => removeOldReports(deps.store), onError })
  }

  begin(): void {
    this.#work.begin()
    this.#hasBegun = true
    this.#removals.begin()
  }

  /** Looks for work now instead of at the next interval. */
  wake(): void {
    if (this.#hasBegun) void this.#work.poll()
  }

  /** Gives back what is under way; the next start makes it. */
  async close(): Promise<void> {
    await Promise.all([this.#work.close(), this.#removals.close()])
  }

  async #makeAll(closing: AbortSignal): Promise<void> {
    while (!closing.aborted) {
      const definition = await claimReport(this.#deps.store, SILENT_SECONDS)
      if (definition === null) return
      await this.#make(definition, closing)
    }
  }

  async #make(definition: ReportDefinition, closing: AbortSignal): Promise<void> {
    const { store, gather } = this.#deps
    const heartbeat = {
      everyMs: HEARTBEAT_MS,
      beat: () => keepReport(store, definition.id).then(() => true),
      onError: (error: unknown) => this.#logError(error),
    }
    try {
      const pdf = await withHeartbeat(heartbeat, async () =>
        renderInThread(await gather(definition), closing),
      )
      await endReport(
        store,
        definition.id,
        pdf.byteLength <= MAX_PDF_BYTES ? { pdf } : { error: 'The report is too large; narrow the filters.' },
      )
    } catch (error) {
      if (closing.aborted) return releaseReport(store, definition.id)
      this.#logError(error)
      const why = error instanceof Failure ? error.code : 'the log says why'
      await endReport(store, definition.id, { error: `The report could not be made: ${why}.` })
    }
  }

  #logError(error: unknown): void {
    this.#deps.log.warn('part.failed', { part: 'reports', error: reportError(error) })
  }
}
