import type { DataSource, Exchange } from '../../http/index.ts'
import { Failure, PollLoop, withWorkContext, workContext } from '../../kit/index.ts'
import { retrying, type Store, type TallyTier, usingTransaction } from '../../store/index.ts'
import { foldTally, forgetOldAttacks, Tally, UnflushedFacts, Writer, writeDetails } from './counts/index.ts'
import { FAST_PATHS } from './fast-paths/index.ts'
import {
  Batch,
  CommittedMessages,
  commitBatch,
  declareOperations,
  type FindingsHook,
  HashSet,
  IngestAnswer,
  type Job,
  JobReader,
  locateEndpoints,
  NO_HOOK,
  ObserveAnswer,
  RepeatedMessages,
  StageClock,
  StoreRefusal,
  settleBatch,
  storeFailure,
  Turn,
} from './intake/index.ts'
import { decide, evaluateTries, explainTemplate } from './moves/index.ts'
import { Memory, saveEvidence } from './place/index.ts'
import type {
  DocumentedOperation,
  EndpointMove,
  EngineFigures,
  IngestOutcome,
  InventoryPort,
  LocatedEndpoint,
  ObserveOutcome,
  Placement,
  TemplateDecision,
  TemplateEvidence,
} from './port.ts'
import type { Fact } from './state/index.ts'
import { type FastPaths, NO_FAST_PATHS } from './values/index.ts'
import { EvidenceWatch, GroupWatch, markMissedFacts, purgeExpired, SettingsWatch } from './watchers/index.ts'

/** Messages of one transaction at the most; more wait for the next. */
const MAX_BATCH_MESSAGES = 4000
/** Bytes of live batches that may wait; beyond, senders are asked to come back. */
const MAX_WAITING_BYTES = 96 * 1024 * 1024
const FOLD_COUNTS_EVERY_MS = 1000
const FOLD_DETAILS_EVERY_MS = 10_000
const MAINTENANCE_EVERY_MS = 30_000
const SETTINGS_EVERY_MS = 5000
const SETTINGS_LEAST_MS = 1000
const GROUPS_EVERY_MS = 1000
/** The status page calls a process silent after a minute. */
const HEARTBEAT_EVERY_MS = 15_000
const RETRY_AFTER_SECONDS = 2

/**
 * The inventory engine. All changes go through one line: waiting jobs are analysed together, their effects written
 * in one transaction, then each is answered. What is in memory is a cache: after a failed transaction it is dropped.
 */
