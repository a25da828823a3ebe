import { CHAR } from './char-flags.ts'
import { decodeBase64, mayBeBase64 } from './decode-base64.ts'
import { decodeEntity } from './decode-entities.ts'
import { decodeBackslash } from './decode-escapes.ts'
import { decodePercent } from './decode-percent.ts'
import type { Place } from './leaf.ts'
import { PLACE, TRUNCATION, VIEW } from './leaf.ts'
import type { LeafStore } from './leaf-store.ts'
import { writeNormalised } from './normalise.ts'
import { indexOfUnit } from './read-form.ts'
import { readJson } from './read-json.ts'

const ENCODED = CHAR.PERCENT | CHAR.AMPERSAND | CHAR.BACKSLASH
const UNUSUAL = CHAR.CONTROL | CHAR.BREAK | CHAR.SPACE | CHAR.STAR | CHAR.WIDE | CHAR.PLUS
const TOKEN_FOREIGN = CHAR.OTHER | CHAR.SPACE | CHAR.BREAK | CHAR.PLUS
/** Texts up to this length are normalised even where they are decoded further. */
const MAX_TWIN_BESIDE = 512
/** Places whose leaves had their percent codes read once already. */
const PERCENT_READ = new Set<number>([PLACE.URL_PATH, PLACE.QUERY_NAME, PLACE.QUERY_VALUE])
/** Raw texts are looked at as they are: their parts are decoded, as are those of a list of operations. */
const RAW = new Set<number>([
  PLACE.URL_RAW,
  PLACE.REQUEST_HEADERS_RAW,
  PLACE.REQUEST_BODY_RAW,
  PLACE.RESPONSE_HEADERS_RAW,
  PLACE.RESPONSE_BODY_RAW,
])

/**
 * Decodes leaves from the given one on until nothing changes or the budget ends. What comes out of a leaf is appended to
 * the list and reached by the same loop, so nesting of any kind costs no recursion.
 */
export function decodeLeaves(store: LeafStore, first: number): void {
  for (let leaf = first; leaf < store.count; leaf++) {
    const flags = store.flags[leaf]!
    const length = store.ends[leaf]! - store.starts[leaf]!
    if ((flags & (ENCODED | UNUSUAL)) === 0 && ((flags & CHAR.OTHER) !== 0 || length < 12)) {
      if (length < 3 || !startsLikeStructure(store, leaf)) continue
    }
    if (RAW.has(store.places[leaf]!) || (store.views[leaf]! & VIEW.OPERATIONS) !== 0) continue
    if (!store.isGrown(leaf) && !decodeLeaf(store, leaf, flags)) return
  }
}

/** Takes JSON apart that is in texts of leaves from the given one on, and decodes nothing else. */
export function takeApart(store: LeafStore, first: number): void {
  for (let leaf = first; leaf < store.count; leaf++) {
    const start = store.starts[leaf]!
    const unit = store.units[start]
    if ((unit !== 123 && unit !== 91) || RAW.has(store.places[leaf]!) || !mayDecode(store, leaf)) continue
    walkStrings(store, leaf, start, store.ends[leaf]!, VIEW.NESTED_JSON)
  }
}

/** JSON, or a data URL. */
function startsLikeStructure(store: LeafStore, leaf: number): boolean {
  const unit = store.units[store.starts[leaf]!]
  if (unit === 100) return store.units[store.starts[leaf]! + 4] === 58
  return unit === 123 || unit === 91 || unit === 34
}

/** Decodes one leaf each way that applies; false when the budget is spent. */
function decodeLeaf(store: LeafStore, leaf: number, flags: number): boolean {
  const start = store.starts[leaf]!
  const end = store.ends[leaf]!
  let isDecoded = false
  if (mayDecode(store, leaf)) {
    // All that is in sound JSON became leaves, which are decoded further each on its own.
    if ((flags & CHAR.OTHER) !== 0 && decodeStructure(store, leaf, start, end)) return true
    if ((flags & ENCODED) !== 0) {
      if (!store.spend(end - start)) return false
      isDecoded = decodeCodes(store, leaf, start, end)
    }
    if ((flags & CHAR.OTHER) === 0 && end - start >= 12) decodeTokens(store, leaf, start, end, flags)
  }
  if ((flags & UNUSUAL) === 0 || (store.views[leaf]! & VIEW.NORMALISED) !== 0) return true
  // What was decoded of a long text gets a twin, which says what the twin of the text would.
  if (isDecoded && end - start > MAX_TWIN_BESIDE) return true
  const from = store.used
  if (!store.spend((end - start) >> 1)) return false
  if (writeNormalised(store, start, end, flags)) store.derive(leaf, from, store.used, VIEW.NORMALISED)
  return true
}

/**
 * Whether a leaf is decoded. One that was decoded as often as the budget lets is decoded once more in vain: the store
 * takes nothing of it, and notes that a layer was left. Contents of files are none that servers decode.
 */
function mayDecode(store: LeafStore, leaf: number): boolean {
  if (store.rounds[store.roots[leaf]!]! > 0) return false
  return store.layersOf(leaf) < store.budget.maxRounds || (store.truncated & TRUNCATION.LAYERS) === 0
}

