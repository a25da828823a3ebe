import { unreadable } from '../failures.ts'
import type { ImportReportWriter } from '../import-report.ts'

/** One captured frame: a part of the file from `start` to `end`. */
export interface CapturedPacket {
  /** From 1, as packet analysers count. */
  readonly number: number
  /** Kind of its outermost header, a LINKTYPE value. */
  readonly linkType: number
  /** Seconds since 1970, with fractions; 0 when the file does not tell. */
  readonly seconds: number
  readonly start: number
  readonly end: number
}

interface Place {
  readonly isLittle: boolean
  at: number
  count: number
}

/** An interface of a pcapng section. */
interface CaptureInterface {
  readonly linkType: number
  readonly snapLength: number
  readonly unitsPerSecond: number
  readonly offsetSeconds: number
}

/** Longest packet that capture programs write; a longer one is a damaged file. */
const MAX_PACKET = 16_777_216
const MAX_INTERFACES = 10_000
const PCAPNG = 0x0a0d0d0a
const PCAPNG_ORDER = 0x1a2b3c4d
const MICROSECONDS = 0xa1b2c3d4
const NANOSECONDS = 0xa1b23c4d
const BLOCK = { interface: 1, obsoletePacket: 2, simplePacket: 3, enhancedPacket: 6 } as const
const OPTION = { end: 0, resolution: 9, offset: 14 } as const

/** True when the bytes begin like a capture file: pcap of either byte order and resolution, or pcapng. */
export function isPacketFile(head: Buffer): boolean {
  if (head.length < 4) return false
  const big = head.readUInt32BE(0)
  const little = head.readUInt32LE(0)
  return big === PCAPNG || [big, little].some((magic) => magic === MICROSECONDS || magic === NANOSECONDS)
}

/**
 * The packets of a pcap or pcapng file in their order. A file that was cut off, or is damaged further on, gives what
 * stands before that place, which the report tells.
 * @throws Failure INVALID_IMPORT when not even its header can be read
 */
export function packetsOf(bytes: Buffer, report: ImportReportWriter): Generator<CapturedPacket> {
  return bytes.readUInt32BE(0) === PCAPNG ? sectionsOf(bytes, report) : recordsOf(bytes, report)
}

/** Ends reading at a damaged place. */
function stop(report: ImportReportWriter, { at, count }: Place, reason: string): void {
  report.stop(`packet ${count + 1} (byte ${at})`, reason)
}

function recordsOf(bytes: Buffer, report: ImportReportWriter): Generator<CapturedPacket> {
  if (bytes.length < 24) throw unreadable('pcap', 'the file ends within its header', `byte ${bytes.length}`)
  const big = bytes.readUInt32BE(0)
  const isLittle = big !== MICROSECONDS && big !== NANOSECONDS
  const units = number32(bytes, 0, isLittle) === NANOSECONDS ? 1e9 : 1e6
  // The upper bits tell of frame check sequences.
  const linkType = number32(bytes, 20, isLittle) & 0xffff
  return readRecords(bytes, report, { isLittle, at: 24, count: 0 }, { linkType, units })
}

function* readRecords(
  bytes: Buffer,
  report: ImportReportWriter,
  place: Place,
  { linkType, units }: { linkType: number; units: number },
): Generator<CapturedPacket> {
  while (place.at < bytes.length) {
    const { at, isLittle } = place
    if (bytes.length - at < 16) return stop(report, place, 'the file ends within the header of this packet')
    const length = number32(bytes, at + 8, isLittle)
    if (length > MAX_PACKET) return stop(report, place, `it claims ${length} bytes: the file is damaged here`)
    const start = at + 16
    if (start + length > bytes.length) return stop(report, place, 'the file ends within this packet')
    const seconds = number32(bytes, at, isLittle) + number32(bytes, at + 4, isLittle) / units
    place.count++
    place.at = start + length
    yield { number: place.count, linkType, seconds, start, end: place.at }
  }
}

function sectionsOf(bytes: Buffer, report: ImportReportWriter): Generator<CapturedPacket> {
  if (bytes.length < 28) throw unreadable('pcap', 'the file ends within its header', `byte ${bytes.length}`)
  if (orderOf(bytes, 0) === undefined)
    throw unreadable('pcap', 'the byte order of its section is unknown', 'byte 8')
  return readBlocks(bytes, report)
}

