import type { AuditEntry } from '../../http/sender/index.ts'
import { type Log, reportError } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'

const WRITE_EVERY_MS = 1_000
const MAX_WAITING = 5_000

/** Writes what was sent to targets, together and every second. What the store did not take is offered again. */
export class AuditWriter {
  readonly #store: Store
  readonly #log: Log
  #waiting: AuditEntry[] = []
  #timer: NodeJS.Timeout | null = null
  #line: Promise<void> = Promise.resolve()

  constructor(store: Store, log: Log) {
    this.#store = store
    this.#log = log
  }

  begin(): void {
    this.#timer = setInterval(() => void this.write(), WRITE_EVERY_MS)
  }

  add(entry: AuditEntry): void {
    this.#waiting.push(entry)
    if (this.#waiting.length >= MAX_WAITING) void this.write()
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    await this.write()
  }

  /** Resolves when all that was added before was offered to the store. */
  write(): Promise<void> {
    this.#line = this.#line.then(() => this.#writeWaiting())
    return this.#line
  }

  async #writeWaiting(): Promise<void> {
    const entries = this.#waiting
    if (entries.length === 0) return
    this.#waiting = []
    try {
      await insertEntries(this.#store, entries)
    } catch (error) {
      this.#waiting = [...entries, ...this.#waiting].slice(0, MAX_WAITING)
      this.#log.warn('part.failed', { part: 'audit', error: reportError(error) })
    }
  }
}

async function insertEntries(store: Store, entries: readonly AuditEntry[]): Promise<void> {
  await store.pool.query(
    `INSERT INTO outgoing_requests (sent_at, purpose, run_id, summary_id, test_id, user_login, method, host, url,
       status_code, failure, duration_ms)
     SELECT * FROM unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
       $8::text[], $9::text[], $10::integer[], $11::text[], $12::integer[])`,
    [
      entries.map((e) => e.atSeconds),
      entries.map((e) => e.kind),
      entries.map((e) => e.runId),
      entries.map((e) => e.summaryId),
      entries.map((e) => e.testId),
      entries.map((e) => e.user),
      entries.map((e) => e.method),
      entries.map((e) => e.host),
      entries.map((e) => e.url),
      entries.map((e) => e.status),
      entries.map((e) => e.failure),
      entries.map((e) => Math.round(e.durationMs)),
    ],
  )
}
