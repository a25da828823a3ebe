import { Failure } from '../kit/index.ts'

/** Bytes of request bodies held at one time over all calls; what does not fit is refused instead of queued. */
export class ByteBudget {
  readonly #limit: number
  #held = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Bytes held now. */
  get held(): number {
    return this.#held
  }

  /**
   * Takes bytes for one body.
   *
   * @throws Failure OVERLOADED when they do not fit now
   */
  take(bytes: number): void {
    if (this.#held + bytes > this.#limit) throw new Failure('OVERLOADED')
    this.#held += bytes
  }

  /** As {@link take}, but bytes always fit while none are held: a body larger than the budget is the only one. */
  takeOrBeAlone(bytes: number): void {
    if (this.#held > 0) this.take(bytes)
    else this.#held += bytes
  }

  /** Gives bytes back. */
  give(bytes: number): void {
    this.#held -= bytes
  }
}
