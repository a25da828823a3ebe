import type { Sender } from '../../http/sender/index.ts'
import { RunGate } from '../../testing/index.ts'

/** The part of an execution's limits that this process has at the moment; none at first. */
export class RequestShare {
  /** How many checks may run at once in this process. */
  readonly gate = new RunGate(0)
  #requests = 0
  #sender: Sender | null = null

  /** Requests at once that this process has: its share, or those under way where they are still more. */
  get held(): number {
    return Math.max(this.#requests, this.#sender?.underWay ?? 0)
  }

  get isEmpty(): boolean {
    return this.#requests === 0
  }

  /** @param requests most requests at once; a rate is divided in the same way */
  set(requests: number): void {
    this.#requests = requests
    this.gate.limit = requests
    this.#sender?.share(requests)
  }

  /** Divides what a sender of the execution sends from now on. */
  divide(sender: Sender): void {
    this.#sender = sender
    sender.share(this.#requests)
  }
}
