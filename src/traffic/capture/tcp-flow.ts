/** Bytes of one direction of a connection without a gap. */
export interface Run {
  /** Position of its first byte in the direction, in bytes from an arbitrary zero: sequence numbers that do not begin again. */
  readonly start: number
  readonly bytes: Buffer
  /** Positions within `bytes` at which packets begin, ascending. */
  readonly marks: readonly Mark[]
}

export interface Mark {
  readonly offset: number
  /** Number of the packet in the file. */
  readonly packet: number
  readonly seconds: number
  /** Sequence number up to which its sender had received the other direction. */
  readonly acknowledged: number
}

/** Numbers that are kept of each segment, one behind the other: captures have millions of them. */
const FIELDS = 6

/**
 * One direction of a TCP connection: segments in any order, repeated, overlapping or missing. Only their places in the
 * file are kept until they are put together.
 */
export class TcpFlow {
  /** Position, place in the file, length, packet, time and acknowledgement of each segment. */
  readonly #segments: number[] = []
  #lastSequence = 0
  #lastPosition = 0
  /** Position of the first byte; undefined when the beginning was not captured. */
  #first: number | undefined

  get isEmpty(): boolean {
    return this.#segments.length === 0
  }

  /** Whether the beginning of the connection was captured. */
  get hasBeginning(): boolean {
    return this.#first !== undefined
  }

  /** Notes where the stream begins. */
  begin(sequence: number): void {
    this.#first = this.#positionOf(sequence) + 1
  }

  add(sequence: number, segment: { start: number; end: number } & Omit<Mark, 'offset'>): void {
    const { start, end, packet, seconds, acknowledged } = segment
    const position = this.#positionOf(sequence)
    this.#segments.push(position, start, end - start, packet, seconds, acknowledged)
  }

  /** Sequence numbers begin again after 4 GiB; positions do not. */
  #positionOf(sequence: number): number {
    const isFirst = this.#segments.length === 0 && this.#first === undefined
    const position = isFirst ? sequence : this.#lastPosition + ((sequence - this.#lastSequence) | 0)
    this.#lastSequence = sequence
    this.#lastPosition = position
    return position
  }

  /** The stream as far as it was captured. Where segments overlap, the one captured first counts. */
  runs(file: Buffer): Run[] {
    const runs: Run[] = []
    let parts: Buffer[] = []
    let marks: Mark[] = []
    let start = 0
    let next = Number.NEGATIVE_INFINITY
    const finish = (): void => {
      if (parts.length > 0) runs.push({ start, bytes: Buffer.concat(parts), marks })
    }
    for (const at of this.#order()) {
      const position = this.#segments[at]!
      const place = this.#segments[at + 1]!
      const length = this.#segments[at + 2]!
      const isGap = position > next
      if (isGap) {
        finish()
        parts = []
        marks = []
        start = position
        next = position
      }
      const known = next - position
      if (known >= length) continue
      marks.push({
        offset: next - start,
        packet: this.#segments[at + 3]!,
        seconds: this.#segments[at + 4]!,
        acknowledged: this.#segments[at + 5]!,
      })
      parts.push(file.subarray(place + known, place + length))
      next = position + length
    }
    finish()
    return runs
  }

  /** Indexes of segments by position, those of one position in the order of the file. */
  #order(): Uint32Array {
    const count = this.#segments.length / FIELDS
    const order = Uint32Array.from({ length: count }, (_, i) => i * FIELDS)
    const position = (at: number): number => this.#segments[at]!
    return order.sort((a, b) => position(a) - position(b) || a - b)
  }

  /** Whether the beginning was captured and nothing is missing in between. */
  isWhole(runs: readonly Run[]): boolean {
    return runs.length === 0 ? this.hasBeginning : runs.length === 1 && runs[0]!.start === this.#first
  }
}
