import type { HeaderList } from '../../http/index.ts'
import { flagsOf } from './char-flags.ts'
import { decodeTokens } from './decode-leaves.ts'
import type { KnownHeaders, ScannedSide } from './known-headers.ts'
import type { Place } from './leaf.ts'
import { PLACE, TRUNCATION } from './leaf.ts'
import type { LeafStore } from './leaf-store.ts'
import { indexOfUnit } from './read-form.ts'

/** Code units of one header block that are read. */
const MAX_BLOCK = 65_536
const COLON = 58
const SCHEME = /^(?:basic|bearer|digest|token|negotiate) +/i

/** Places of the headers of one side. */
interface HeaderPlaces {
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

/**
 * {@link readHeaders} of a message that was read in place. Known headers are left out.
 *
 * @param known null where all headers are wanted
 */
export function readScannedHeaders(
  store: LeafStore,
  side: ScannedSide,
  places: HeaderPlaces,
  how: { readonly wantsRaw: boolean; readonly known: KnownHeaders | null },
): void {
  const block = store.used
  const { known } = how
  const isRequest = places.value === PLACE.REQUEST_HEADER_VALUE
  const { lower } = side.layout
  for (let position = 0; position < lower.length && !store.isFull; position++) {
    const slot = known === null ? -1 : known.slotOf(side, position)
    if (slot >= 0 && known!.holds(slot, side, position, isRequest)) continue
    if (store.used - block + side.headerLengthAt(position) > MAX_BLOCK) {
      store.truncated |= TRUNCATION.WORK
      readCutHeader(store, lower[position]!, side.headerAt(position), places)
      continue
    }
    const key = store.count
    const value = readScannedHeader(store, side, position, places)
    if (slot >= 0 && value !== COOKIES) known!.note(slot, side, position, { key, value })
  }
  if (how.wantsRaw) store.add(block, store.used, places.raw, -1, 0)
}

/** Cookies of a header are leaves that have nothing to do with one another. */
const COOKIES = -2

/** Adds a header as {@link readHeader} does; returns the leaf of its value, -1 when there is none. */
function readScannedHeader(
  store: LeafStore,
  side: ScannedSide,
  position: number,
  places: HeaderPlaces,
): number {
  const name = side.layout.lower[position]!
  const nameStart = store.write(name)
  const key = store.add(nameStart, store.used, places.name, -1)
  store.put(COLON)
  store.put(32)
  const start = side.writeHeader(store, position)
  const end = store.used
  store.put(10)
  return readValue(store, { name, key, start, end }, places)
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
  readValue(store, { name, key, start, end }, places)
}

/** Adds the value of a header, which is written already; returns its leaf, -1 when there is none. */
function readValue(
  store: LeafStore,
  { name, key, start, end }: { name: string; key: number; start: number; end: number },
  places: HeaderPlaces,
): number {
  if (end === start) return -1
  const isRequest = places.value === PLACE.REQUEST_HEADER_VALUE
  if (isRequest && name.length === 6 && name.toLowerCase() === 'cookie') {
    readCookies(store, start, end, key)
    return COOKIES
  }
  const leaf = store.add(start, end, places.value, key)
  if (leaf < 0 || !isRequest || name.length !== 13 || name.toLowerCase() !== 'authorization') return leaf
  const scheme = SCHEME.exec(store.slice(start, end))?.[0].length ?? 0
  if (scheme > 0) decodeTokens(store, leaf, start + scheme, end, flagsOf(store.units, start + scheme, end))
  return leaf
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
