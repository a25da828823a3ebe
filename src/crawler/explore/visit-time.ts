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

/** How long a visit to a page goes on. */
export class VisitTime {
  readonly #clock: () => number
  readonly #lastEndMs: number
  #endMs = 0
  #actions = 0
  #vain = 0

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
    this.#lastEndMs = clock() + VISIT_MS
    this.slice()
  }

  get isOver(): boolean {
    const now = this.#clock()
    return now > this.#lastEndMs || (now > this.#endMs && this.#actions >= LEAST_ACTIONS)
  }

  /** Actions so far. */
  get actions(): number {
    return this.#actions
  }

  noteAction(): void {
    this.#actions++
  }

  /** Notes whether an action showed what nobody had seen, and whether at least in another state. */
  noteNews(isNews: boolean, isNewState: boolean): void {
    this.#vain = isNews ? 0 : this.#vain + (isNewState ? 0.5 : 1)
  }

  /** Whether nothing new shows any more, on the page or below it; counted anew then. */
  takeVain(isBelow: boolean): boolean {
    if (this.#vain < (isBelow ? VAIN_BELOW : VAIN)) return false
    this.#vain = 0
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
