import type { ExchangeOutcome, IngestOutcome, ObserveOutcome } from '../port.ts'
import type { EndpointState } from '../state/index.ts'
import { REJECTED } from './observer.ts'

/** Collects what became of the messages of one job, in any order, and answers once they are committed. */
export interface Answer {
  /** The message was no exchange. */
  reject(index: number, reason: string): void
  note(index: number, outcome: ExchangeOutcome, endpoint: EndpointState | null): void
  finish(): void
}

/** The answer to a live batch: the same outcomes that the ledger counts. */
export class IngestAnswer implements Answer {
  readonly #resolve: (outcome: IngestOutcome) => void
  readonly #refused: { index: number; reason: string }[] = []
  readonly #dropped = new Map<string, number>()
  #accepted = 0
  #duplicates = 0

  constructor(resolve: (outcome: IngestOutcome) => void) {
    this.#resolve = resolve
  }

  reject(index: number, reason: string): void {
    this.#refused.push({ index, reason })
  }

  note(index: number, outcome: ExchangeOutcome): void {
    if (outcome.taken) this.#accepted++
    else if (outcome.rule === 'duplicate') this.#duplicates++
    else if (outcome.rule === REJECTED) this.reject(index, outcome.reason)
    else this.#dropped.set(outcome.rule, (this.#dropped.get(outcome.rule) ?? 0) + 1)
  }

  finish(): void {
    this.#refused.sort((a, b) => a.index - b.index)
    this.#resolve({
      accepted: this.#accepted,
      duplicates: this.#duplicates,
      rejected: this.#refused,
      dropped: Object.fromEntries(this.#dropped),
    })
  }
}

/** The answer to an import's slice: what became of each exchange. */
export class ObserveAnswer implements Answer {
  readonly #resolve: (outcome: ObserveOutcome) => void
  readonly #results: { outcome: ExchangeOutcome; endpoint: EndpointState | null }[] = []

  constructor(resolve: (outcome: ObserveOutcome) => void) {
    this.#resolve = resolve
  }

  reject(index: number, reason: string): void {
    this.note(index, { taken: false, rule: REJECTED, reason }, null)
  }

  note(index: number, outcome: ExchangeOutcome, endpoint: EndpointState | null): void {
    this.#results[index] = { outcome, endpoint }
  }

  finish(): void {
    // Endpoints have their ids only now.
    const outcomes = this.#results.map(({ outcome, endpoint }) =>
      outcome.taken ? { taken: true as const, endpointId: endpoint?.id ?? 0 } : outcome,
    )
    const taken = outcomes.filter((outcome) => outcome.taken).length
    const duplicates = outcomes.filter((outcome) => !outcome.taken && outcome.rule === 'duplicate').length
    this.#resolve({ outcomes, taken, duplicates, dropped: outcomes.length - taken - duplicates })
  }
}
