import type { Batch } from './batch.ts'
import type { EndpointState } from './endpoint-state.ts'
import type { Memory } from './memory.ts'
import { hashKey, type RecentMessages } from './message-hashes.ts'
import { markDuplicate, observeAll, type Passage } from './observer.ts'
import type { ExchangeOutcome, IngestOutcome, ObserveOutcome } from './port.ts'
import type { StageClock } from './stages.ts'

/** A message that is no exchange. */
export interface Rejection {
  index: number
  reason: string
}

/** What a job brings: exchanges, and messages that are none. */
export interface JobInput {
  passages: Passage[]
  rejected: Rejection[]
}

/** One request for the inventory that waits for its transaction. */
export interface Job {
  bytes: number
  read: () => JobInput
  finish: (results: readonly PassageResult[], rejected: readonly Rejection[]) => void
  fail: (error: unknown) => void
}

/** What remains of an exchange once it is learned; the exchange itself can be collected. */
export interface PassageResult {
  index: number
  outcome: ExchangeOutcome
  endpoint: EndpointState | null
}

/** The jobs of one transaction. */
export class Turn {
  readonly batch: Batch
  readonly #inTurn = new Set<number>()
  readonly #group: { job: Job; results: PassageResult[]; rejected: Rejection[] }[] = []
  messages = 0

  constructor(batch: Batch) {
    this.batch = batch
  }

  /**
   * Reads a job and learns its exchanges into the batch. A job that cannot be read fails by itself; an error while
   * learning concerns the whole turn and is thrown, after the job was noted among those to fail.
   */
  async take(job: Job, memory: Memory, recent: RecentMessages, clock: StageClock): Promise<void> {
    let input: JobInput
    const mark = clock.now()
    try {
      input = job.read()
    } catch (error) {
      job.fail(error)
      return
    }
    const entry: { job: Job; results: PassageResult[]; rejected: Rejection[] } = {
      job,
      results: [],
      rejected: input.rejected,
    }
    this.#group.push(entry)
    if (input.rejected.length > 0) this.batch.count('OTHER', 'rejected', input.rejected.length)
    this.#markDuplicates(input.passages, recent)
    clock.add('parse', input.passages.length, mark)
    this.messages += input.passages.length
    await observeAll(input.passages, memory, this.batch, clock)
    entry.results = input.passages.map((passage) => ({
      index: passage.index,
      outcome: passage.outcome!,
      endpoint: passage.endpoints[0]?.state ?? null,
    }))
  }

  /** Answers every job after the commit. */
  finish(): void {
    for (const { job, results, rejected } of this.#group) job.finish(results, rejected)
  }

  /** Fails every job that was read. */
  fail(error: unknown): void {
    for (const { job } of this.#group) job.fail(error)
  }

  #markDuplicates(passages: readonly Passage[], recent: RecentMessages): void {
    for (const passage of passages) {
      const key = hashKey(passage.hash)
      if (passage.outcome === null && (this.#inTurn.has(key) || recent.has(passage.hash)))
        markDuplicate(passage)
      if (passage.outcome !== null) continue
      this.#inTurn.add(key)
      this.batch.hashes.push(passage.hash)
    }
  }
}

/** The answer to a live batch. What an admission rule refused was received in order: the ledger accounts for it. */
export function ingestOutcome(
  results: readonly PassageResult[],
  rejected: readonly Rejection[],
): IngestOutcome {
  const refused = [...rejected]
  let accepted = 0
  let duplicates = 0
  for (const { index, outcome } of results) {
    if (outcome.taken) accepted++
    else if (outcome.rule === 'duplicate') duplicates++
    else if (UNPLACED.has(outcome.rule)) refused.push({ index, reason: outcome.reason })
    else accepted++
  }
  refused.sort((a, b) => a.index - b.index)
  return { accepted, duplicates, rejected: refused }
}

/** Rules by which a message found no collection: the sender can do something about it. */
const UNPLACED = new Set(['no-host', 'no-collection', 'deactivated'])

/** The answer to an import's slice. */
export function observeOutcome(results: readonly PassageResult[]): ObserveOutcome {
  const outcomes = results.map(({ outcome, endpoint }) =>
    outcome.taken ? { taken: true as const, endpointId: endpoint?.id ?? 0 } : outcome,
  )
  const taken = outcomes.filter((outcome) => outcome.taken).length
  const duplicates = outcomes.filter((outcome) => !outcome.taken && outcome.rule === 'duplicate').length
  return { outcomes, taken, duplicates, dropped: outcomes.length - taken - duplicates }
}
