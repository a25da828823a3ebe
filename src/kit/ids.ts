import { randomBytes } from 'node:crypto'
import type { EpochSeconds } from './clock.ts'
import { nowSeconds } from './clock.ts'

/** 24 lowercase hex characters: 4 bytes of creation time (big-endian epoch seconds), then 8 random bytes. */
export type HexId = string

const HEX_ID = /^[0-9a-f]{24}$/

/** A new hex id carrying the current second in its first four bytes. */
export function newHexId(at: EpochSeconds = nowSeconds()): HexId {
  const bytes = Buffer.allocUnsafe(12)
  bytes.writeUInt32BE(at >>> 0, 0)
  randomBytes(8).copy(bytes, 4)
  return bytes.toString('hex')
}

/** True for a well-formed hex id. */
export function isHexId(text: string): boolean {
  return HEX_ID.test(text)
}

/** The creation second inside a hex id. */
export function hexIdSeconds(id: HexId): EpochSeconds {
  return Number.parseInt(id.slice(0, 8), 16)
}

/** The raw rendering of an id on the wire: UTC date without zone or fraction, and the second itself. */
export function renderObjectId(id: HexId): { date: string; timestamp: EpochSeconds } {
  const timestamp = hexIdSeconds(id)
  return { date: new Date(timestamp * 1000).toISOString().slice(0, 19), timestamp }
}
