import { Connection } from './connection.ts'
import { readSegment, type TcpSegment } from './packet.ts'
import type { CapturedPacket } from './packet-file.ts'

/** Most connections that are open at one time; beyond it the oldest is read as far as it was captured. */
const MAX_OPEN = 50_000
/** Ended connections that wait for packets captured out of order. */
const MAX_ENDED = 1000

/** What a capture holds beside what is read of it. */
interface CaptureCounts {
  packets: number
  fragments: number
  /** Packets of links that are not known, by their number. */
  readonly unknownLinks: Map<number, number>
}

/** The TCP connections of a capture. */
export class Connections {
  readonly counts: CaptureCounts = { packets: 0, fragments: 0, unknownLinks: new Map() }
  readonly #open = new Map<string, Connection>()
  /** Those of the open ones that ended, the oldest first. */
  readonly #ended = new Map<string, Connection>()

  #countLink(linkType: number): void {
    const { unknownLinks } = this.counts
    if (unknownLinks.size < 100) unknownLinks.set(linkType, (unknownLinks.get(linkType) ?? 0) + 1)
  }

  /** Connections, each when it ended or there are too many, and all that are left at the end. */
  *read(file: Buffer, packets: Iterable<CapturedPacket>): Generator<Connection> {
    for (const packet of packets) {
      this.counts.packets++
      const segment = readSegment(file, packet)
      if (segment === 'fragment') this.counts.fragments++
      else if (segment === 'unknown link') this.#countLink(packet.linkType)
      else if (segment !== 'other') yield* this.#add(segment, packet)
    }
    yield* this.#open.values()
    this.#open.clear()
  }

  *#add(segment: TcpSegment, packet: CapturedPacket): Generator<Connection> {
    const { source, destination, network, sequence, isSyn, start, end } = segment
    const forward = `${network}|${source}${destination}`
    const backward = `${network}|${destination}${source}`
    let key = this.#open.has(backward) ? backward : forward
    const known = this.#open.get(key)
    // The same ports again: a client that begins anew.
    if (known?.isEnded === true && isSyn) {
      this.#forget(key)
      yield known
      key = forward
    }
    const connection = this.#open.get(key) ?? new Connection([source, destination], network)
    this.#open.set(key, connection)
    const direction = key === forward ? 0 : 1
    const flow = connection.flows[direction]
    if (isSyn && !flow.hasBeginning) flow.begin(sequence)
    const mark = { packet: packet.number, seconds: packet.seconds, acknowledged: segment.acknowledged }
    const first = isSyn ? (sequence + 1) >>> 0 : sequence
    if (end > start) flow.add(first, { start, end, ...mark })
    if (segment.isReset) connection.end((1 - direction) as 0 | 1)
    if ((segment.isFin || segment.isReset) && connection.end(direction)) this.#ended.set(key, connection)
    yield* this.#makeRoom()
  }

  *#makeRoom(): Generator<Connection> {
    if (this.#ended.size > MAX_ENDED) yield* this.#take(this.#ended, MAX_ENDED)
    if (this.#open.size > MAX_OPEN) yield* this.#take(this.#open, MAX_OPEN / 10)
  }

  /** Takes the oldest out, many at once: each look at the start of a map passes over what was deleted there. */
  *#take(from: Map<string, Connection>, count: number): Generator<Connection> {
    for (const [key, connection] of [...from].slice(0, count)) {
      this.#forget(key)
      yield connection
    }
  }

  #forget(key: string): void {
    this.#open.delete(key)
    this.#ended.delete(key)
  }
}
