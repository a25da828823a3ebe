import type { HeaderList } from '../../http/index.ts'
import { flagsOf } from './char-flags.ts'
import { decodeTokens } from './decode-leaves.ts'
import type { Place } from './leaf.ts'
import { PLACE, TRUNCATION } from './leaf.ts'
import type { LeafStore } from './leaf-store.ts'
import { indexOfUnit } from './read-form.ts'

/** Code units of one header block that are read. */
const MAX_BLOCK = 65_536
const COLON = 58
const SCHEME = /^(?:basic|bearer|digest|token|negotiate) +/i

/** Places of the headers of one side. */
export interface HeaderPlaces {
  readonly raw: Place
  readonly name: Place
  readonly value: Place
}

/**
 * Writes a header block as `name: value` lines, names in lower case, and adds the block (when `wantsRaw`), every name and
 * every value as leaves. Cookies are leaves apart instead of their header; the credentials behind a scheme are decoded.
 */
export function readHeaders(
  store: LeafStore,
  headers: HeaderList,
  places: HeaderPlaces,
  wantsRaw: boolean,
): void {
  const block = store.used
  for (let i = 0; i + 1 < headers.length && !store.isFull; i += 2) {
    const value = headers[i + 1]!
    if (store.used - block + headers[i]!.length + value.length > MAX_BLOCK) {
      store.truncated |= TRUNCATION.WORK
      readCutHeader(store, headers[i]!, value, places)
      continue
    }
    readHeader(store, headers[i]!, value, places)
  }
  if (wantsRaw) store.add(block, store.used, places.raw, -1, 0)
}

/** Of a block that is too long the start of each further header is read. */
function readCutHeader(store: LeafStore, name: string, value: string, places: HeaderPlaces): void {
  if (store.used < store.units.length / 4)
    readHeader(store, name.slice(0, 256), value.slice(0, 1_024), places)
}

function readHeader(store: LeafStore, name: string, value: string, places: HeaderPlaces): void {
  const nameStart = store.write(name)
  lowerCase(store.units, nameStart, store.used)
  const key = store.add(nameStart, store.used, places.name, -1)
  store.put(COLON)
  store.put(32)
  const start = store.write(value)
  const end = store.used
  store.put(10)
  if (end === start) return
  const isRequest = places.value === PLACE.REQUEST_HEADER_VALUE
  if (isRequest && name.length === 6 && name.toLowerCase() === 'cookie') {
    readCookies(store, start, end, key)
    return
  }
  const leaf = store.add(start, end, places.value, key)
  if (leaf < 0 || !isRequest || name.length !== 13 || name.toLowerCase() !== 'authorization') return
  const scheme = SCHEME.exec(value)?.[0].length ?? 0
  if (scheme > 0) decodeTokens(store, leaf, start + scheme, end, flagsOf(store.units, start + scheme, end))
}

function lowerCase(units: Uint16Array, start: number, end: number): void {
  for (let i = start; i < end; i++) {
    const unit = units[i]!
    if (unit >= 65 && unit <= 90) units[i] = unit + 32
  }
}

function readCookies(store: LeafStore, start: number, end: number, key: number): void {
  const { units } = store
  let isPlain = true
  for (let from = start; from < end && !store.isFull; ) {
    const stop = indexOfUnit(units, 59, from, end)
    while (from < stop && units[from] === 32) from++
    const equals = indexOfUnit(units, 61, from, stop)
    if (equals < stop) readCookie(store, from, equals, stop)
    else if (stop > from) isPlain = false
    from = stop + 1
  }
  // A part without a name may belong to the value before it.
  if (!isPlain || store.isFull) store.add(start, end, PLACE.REQUEST_HEADER_VALUE, key)
}

function readCookie(store: LeafStore, start: number, equals: number, end: number): void {
  const { units } = store
  const name = store.addKey(start, equals, PLACE.COOKIE_NAME, -1)
  let from = equals + 1
  let to = end
  if (to - from > 1 && units[from] === 34 && units[to - 1] === 34) {
    from++
    to--
  }
  store.add(from, to, PLACE.COOKIE_VALUE, name)
}
