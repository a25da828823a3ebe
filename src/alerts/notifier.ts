import type { AuditEntry } from '../http/index.ts'
import { type Log, newHexId, nowSeconds, reportError, type Sealer } from '../kit/index.ts'
import type { Store } from '../store/index.ts'
import type { OpenChannel } from './channel-store.ts'
import { deliverAlert, deliverTicket, type IssuePorts, isGood, postAlert, troubleOf } from './deliver.ts'
import {
  type ClaimedMessage,
  claimMessages,
  releaseMessage,
  removeOldMessages,
  settleMessage,
} from './outbox.ts'
import type { PostDeps } from './post.ts'

const LOOK_EVERY_MS = 1_000
const HOUR_MS = 3_600_000
/** Messages under way at one time. */
const AT_ONCE = 4

/** What the notifier needs of the installation. */
export interface NotifierDeps extends Omit<PostDeps, 'audit'> {
  readonly store: Store
  readonly sealer: Sealer
  readonly log: Log
  readonly ports: IssuePorts
}

/** What became of a test message. */
export interface TestOutcome {
  readonly isDelivered: boolean
  /** Null when no answer came. */
  readonly status: number | null
  /** Why it was not delivered; null when it was. */
  readonly trouble: string | null
}

/**
 * Delivers what stands in the outbox, on any process of the store: each message at least once, with an id by which a
 * receiver recognises a repeat.
 */
export class Notifier {
  readonly #deps: NotifierDeps
  readonly #stop = new AbortController()
  #timers: NodeJS.Timeout[] = []
  #looking: Promise<void> | null = null

  constructor(deps: NotifierDeps) {
    this.#deps = deps
  }

  begin(): void {
    this.#timers = [
      setInterval(() => this.look(), LOOK_EVERY_MS),
      setInterval(() => this.#removeOld(), HOUR_MS),
    ]
    this.#removeOld()
  }

  /** Looks for messages now instead of at the next tick. */
  look(): void {
    if (this.#looking !== null || this.#stop.signal.aborted) return
    this.#looking = this.#workOff()
      .catch((error: unknown) => this.#tell(error))
      .finally(() => {
        this.#looking = null
      })
  }

  /** Sends a test message at once, once: a person waits for the answer. */
  async test(channel: OpenChannel, sentBy: string): Promise<TestOutcome> {
    const sent: AuditEntry[] = []
    const deps = { ...this.#deps, audit: (entry: AuditEntry) => void sent.push(entry) }
    const answer = await postAlert(deps, channel, newHexId(), { event: 'TEST', sentBy }, this.#stop.signal)
    await writeAudit(this.#deps.store, sent)
    const isDelivered = isGood(answer)
    return { isDelivered, status: answer.status, trouble: isDelivered ? null : troubleOf(answer) }
  }

  /** Gives back what is under way; the next start delivers it. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    this.#stop.abort()
    await this.#looking
  }

  async #workOff(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const messages = await claimMessages(this.#deps.store, AT_ONCE)
      if (messages.length === 0) return
      await Promise.all(messages.map((message) => this.#deliver(message)))
    }
  }

  async #deliver(message: ClaimedMessage): Promise<void> {
    const { store } = this.#deps
    const sent: AuditEntry[] = []
    const deps = { ...this.#deps, audit: (entry: AuditEntry) => void sent.push(entry) }
    try {
      const end =
        message.kind === 'ALERT'
          ? await deliverAlert(deps, message, this.#stop.signal)
          : await deliverTicket(deps, message, this.#stop.signal)
      await settleMessage(store, message.id, end)
    } catch (error) {
      if (this.#stop.signal.aborted) await releaseMessage(store, message.id)
      // Otherwise its lease ends, and it is tried again.
      else this.#tell(error)
    }
    await writeAudit(store, sent).catch((error: unknown) => this.#tell(error))
  }

  #removeOld(): void {
    removeOldMessages(this.#deps.store).catch((error: unknown) => this.#tell(error))
  }

  #tell(error: unknown): void {
    this.#deps.log.warn('part.failed', { part: 'alerts', error: reportError(error) })
  }
}

/** Notes requests among all that went out. */
async function writeAudit(store: Store, entries: readonly AuditEntry[]): Promise<void> {
  for (const entry of entries)
    await store.pool.query(
      `INSERT INTO outgoing_requests (sent_at, purpose, method, host, url, status_code, failure, duration_ms)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        nowSeconds(),
        entry.kind,
        entry.method,
        entry.host,
        entry.url,
        entry.status,
        entry.failure,
        Math.round(entry.durationMs),
      ],
    )
}