export class InventoryEngine implements Omit<InventoryPort, 'previewType'> {
  readonly #store: Store
  readonly #hook: FindingsHook
  readonly #memory: Memory
  readonly #settings: SettingsWatch
  readonly #groups: GroupWatch
  readonly #evidence: EvidenceWatch
  readonly #writer: Writer
  readonly #committed: CommittedMessages
  readonly #inTurn = new HashSet()
  readonly #others: PollLoop
  readonly #clock = new StageClock()
  readonly #reader: JobReader
  readonly #fastPaths: FastPaths
  readonly #jobs: Job[] = []
  readonly #tallies: Record<TallyTier, { tally: Tally; rows: number }> = {
    COUNTS: { tally: new Tally(), rows: 0 },
    DETAILS: { tally: new Tally(), rows: 0 },
  }
  readonly #withNewDetail = new Set<Fact>()
  readonly #unflushed = new UnflushedFacts()
  readonly #timers: NodeJS.Timeout[] = []
  /** Parts of documents, by the import that hands them over. */
  readonly #declared = new Map<string, DocumentedOperation[]>()
  #waitingBytes = 0
  readonly #refusal = new StoreRefusal()
  #line: Promise<unknown> = Promise.resolve()
  #isDraining = false
  #isClosed = false

  private constructor(store: Store, hook: FindingsHook, fastPaths: FastPaths | null) {
    this.#store = store
    this.#hook = hook
    this.#fastPaths = fastPaths ?? NO_FAST_PATHS
    this.#reader = new JobReader(hook, fastPaths !== null)
    this.#memory = new Memory(store)
    this.#settings = new SettingsWatch(store, this.#memory)
    this.#groups = new GroupWatch(store, this.#memory)
    this.#evidence = new EvidenceWatch(store, this.#memory)
    this.#settings.onApplied = () => this.#groups.noteAll()
    this.#settings.onTrouble = (error) => this.onTrouble(error)
    this.#writer = new Writer(store)
    this.#committed = new CommittedMessages(store)
    // Messages that others commit are not notified: each transaction reads them.
    this.#others = new PollLoop({
      everyMs: SETTINGS_EVERY_MS,
      pass: () => this.#inLine(() => this.#refreshSettings()),
      onError: (error) => this.onTrouble(error),
      news: {
        from: store.news,
        topics: store.kind === 'postgres' ? ['paths', 'settings'] : [],
        isTimed: true,
        leastMs: SETTINGS_LEAST_MS,
      },
    })
  }

  /** Opens the engine and takes over what dead writers left. Without fast paths every message goes the general way. */
  static async open(
    store: Store,
    hook: FindingsHook = NO_HOOK,
    fastPaths: FastPaths | null = FAST_PATHS,
  ): Promise<InventoryEngine> {
    const engine = new InventoryEngine(store, hook, fastPaths)
    await engine.#writer.begin()
    await engine.#writer.adoptDead()
    await engine.#committed.begin()
    await engine.#settings.begin()
    await engine.#evidence.begin()
    engine.#every(FOLD_COUNTS_EVERY_MS, () => engine.#fold('COUNTS'))
    engine.#every(FOLD_DETAILS_EVERY_MS, () => engine.#fold('DETAILS'))
    engine.#every(MAINTENANCE_EVERY_MS, () => engine.#maintain())
    // Not in the queue of batches: they only work on what is stored.
    engine.#timers.push(setInterval(() => engine.#regroup(), GROUPS_EVERY_MS))
    engine.#timers.push(setInterval(() => engine.#beat(), HEARTBEAT_EVERY_MS))
    engine.#others.begin()
    return engine
  }

  ingest(
    bytes: Uint8Array,
    placement: Placement,
    defaultSource: DataSource,
    allowed: readonly number[] | null = null,
    findings: Uint8Array | null = null,
    deliveries: readonly string[] | null = null,
  ): Promise<IngestOutcome> {
    return new Promise((resolve, reject) => {
      this.#enqueue({
        bytes: bytes.byteLength,
        context: workContext(),
        read: this.#reader.live({ bytes, placement, defaultSource, allowed, findings, deliveries }),
        answer: new IngestAnswer(resolve),
        fail: reject,
      })
    })
  }

  observe(
    exchanges: readonly Exchange[],
    placement: Placement,
    importId?: string,
    findings: Uint8Array | null = null,
  ): Promise<ObserveOutcome> {
    return new Promise((resolve, reject) => {
      const answer = new ObserveAnswer((outcome) => {
        this.#inLine(() => this.#evaluate(true)).then(() => resolve(outcome), reject)
      })
      this.#enqueue({
        bytes: 0,
        context: workContext(),
        read: this.#reader.observed({ exchanges, placement, importId, findings }),
        answer,
        fail: (error) => {
          if (importId !== undefined) this.#reader.forget(importId)
          reject(error)
        },
      })
    })
  }

  async addDeclared(importId: string, operations: readonly DocumentedOperation[]): Promise<void> {
    const parts = this.#declared.get(importId) ?? []
    this.#declared.set(importId, parts)
    for (const operation of operations) parts.push(operation)
  }

  declare(
    operations: readonly DocumentedOperation[],
    collectionId: number,
    importId: string,
    source: DataSource = 'OPEN_API',
  ): Promise<{ created: number }> {
    const all = [...(this.#declared.get(importId) ?? []), ...operations]
    this.#declared.delete(importId)
    return this.#inLine(async () => {
      await this.#foldAll()
      const { id } = this.#writer
      return this.#movingTries(() =>
        declareOperations(this.#store, this.#memory, all, collectionId, importId, source, id),
      )
    })
  }

  locate(...given: Parameters<InventoryPort['locate']>): Promise<LocatedEndpoint[]> {
    return this.#inLine(() => locateEndpoints({ store: this.#store, memory: this.#memory }, ...given))
  }

  decide(decision: TemplateDecision): Promise<EndpointMove[]> {
    return this.#inLine(async () => {
      await this.#foldAll()
      await this.#learnFromOthers()
      return this.#movingTries(() => decide(this.#store, this.#memory, decision, this.#writer.id))
    })
  }

  explain(collectionId: number, url: string): Promise<TemplateEvidence | null> {
    return this.#inLine(() => explainTemplate(this.#store, this.#memory, collectionId, url))
  }

  flush(): Promise<void> {
    const { COUNTS, DETAILS } = this.#tallies
    if (COUNTS.rows === 0 && DETAILS.rows === 0 && !this.#writer.hasLeft) return Promise.resolve()
    return this.#inLine(() => this.#foldAll())
  }

  forget(collectionIds: readonly number[]): Promise<void> {
    return this.#inLine(async () => this.#memory.forget(collectionIds))
  }

  refreshSettings(): Promise<void> {
    return this.#inLine(() => this.#refreshSettings())
  }

  async figures(): Promise<EngineFigures> {
    return {
      ...this.#memory.size,
      pendingTallies: this.#tallies.COUNTS.rows + this.#tallies.DETAILS.rows,
      waitingMessages: this.#jobs.length,
      waitingBytes: this.#waitingBytes,
      refusal: this.#refusal.code,
      stages: this.#clock.figures(),
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    for (const timer of this.#timers) clearInterval(timer)
    await this.#others.close()
    await this.#drained()
    this.#isClosed = true
    await Promise.all([this.#settings.close(), this.#groups.close()])
    await this.#inLine(async () => {
      try {
        await this.#foldAll()
        await saveEvidence(this.#store, this.#memory, this.#writer.id)
      } finally {
        await this.#writer.end()
      }
    })
  }

  /** Ends at once and leaves everything as it stands, as the death of the process would; for tests. */
  async kill(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    await this.#others.close()
    await this.#drained()
    this.#isClosed = true
    await Promise.all([this.#settings.close(), this.#groups.close()])
    this.#writer.renew()
  }

  #enqueue(job: Job): void {
    if (this.#isClosed) {
      job.fail(new Failure('SHUTTING_DOWN', {}))
      return
    }
    if (this.#waitingBytes + job.bytes > MAX_WAITING_BYTES && this.#jobs.length > 0) {
      job.fail(new Failure('OVERLOADED', { retryAfterSeconds: RETRY_AFTER_SECONDS }))
      return
    }
    this.#waitingBytes += job.bytes
    this.#jobs.push(job)
    if (this.#isDraining) return
    this.#isDraining = true
    this.#drainInLine()
  }

  #drainInLine(): void {
    withWorkContext(null, () => this.#inLine(() => this.#drain())).catch(() => {}) // every job has its own answer
  }

  async #drained(): Promise<void> {
    while (this.#isDraining) await this.#line
  }

  /**
   * One transaction of waiting jobs. Jobs that are left wait for their next turn behind other work: under endless traffic,
   * lists and maintenance would otherwise never have one.
   */
  async #drain(): Promise<void> {
    let isMore = false
    try {
      await this.#takeTurn()
      if (this.#jobs.length === 0)
        await this.#evaluate(false).catch((error: unknown) => this.onTrouble(error))
      isMore = this.#jobs.length > 0
    } finally {
      this.#isDraining = isMore
      if (isMore) this.#drainInLine()
    }
  }

  /** Analyses as many waiting jobs as fit one transaction, writes them, answers them. */
  async #takeTurn(): Promise<void> {
    this.#reader.begin()
    const turn = new Turn(new Batch(this.#settings.rules, this.#fastPaths), {
      memory: this.#memory,
      committed: this.#committed,
      clock: this.#clock,
      inTurn: this.#inTurn,
    })
    try {
      await this.#writer.begin()
      await this.#committed.catchUp()
      while (this.#jobs.length > 0 && turn.messages < MAX_BATCH_MESSAGES) {
        const job = this.#jobs.shift()!
        this.#waitingBytes -= job.bytes
        await turn.take(job)
      }
      const { context } = turn
      await (context === null ? this.#commit(turn) : withWorkContext(context, () => this.#commit(turn)))
      // A turn without messages may fit where messages don't.
      if (turn.messages > 0) this.#refusal.clear()
      turn.finish()
      for (const trouble of turn.batch.troubles) this.onTrouble(trouble)
    } catch (error) {
      this.#reset()
      const failure = storeFailure(error)
      // The bytes of these messages are gone, so that their senders must send them again; then they are known.
      if (error instanceof RepeatedMessages) return turn.fail(failure)
      this.#refusal.note(failure)
      turn.fail(failure)
      // A store that is away fails whoever waits, instead of trying each job for itself.
      if (turn.messages === 0) for (const job of this.#jobs.splice(0)) this.#giveUp(job, failure)
    }
  }

  #giveUp(job: Job, failure: unknown): void {
    this.#waitingBytes -= job.bytes
    job.fail(failure)
  }

  async #commit(turn: Turn): Promise<void> {
    const { batch } = turn
    const mark = this.#clock.now()
    const tallies = await retrying(() =>
      usingTransaction(this.#store.pool, async (client) => {
        const written = await commitBatch(client, batch, this.#writer.id, this.#memory, this.#hook)
        await this.#committed.write(client, batch.hashes)
        return written
      }),
    )
    settleBatch(batch, this.#withNewDetail, this.#unflushed)
    this.#groups.note(batch.newEndpoints)
    this.#groups.note(batch.changedEndpoints)
    this.#committed.settle(batch.hashes)
    for (const tier of ['COUNTS', 'DETAILS'] as const) {
      if (tallies[tier].isEmpty) continue
      this.#tallies[tier].tally.add(tallies[tier])
      this.#tallies[tier].rows++
    }
    this.#clock.add('write', turn.messages, mark)
  }

  async #evaluate(isThorough: boolean): Promise<void> {
    const mark = this.#clock.now()
    const flush = () => this.#foldAll()
    const count = await this.#movingTries(() =>
      evaluateTries(this.#store, this.#memory, this.#writer.id, isThorough, flush),
    )
    this.#clock.add('evaluate', count, mark)
  }

  /** Lets work change tries and move endpoints in the store by them. */
  async #movingTries<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      // The tries have moved already, and the store has not; a decision that is turned down has changed nothing.
      if (!(error instanceof Failure)) this.#reset()
      throw error
    }
  }

  async #foldAll(): Promise<void> {
    if (this.#writer.hasLeft) await this.#writer.adoptDead()
    await this.#fold('COUNTS')
    await this.#fold('DETAILS')
  }

  async #fold(tier: TallyTier): Promise<void> {
    const held = this.#tallies[tier]
    if (held.rows === 0) return
    const mark = this.#clock.now()
    if (tier === 'DETAILS') this.#unflushed.addTo(held.tally)
    const covered = { writer: this.#writer.id, tier, rows: held.rows }
    try {
      const isFolded = await retrying(() =>
        usingTransaction(this.#store.pool, async (client) => {
          const done = await foldTally(client, held.tally, covered)
          if (!done) throw new Failure('TALLIES_ADOPTED', {})
          if (tier === 'DETAILS') await writeDetails(client, [...this.#withNewDetail])
          return done
        }),
      )
      if (isFolded) {
        this.#tallies[tier] = { tally: new Tally(), rows: 0 }
        if (tier === 'DETAILS') this.#detailsWritten()
      }
      this.#clock.add('fold', 0, mark)
    } catch (error) {
      this.#reset()
      throw error
    }
  }

  #detailsWritten(): void {
    for (const fact of this.#withNewDetail) fact.hasNewDetail = false
    this.#withNewDetail.clear()
    this.#unflushed.clear()
  }

  async #maintain(): Promise<void> {
    await this.#evaluate(true)
    await saveEvidence(this.#store, this.#memory, this.#writer.id)
    await this.#writer.adoptDead()
    await purgeExpired(this.#store)
    await markMissedFacts(this.#store)
    await forgetOldAttacks(this.#store.pool)
    this.#memory.trim()
  }

  #regroup(): void {
    this.#groups.run().catch((error: unknown) => this.onTrouble(error))
  }

  async #refreshSettings(): Promise<void> {
    await this.#settings.refresh(() => this.#foldAll())
    await this.#committed.catchUp()
    await this.#learnFromOthers()
  }

  async #learnFromOthers(): Promise<void> {
    const flush = () => this.#foldAll()
    const isNew = await this.#movingTries(() => this.#evidence.refresh(this.#writer.id, flush))
    if (isNew) await this.#evaluate(true)
  }

  /** Drops everything in memory after a failed transaction; own counts that are committed are folded from the store. */
  #reset(): void {
    this.#memory.clear()
    this.#groups.noteAll()
    this.#withNewDetail.clear()
    this.#unflushed.clear()
    this.#tallies.COUNTS = { tally: new Tally(), rows: 0 }
    this.#tallies.DETAILS = { tally: new Tally(), rows: 0 }
    this.#writer.renew()
  }

  /** Runs work in the engine's one line. */
  #inLine<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#line.then(work)
    this.#line = result.catch(() => {}) // the caller of `work` hears of it; the line goes on
    return result
  }

  #beat(): void {
    this.#writer.beat().catch((error: unknown) => this.onTrouble(error))
  }

  #every(ms: number, work: () => Promise<void>): void {
    this.#timers.push(
      setInterval(() => {
        this.#inLine(work).catch((error: unknown) => this.onTrouble(error))
      }, ms),
    )
  }

  /** Hears of trouble in background work; replaced by the owner of the engine. */
  onTrouble: (error: unknown) => void = () => {}
}
