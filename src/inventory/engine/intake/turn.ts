import type { LiveExchange } from '../../../http/index.ts'
import {
  type ActiveSpan,
  beginSpan,
  errorType,
  Failure,
  nowSeconds,
  type TraceContext,
  type WorkContext,
} from '../../../kit/index.ts'
import type { MessageHash } from '../counts/index.ts'
import type { Memory } from '../place/index.ts'
import type { Placement } from '../port.ts'
import type { Answer } from './answer.ts'
import type { Batch } from './batch.ts'
import type { CommittedMessages } from './committed-messages.ts'
import { foundMessage } from './findings.ts'
import { type HashSet, hashDelivery, hashExchange } from './message-hashes.ts'
import { type IngestItem, ingestItemOf, markDuplicate, observeLater, observeNow } from './observer.ts'
import type { Ordinals } from './ordinals.ts'
import type { StageClock } from './stages.ts'

/** What a job brings, message by message: what was read of one can be collected before the next is read. */
export interface JobInput {
  readonly count: number
  readonly placement: Placement
  /** Collection that the sender named for all of it; it must be able to take them. */
  readonly target: number | null
  /** Tells apart equal messages; one of its own, or that of a running import. */
  readonly ordinals: Ordinals
  /** What was found in its messages, by index; null: nobody found anything. */
  readonly findings: ReadonlyMap<number, unknown> | null
  /** What a stream calls each message at every delivery, by index; null when the messages came by another way. */
  readonly deliveries: readonly string[] | null
  /** The exchange at an index, asked for once; a text says why the message is none. */
  readonly exchangeAt: (index: number) => LiveExchange | string
}

/** One request for the inventory that waits for its transaction. */
export interface Job {
  bytes: number
  /** What it is done for. */
  context: WorkContext | null
  read: () => JobInput
  answer: Answer
  fail: (error: unknown) => void
}

/** What outlives a turn and is the same for all. */
interface TurnTools {
  readonly memory: Memory
  readonly committed: CommittedMessages
  readonly clock: StageClock
  /** Messages of the turn; emptied when one begins. */
  readonly inTurn: HashSet
}

/** The jobs of one transaction. */
export class Turn {
  readonly batch: Batch
  readonly #tools: TurnTools
  readonly #jobs: Job[] = []
  /** Of what the first job is done for; the traces of the others are its links. */
  #span: ActiveSpan | null = null
  readonly #links: TraceContext[] = []
  #taken = 0
  messages = 0

  constructor(batch: Batch, tools: TurnTools) {
    this.batch = batch
    this.#tools = tools
    tools.inTurn.clear()
  }

  /**
   * Reads a job and learns its exchanges into the batch. A job that cannot be read fails by itself; an error while
   * learning concerns the whole turn and is thrown, after the job was noted among those to fail.
   */
  async take(job: Job): Promise<void> {
    const { clock, memory } = this.#tools
    let input: JobInput
    let mark = clock.now()
    this.#noteContext(job)
    try {
      input = job.read()
    } catch (error) {
      job.fail(error)
      return
    }
    this.#jobs.push(job)
    const refusal = await targetRefusal(memory, input.target)
    if (refusal !== null) {
      this.#jobs.pop()
      job.fail(new Failure(refusal, {}))
      return
    }
    mark = clock.add('parse', input.count, mark)
    this.messages += input.count
    const waiting = this.#learnKnown(input, job.answer)
    mark = clock.add('learn', input.count, mark)
    if (waiting.length === 0) return
    await observeLater(waiting, memory, this.batch, nowSeconds())
    for (const item of waiting) this.#note(item, job.answer, input)
    clock.add('load', waiting.length, mark)
  }

  #noteContext({ context }: Job): void {
    this.#taken++
    if (this.#taken === 1) this.#span = beginSpan('ingest transaction', { context, links: this.#links })
    else if (this.#span !== null && context?.trace) this.#links.push(context.trace)
  }

  /** What is done within the span of the turn is done for; null when it has none. */
  get context(): WorkContext | null {
    return this.#span === null ? null : { requestId: null, trace: this.#span.context }
  }

  #endSpan(failure: string | null): void {
    if (this.#span === null) return
    Object.assign(this.#span.attributes, { 'vigil.batches': this.#taken, 'vigil.messages': this.messages })
    this.#span.end(failure)
  }

  /**
   * Reads and learns one message after the other, so that what was read of it dies young.
   *
   * @returns those that need something from the store first
   */
  #learnKnown(input: JobInput, answer: Answer): IngestItem[] {
    const { memory } = this.#tools
    const { batch } = this
    const now = nowSeconds()
    const waiting: IngestItem[] = []
    for (let index = 0; index < input.count; index++) {
      const exchange = input.exchangeAt(index)
      if (typeof exchange === 'string') {
        batch.count('OTHER', 'rejected')
        answer.reject(index, exchange)
        continue
      }
      const item = ingestItemOf(exchange, input.placement, index)
      item.hash = this.#newHash(exchange, input, index)
      if (item.hash === null) markDuplicate(item)
      else if (!observeNow(item, memory, batch, now)) {
        waiting.push(item)
        continue
      }
      this.#note(item, answer, input)
    }
    return waiting
  }

  /** The hash of a message, remembered with the transaction; null when the message was accepted before. */
  #newHash(exchange: LiveExchange, input: JobInput, index: number): MessageHash | null {
    const { placement, ordinals, deliveries } = input
    const { inTurn, committed } = this.#tools
    const place = 'collectionId' in placement ? placement.collectionId : 0
    let hash: MessageHash
    if (deliveries !== null && exchange.messageId === undefined) hash = hashDelivery(deliveries[index]!)
    else {
      hash = hashExchange(exchange, 0, place)
      const ordinal = ordinals.next(hash)
      if (ordinal > 0) {
        if (exchange.messageId !== undefined) return null
        hash = hashExchange(exchange, ordinal, place)
      }
    }
    if (committed.has(hash) || !inTurn.add(hash)) return null
    this.batch.hashes.push(hash)
    return hash
  }

  #note(item: IngestItem, answer: Answer, { findings }: JobInput): void {
    const outcome = item.outcome!
    if (findings?.has(item.index)) this.#keepFinding(item, findings.get(item.index))
    this.batch.count(item.exchange.source, outcome.taken ? 'accepted' : outcome.rule)
    answer.note(item.index, outcome, item.endpoint)
  }

  #keepFinding(item: IngestItem, finding: unknown): void {
    const message = foundMessage(item, finding, this.batch.rules)
    if (message !== null) this.batch.found.push(message)
  }

  /** Answers every job after the commit. */
  finish(): void {
    this.#endSpan(null)
    for (const job of this.#jobs) job.answer.finish()
  }

  /** Fails every job that was read. */
  fail(error: unknown): void {
    this.#endSpan(errorType(error))
    for (const job of this.#jobs) job.fail(error)
  }
}

/** Why a collection named for a whole job cannot take it; null when it can, or when none was named. */
async function targetRefusal(memory: Memory, id: number | null): Promise<string | null> {
  if (id === null) return null
  await memory.loadCollections([id])
  const collection = memory.collections.get(id)
  if (collection === undefined) return 'NO_SUCH_COLLECTION'
  if (collection.kind === 'GROUP') return 'GROUP_TARGET'
  return collection.isDeactivated ? 'DEACTIVATED_TARGET' : null
}
