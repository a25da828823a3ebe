import { hexDigit } from './char-flags.ts'
import type { LeafStore } from './leaf-store.ts'

/**
 * Decodes the percent code at `at` (RFC 3986 section 2.1) and what belongs to it, appends the character, returns the
 * position behind it; `at` itself when there is none. Reads `%uXXXX` too, and UTF-8 as a careless server would: overlong
 * forms of up to six bytes stand for their character (CWE-176); bytes that make no UTF-8 stand for themselves.
 */
export function decodePercent(store: LeafStore, at: number, end: number): number {
  const { units } = store
  const next = units[at + 1]
  if (next === 117 || next === 85) {
    const code = at + 6 <= end ? hexRun(units, at + 2, 4) : -1
    if (code < 0) return at
    store.put(code)
    return at + 6
  }
  const byte = percentByte(units, at, end)
  if (byte < 0) return at
  if (byte < 0x80) {
    store.put(byte)
    return at + 3
  }
  return decodeUtf8(store, byte, at, end)
}

/** A form as servers read it: `+` is a space, percent codes are decoded once. Returns false when nothing changes. */
export function decodeFormText(store: LeafStore, start: number, end: number, plusIsSpace: boolean): boolean {
  const { units } = store
  const from = store.used
  let changed = false
  for (let i = start; i < end; ) {
    const unit = units[i]!
    if (unit === 37) {
      const next = decodePercent(store, i, end)
      if (next > i) {
        changed = true
        i = next
        continue
      }
    }
    if (unit === 43 && plusIsSpace) {
      changed = true
      store.put(32)
    } else store.put(unit)
    i++
  }
  if (!changed) store.used = from
  return changed
}

function percentByte(units: Uint16Array, at: number, end: number): number {
  if (at + 3 > end || units[at] !== 37) return -1
  const high = hexDigit(units[at + 1])
  const low = hexDigit(units[at + 2])
  return high < 0 || low < 0 ? -1 : high * 16 + low
}

function decodeUtf8(store: LeafStore, lead: number, at: number, end: number): number {
  const { units } = store
  const more = continuationsOf(lead)
  let code = more === 0 ? 0 : lead & (0x3f >> more)
  let next = at + 3
  for (let i = 0; i < more; i++) {
    const byte = percentByte(units, next, end)
    // Two-byte forms of ASCII are also read by servers that look only at the low six bits.
    const fits = byte >= 0x80 ? byte < 0xc0 : byte >= 0 && (lead === 0xc0 || lead === 0xc1)
    if (!fits) {
      store.put(lead)
      return at + 3
    }
    code = code * 64 + (byte & 0x3f)
    next += 3
  }
  store.putCodePoint(more === 0 ? lead : code)
  return next
}

/** How many bytes follow a lead byte, up to the five of the oldest definition of UTF-8; 0 for a byte that leads none. */
export function continuationsOf(lead: number): number {
  if (lead < 0xc0 || lead > 0xfd) return 0
  if (lead < 0xe0) return 1
  if (lead < 0xf0) return 2
  if (lead < 0xf8) return 3
  return lead < 0xfc ? 4 : 5
}

/** Number of `count` hexadecimal digits; -1 when one is none. */
export function hexRun(units: Uint16Array, start: number, count: number): number {
  let value = 0
  for (let i = start; i < start + count; i++) {
    const digit = hexDigit(units[i])
    if (digit < 0) return -1
    value = value * 16 + digit
  }
  return value
}
