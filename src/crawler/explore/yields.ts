import { WORK_KINDS, type WorkKind } from './frontier.ts'

/** Share of the time that every class gets, however little it brings. A page that nobody has seen may be the best one. */
const LEAST_SHARE: Readonly<Record<WorkKind, number>> = { load: 0.15, explore: 0.25, probe: 0.1 }
/** Seconds of work before shares are looked at. */
const LEAST_SECONDS = 40
/** Half of what was learned is forgotten after this many seconds of work of that kind. */
const HALF_LIFE = 60

interface Account {
  seconds: number
  finds: number
}

/**
 * Which class of work brings most new kinds of requests for a second. Loads win at the start by what is assumed of them;
 * every class keeps a share of the turns and of the time, so that none starves: a probe takes a tenth of a second, an
 * exploration many.
 */
export class Yields {
  readonly #accounts: Record<WorkKind, Account> = {
    load: { seconds: 2, finds: 4 },
    explore: { seconds: 2, finds: 1 },
    probe: { seconds: 2, finds: 1.5 },
  }
  readonly #spent: Record<WorkKind, number> = { load: 0, explore: 0, probe: 0 }
  #turn = 0

  /** Notes seconds spent on a class and what they brought. */
  note(kind: WorkKind, seconds: number, finds: number): void {
    const account = this.#accounts[kind]
    const kept = 0.5 ** (seconds / HALF_LIFE)
    this.#spent[kind] += seconds
    account.seconds = account.seconds * kept + seconds
    account.finds = account.finds * kept + finds
  }

  /** Classes in the order in which they should be tried now. */
  order(): WorkKind[] {
    const sorted = [...WORK_KINDS].sort((left, right) => this.rate(right) - this.rate(left))
    const total = this.#spent.load + this.#spent.explore + this.#spent.probe
    // The one that had least of what it should have.
    const had = (kind: WorkKind): number => this.#spent[kind] / LEAST_SHARE[kind]
    const [neglected] = sorted
      .filter((kind) => had(kind) < total)
      .sort((left, right) => had(left) - had(right))
    if (neglected !== undefined && total > LEAST_SECONDS)
      sorted.unshift(...sorted.splice(sorted.indexOf(neglected), 1))
    const turn = ++this.#turn
    if (turn % 20 === 0) sorted.unshift(sorted.pop()!)
    else if (turn % 10 === 0 && sorted[1]) sorted.unshift(...sorted.splice(1, 1))
    return sorted
  }

  /** Share of the time so far that a class had, 0 to 1. */
  shareOf(kind: WorkKind): number {
    const total = this.#spent.load + this.#spent.explore + this.#spent.probe
    return total === 0 ? 0 : this.#spent[kind] / total
  }

  /** Finds for a second of work. */
  rate(kind: WorkKind): number {
    const account = this.#accounts[kind]
    return (account.finds + 0.05) / (account.seconds + 1)
  }
}