/** Whether a section that begins at a place is little-endian; undefined when it is neither. */
function orderOf(bytes: Buffer, at: number): boolean | undefined {
  if (bytes.readUInt32LE(at + 8) === PCAPNG_ORDER) return true
  return bytes.readUInt32BE(at + 8) === PCAPNG_ORDER ? false : undefined
}

function* readBlocks(bytes: Buffer, report: ImportReportWriter): Generator<CapturedPacket> {
  let place: Place = { isLittle: true, at: 0, count: 0 }
  let interfaces: CaptureInterface[] = []
  while (place.at < bytes.length) {
    const { at } = place
    if (bytes.length - at < 12) return stop(report, place, 'the file ends within a block')
    const isSection = bytes.readUInt32BE(at) === PCAPNG
    if (isSection) {
      const isLittle = orderOf(bytes, at)
      if (isLittle === undefined) return stop(report, place, 'the byte order of this section is unknown')
      place = { ...place, isLittle }
      interfaces = []
    }
    const length = number32(bytes, at + 4, place.isLittle)
    if (length < 12 || length % 4 !== 0)
      return stop(report, place, `a block claims ${length} bytes: the file is damaged here`)
    if (at + length > bytes.length) return stop(report, place, 'the file ends within a block')
    const body = bytes.subarray(at + 8, at + length - 4)
    const kind = number32(bytes, at, place.isLittle)
    if (kind === BLOCK.interface && body.length >= 8) {
      if (interfaces.length >= MAX_INTERFACES) return stop(report, place, 'it has too many interfaces')
      interfaces.push(readInterface(body, place.isLittle))
    }
    const packet = readPacket(body, kind, place.isLittle, interfaces)
    if (packet === 'damaged') return stop(report, place, 'the lengths of this packet do not fit')
    if (packet !== undefined) {
      place.count++
      const { linkType, seconds, offset, length: captured } = packet
      const start = at + 8 + offset
      yield { number: place.count, linkType, seconds, start, end: start + captured }
    }
    place.at = at + length
  }
}

function readInterface(body: Buffer, isLittle: boolean): CaptureInterface {
  let unitsPerSecond = 1e6
  let offsetSeconds = 0
  for (let at = 8; at + 4 <= body.length; ) {
    const code = number16(body, at, isLittle)
    const length = number16(body, at + 2, isLittle)
    const value = body.subarray(at + 4, at + 4 + length)
    if (code === OPTION.end) break
    if (code === OPTION.resolution && value.length === 1)
      unitsPerSecond = value[0]! & 0x80 ? 2 ** (value[0]! & 0x7f) : 10 ** value[0]!
    if (code === OPTION.offset && value.length === 8)
      offsetSeconds = Number(isLittle ? value.readBigInt64LE() : value.readBigInt64BE())
    at += 4 + Math.ceil(length / 4) * 4
  }
  const snapLength = number32(body, 4, isLittle) || MAX_PACKET
  return { linkType: number16(body, 0, isLittle), snapLength, unitsPerSecond, offsetSeconds }
}

type BlockPacket = { linkType: number; seconds: number; offset: number; length: number }

/** What one block holds of a packet; undefined when it is of another kind. */
function readPacket(
  body: Buffer,
  kind: number,
  isLittle: boolean,
  interfaces: readonly CaptureInterface[],
): BlockPacket | 'damaged' | undefined {
  if (kind === BLOCK.simplePacket) {
    const { linkType, snapLength } = interfaces[0] ?? { linkType: -1, snapLength: 0 }
    if (body.length < 4) return 'damaged'
    const length = Math.min(number32(body, 0, isLittle), snapLength, body.length - 4)
    return { linkType, seconds: 0, offset: 4, length }
  }
  if (kind !== BLOCK.enhancedPacket && kind !== BLOCK.obsoletePacket) return undefined
  if (body.length < 20) return 'damaged'
  const id = kind === BLOCK.obsoletePacket ? number16(body, 0, isLittle) : number32(body, 0, isLittle)
  const length = number32(body, 12, isLittle)
  const from = interfaces[id]
  if (from === undefined || length > body.length - 20) return 'damaged'
  const ticks = number32(body, 4, isLittle) * 2 ** 32 + number32(body, 8, isLittle)
  const seconds = ticks / from.unitsPerSecond + from.offsetSeconds
  return { linkType: from.linkType, seconds, offset: 20, length }
}

function number32(bytes: Buffer, at: number, isLittle: boolean): number {
  return isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)
}

function number16(bytes: Buffer, at: number, isLittle: boolean): number {
  return isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at)
}
