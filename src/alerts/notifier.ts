import type { AuditEntry } from '../http/sender/index.ts'
import { type Log, newHexId, nowSeconds, PollLoop, reportError, type Sealer } from '../kit/index.ts'
import type { Store } from '../store/index.ts'
import type { OpenChannel } from './channel-store.ts'
import { deliverAlert, deliverTicket, type IssuePorts, isGood, postAlert, problemOf } from './deliver.ts'
import type { Mailer } from './mailer.ts'
import {
  type ClaimedMessage,
  claimMessages,
  releaseMessage,
  removeOldMessages,
  settleMessage,
} from './outbox.ts'
import type { PostDeps } from './post.ts'

const POLL_EVERY_MS = 1_000
const HOUR_MS = 3_600_000
/** Messages under way at one time. */
const AT_ONCE = 4

/** What the notifier needs of the installation. */
interface NotifierDeps extends Omit<PostDeps, 'audit'> {
  readonly store: Store
  readonly sealer: Sealer
  readonly log: Log
  readonly ports: IssuePorts
  readonly mailer: Pick<Mailer, 'send'> | null
}

/** What became of a test message. */
interface TestOutcome {
  readonly isDelivered: boolean
  /** Null when no answer came. */
  readonly status: number | null
  /** Why it was not delivered; null when it was. */
  readonly problem: string | null
}

/**
 * Delivers the messages in the outbox, on any process of the store: each message at least once, with an id by which a
 * receiver recognises a repeat.
 */
export class Notifier {
  readonly #deps: NotifierDeps
  readonly #deliveries: PollLoop
  #hasBegun = false
  readonly #removals: PollLoop

  constructor(deps: NotifierDeps) {
    const onError = (error: unknown): void => this.#logError(error)
    this.#deps = deps
    this.#deliveries = new PollLoop({
      everyMs: POLL_EVERY_MS,
      pass: (closing) => this.#deliverAll(closing),
      onError,
      news: { from: deps.store.news, topics: ['alerts'], isTimed: true },
    })
    this.#removals = new PollLoop({
      everyMs: HOUR_MS,
      pass: () => removeOldMessages(deps.store),
      onError,
    })
  }

  begin(): void {
    this.#deliveries.begin()
    this.#hasBegun = true
    this.#removals.begin()
  }

  /** Looks for messages now instead of at the next interval. */
  wake(): void {
    if (this.#hasBegun) void this.#deliveries.poll()
  }

  /** Sends a test message at once, once: a person waits for the answer. */
  async test(channel: OpenChannel, sentBy: string): Promise<TestOutcome> {
    const sent: AuditEntry[] = []
    const deps = { ...this.#deps, audit: (entry: AuditEntry) => void sent.push(entry) }
    const answer = await postAlert(
      deps,
      channel,
      newHexId(),
      { event: 'TEST', sentBy },
      this.#deliveries.closing,
    )
    await writeAudit(this.#deps.store, sent)
    const isDelivered = isGood(answer)
    return { isDelivered, status: answer.status, problem: isDelivered ? null : problemOf(answer) }
  }

  /** Gives back what is under way; the next start delivers it. */
  async close(): Promise<void> {
    await Promise.all([this.#deliveries.close(), this.#removals.close()])
  }

  async #deliverAll(closing: AbortSignal): Promise<void> {
    while (!closing.aborted) {
      const messages = await claimMessages(this.#deps.store, AT_ONCE)
      if (messages.length === 0) return
      await Promise.all(messages.map((message) => this.#deliver(message, closing)))
    }
  }

  async #deliver(message: ClaimedMessage, closing: AbortSignal): Promise<void> {
    const { store } = this.#deps
    const sent: AuditEntry[] = []
    const deps = { ...this.#deps, audit: (entry: AuditEntry) => void sent.push(entry) }
    try {
      const end =
        message.kind === 'ALERT'
          ? await deliverAlert(deps, message, closing)
          : await deliverTicket(deps, message, closing)
      await settleMessage(store, message.id, end)
    } catch (error) {
      if (closing.aborted) await releaseMessage(store, message.id)
      // Otherwise its lease ends, and it is tried again.
      else this.#logError(error)
    }
    await writeAudit(store, sent).catch((error: unknown) => this.#logError(error))
  }

  #logError(error: unknown): void {
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