/** Percent codes, character references and backslash escapes, all in one round. True where a leaf came out of it. */
function decodeCodes(store: LeafStore, leaf: number, start: number, end: number): boolean {
  const { units } = store
  const from = store.used
  let view = 0
  let copied = start
  for (let i = start; i < end; ) {
    const unit = units[i]!
    if (unit !== 37 && unit !== 38 && unit !== 92) {
      i++
      continue
    }
    const before = store.used
    let next = i
    if (unit === 37) next = decodePercent(store, i, end)
    else if (unit === 38) next = decodeEntity(store, i, end)
    else next = decodeBackslash(store, i, end)
    if (next === i) {
      i++
      continue
    }
    // The character was written first; what stands before it goes in between.
    const first = units[before]!
    const second = store.used - before > 1 ? units[before + 1]! : -1
    store.used = before
    store.putRange(copied, i)
    store.put(first)
    if (second >= 0) store.put(second)
    view |= unit === 37 ? VIEW.PERCENT : unit === 38 ? VIEW.HTML_ENTITIES : VIEW.BACKSLASH
    copied = next
    i = next
  }
  if (view === 0) {
    store.used = from
    return false
  }
  store.putRange(copied, end)
  const isAgain = (store.views[leaf]! & VIEW.PERCENT) !== 0 || PERCENT_READ.has(store.places[leaf]!)
  if ((view & VIEW.PERCENT) !== 0 && isAgain) view ^= VIEW.PERCENT | VIEW.PERCENT_AGAIN
  return store.derive(leaf, from, store.used, view) >= 0
}

/** Decodes a range of a leaf that is Base64 of a text, or a token in three parts (RFC 7519). */
export function decodeTokens(
  store: LeafStore,
  leaf: number,
  start: number,
  end: number,
  flags: number,
): void {
  const { units } = store
  if ((flags & CHAR.DOT) === 0) {
    // A plus sign that a form turned into a space.
    const spaces = (flags & CHAR.SPACE) !== 0 ? countUnit(units, 32, start, end) : 0
    if (spaces * 16 <= end - start) addBase64(store, leaf, start, end, flags, VIEW.BASE64)
    return
  }
  if ((flags & TOKEN_FOREIGN) !== 0 || units[start] !== 101 || units[start + 1] !== 121) return
  const first = indexOfUnit(units, 46, start, end)
  const second = indexOfUnit(units, 46, first + 1, end)
  if (second >= end) return
  const segment = CHAR.LOWER | CHAR.UPPER | CHAR.NOT_HEX
  addBase64(store, leaf, start, first, segment, VIEW.JWT)
  addBase64(store, leaf, first + 1, second, segment, VIEW.JWT)
}

function addBase64(
  store: LeafStore,
  leaf: number,
  start: number,
  end: number,
  flags: number,
  view: number,
): void {
  if (!mayBeBase64(flags & ~CHAR.SPACE, end - start) || !store.spend(end - start)) return
  const from = store.used
  if (decodeBase64(store, start, end)) store.derive(leaf, from, store.used, view)
}

function countUnit(units: Uint16Array, unit: number, start: number, end: number): number {
  let count = 0
  for (let i = start; i < end; i++) if (units[i] === unit) count++
  return count
}

const DATA_URL = ';base64,'

/** Strings that hold JSON, documents of GraphQL, data URLs. True for an object or list of JSON, sound from end to end. */
function decodeStructure(store: LeafStore, leaf: number, start: number, end: number): boolean {
  const { units } = store
  let at = start
  while (at < end && units[at]! <= 32) at++
  const unit = units[at]!
  if (unit === 123 || unit === 91 || (unit === 34 && end - at > 2))
    return walkStrings(store, leaf, at, end, VIEW.NESTED_JSON) && unit !== 34
  if (end - at > 10 && GRAPHQL_START.has(unit) && GRAPHQL.test(store.slice(at, Math.min(end, at + 13))))
    walkStrings(store, leaf, at, end, VIEW.GRAPHQL_LITERAL)
  else if ((unit | 32) === 100 && DATA.test(store.slice(at, Math.min(end, at + 96)))) {
    const mark = store.slice(at, Math.min(end, at + 128)).indexOf(DATA_URL)
    if (mark < 0) return false
    const from = at + mark + DATA_URL.length
    addBase64(store, leaf, from, end, CHAR.LOWER | CHAR.UPPER | CHAR.NOT_HEX, VIEW.BASE64)
  }
  return false
}

/** First letters of the three operations, so that few texts are looked at more closely. */
const GRAPHQL_START: ReadonlySet<number> = new Set([113, 109, 115])
const GRAPHQL = /^(?:query|mutation|subscription)[\s({]/
const DATA = /^data:/i

/** Adds the strings of a text that is written in JSON, or like it; true where it is sound JSON and was read whole. */
function walkStrings(store: LeafStore, leaf: number, start: number, end: number, view: number): boolean {
  if (indexOfUnit(store.units, 34, start + 1, end) >= end) return false
  if (store.layersOf(leaf) >= store.budget.maxRounds) {
    store.truncated |= TRUNCATION.LAYERS
    return false
  }
  if (!store.spend(end - start)) return false
  const place = store.places[leaf]! as Place
  const key = store.keys[leaf]!
  if (store.isFull) {
    store.truncated |= TRUNCATION.LEAVES
    return false
  }
  return readJson(store, start, end, { key: place, value: place, parent: leaf, view, around: key }) === end
}
