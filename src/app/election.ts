import { randomUUID } from 'node:crypto'
import { endsWithin, PollLoop } from '../kit/index.ts'
import type { Store } from '../store/index.ts'

/** Another process takes over this long after the last renewal, and one renewal later at most. */
const LEASE_MS = 7_000
const RENEW_EVERY_MS = 2_000
/** A store that answers no sooner is not waited for: the lease ends without it. */
const CLOSE_MS = 1_000

interface ElectionDeps {
  readonly store: Store
  /** Called whenever this process was elected. */
  readonly onElected: () => void
  readonly onError: (error: unknown) => void
}

/**
 * Elects one process of a store for what must be done once: a row with a lease that its holder renews. On the embedded
 * store there is no other process. The holder trusts its own clock only for how long ago it renewed, so that a process
 * that was paused does nothing once another may have been elected.
 */
export class Election {
  readonly #deps: ElectionDeps
  readonly #name: string
  readonly #holder = randomUUID()
  readonly #renewals: PollLoop
  #heldUntilMs = 0

  constructor(name: string, deps: ElectionDeps) {
    this.#name = name
    this.#deps = deps
    this.#renewals = new PollLoop({
      everyMs: RENEW_EVERY_MS,
      pass: () => this.#renew(),
      onError: deps.onError,
      isUnref: true,
    })
  }

  get isElected(): boolean {
    return performance.now() < this.#heldUntilMs
  }

  begin(): void {
    this.#renewals.begin()
  }

  /** Gives the office up, so that another process has it at its next renewal; waits a second at most. */
  async close(): Promise<void> {
    await endsWithin(CLOSE_MS, this.#giveUp())
  }

  async #giveUp(): Promise<void> {
    await this.#renewals.close()
    if (!this.isElected) return
    this.#heldUntilMs = 0
    await this.#deps.store.pool.query('DELETE FROM elections WHERE name = $1 AND holder = $2', [
      this.#name,
      this.#holder,
    ])
  }

  async #renew(): Promise<void> {
    const wasElected = this.isElected
    const askedMs = performance.now()
    const { rowCount } = await this.#deps.store.pool.query(
      `INSERT INTO elections AS e (name, holder, until)
       VALUES ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
       ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
       WHERE e.holder = excluded.holder OR e.until < clock_timestamp() OR $4`,
      [this.#name, this.#holder, LEASE_MS, this.#deps.store.kind === 'embedded'],
    )
    this.#heldUntilMs = rowCount === 1 ? askedMs + LEASE_MS : 0
    if (!wasElected && this.isElected) this.#deps.onElected()
  }
}
