/** Bytes that are kept of the messages of a transaction; what is beyond is built at once. */
const MAX_BYTES = 8 * 1024 * 1024
const FIRST_BYTES = 256 * 1024

/** The bytes of messages that may be asked for after their batch is gone. */
export class KeptBytes {
  #bytes = Buffer.alloc(0)
  #used = 0
  /** Counts how often everything was forgotten. */
  epoch = 0

  /** Forgets all that is kept. */
  clear(): void {
    this.epoch++
    this.#used = 0
  }

  /** Copies bytes; returns where they begin, -1 when there is no room. */
  add(bytes: Uint8Array): number {
    const start = this.#used
    const end = start + bytes.length
    if (end > MAX_BYTES) return -1
    if (end > this.#bytes.length) this.#grow(end)
    this.#bytes.set(bytes, start)
    this.#used = end
    return start
  }

  text(start: number, end: number): string {
    return this.#bytes.toString('utf8', start, end)
  }

  #grow(needed: number): void {
    let length = Math.max(this.#bytes.length, FIRST_BYTES)
    while (length < needed) length *= 2
    const grown = Buffer.allocUnsafeSlow(Math.min(length, MAX_BYTES))
    this.#bytes.copy(grown, 0, 0, this.#used)
    this.#bytes = grown
  }
}
