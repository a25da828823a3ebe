import { keepCoverage, moveIssues, reopenExpired } from '../../issues/index.ts'
import { type Log, reportError } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/**
 * What results need beside runs, at start and every hour: how much of each collection is tested, a row for each day,
 * which a later pass of the day replaces; and issues of endpoints that became part of a path template. Every minute,
 * ignored issues open again whose time is over. Every process may do it.
 */
export class Maintenance {
  readonly #store: Store
  readonly #log: Log
  #timer: NodeJS.Timeout | null = null
  #expiry: NodeJS.Timeout | null = null
  #current: Promise<void> = Promise.resolve()

  constructor(store: Store, log: Log) {
    this.#store = store
    this.#log = log
  }

  begin(): void {
    void this.keep()
    this.#timer = setInterval(() => void this.keep(), HOUR_MS).unref()
    this.#expiry = setInterval(() => void this.reopen(), MINUTE_MS).unref()
  }

  /** One pass, after the one under way. A failure is in the log; the next hour tries again. */
  keep(): Promise<void> {
    this.#current = this.#current
      .then(() => moveIssues(this.#store))
      .then(() => keepCoverage(this.#store))
      .then(async () => void (await reopenExpired(this.#store)))
      .catch((error: unknown) =>
        this.#log.warn('part.failed', { part: 'maintenance of results', error: reportError(error) }),
      )
    return this.#current
  }

  /** Opens ignored issues again whose time is over, after the pass under way. */
  reopen(): Promise<void> {
    this.#current = this.#current
      .then(async () => void (await reopenExpired(this.#store)))
      .catch((error: unknown) =>
        this.#log.warn('part.failed', { part: 'ignored issues', error: reportError(error) }),
      )
    return this.#current
  }

  async close(): Promise<void> {
    if (this.#expiry !== null) clearInterval(this.#expiry)
    if (this.#timer !== null) clearInterval(this.#timer)
    await this.#current
  }
}
