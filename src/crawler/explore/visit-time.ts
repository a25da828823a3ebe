/** Milliseconds for one visit, and the least time after a step of a dialog or a wizard. */
const SLICE_MS = 15_000
const STEP_MS = 10_000
/** Milliseconds for one visit, whatever it leads to. */
const VISIT_MS = 90_000
/** Actions of a visit, however long they take: going there costs as much as some of them. */
const LEAST_ACTIONS = 12
/** Actions in a row that show nothing new, after which a visit makes room for others; other states count half. */
const VAIN = 8
/** The same below the page itself. */
const VAIN_BELOW = 12
/**
 * Actions in a row that find no operation, after which a visit makes room, although each of them shows something: a tree
 * of settings opens for ever.
 */
const DRY = 16
const DRY_BELOW = 24

/** Pages that wait, with which a visit makes room sooner: after this share of these actions. */
const CROWD = 12
const CROWDED_SHARE = 0.625

/** Actions of a visit after which what is on its page may be destroyed. */
const USED = 8

/** What an action may bring. */
type News = 'isNews' | 'isNewState' | 'isOperation'

/** How long a visit to a page goes on. */
export class VisitTime {
  readonly #clock: () => number
  readonly #lastEndMs: number
  #endMs = 0
  #actions = 0
  #vain = 0
  #dry = 0

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
    this.#lastEndMs = clock() + VISIT_MS
    this.slice()
  }

  get isOver(): boolean {
    const now = this.#clock()
    return now > this.#lastEndMs || (now > this.#endMs && this.#actions >= LEAST_ACTIONS)
  }

  /** Whether so much was done on the page that what is there may be destroyed. */
  get isUsed(): boolean {
    return this.#actions >= USED
  }

  noteAction(): void {
    this.#actions++
  }

  /** Notes whether an action showed what nobody had seen, or at least another state, and whether it found an operation. */
  noteNews({ isNews, isNewState, isOperation }: Readonly<Record<News, boolean>>): void {
    this.#vain = isNews ? 0 : this.#vain + (isNewState ? 0.5 : 1)
    this.#dry = isOperation ? 0 : this.#dry + 1
  }

  /**
   * Whether nothing new shows any more, on the page or below it, or no operation is found; counted anew then.
   *
   * @param waiting pages that wait for a visit, or to be loaded
   */
  takeVain(isBelow: boolean, waiting: number): boolean {
    const share = waiting >= CROWD ? CROWDED_SHARE : 1
    const [vain, dry] = isBelow ? [VAIN_BELOW, DRY_BELOW] : [VAIN, DRY]
    if (this.#vain < vain * share && this.#dry < dry * share) return false
    this.#vain = 0
    this.#dry = 0
    return true
  }

  /** There is a whole slice from now on: the page is there, or something was found and more may be. */
  slice(): void {
    this.#endMs = this.#clock() + SLICE_MS
  }

  /** A step of a dialog or a wizard that began at a moment has time for the next one. */
  step(beganMs: number): void {
    this.#endMs = Math.max(this.#endMs, beganMs + STEP_MS)
  }
}
