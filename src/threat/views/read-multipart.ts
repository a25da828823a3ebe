import { headerParameter } from '../../http/index.ts'
import { CHAR, flagsOf } from './char-flags.ts'
import type { Place } from './leaf.ts'
import type { LeafStore } from './leaf-store.ts'
import { indexOfUnit } from './read-form.ts'

const MAX_PARTS = 500
const MAX_PART_HEADER = 8_192

/** Places of what a part holds. */
interface MultipartPlaces {
  readonly key: Place
  readonly value: Place
  readonly fileName: Place
}

/**
 * Adds the names, file names, further header values and contents of the parts of a multipart body (RFC 7578), and what
 * stands before and behind them. Contents of files that are not text are only matched, never decoded.
 * @param text the body; `base` is where its first unit was written
 * @returns false when there is no boundary to cut at
 */
export function readMultipart(
  store: LeafStore,
  text: string,
  base: number,
  contentType: string,
  places: MultipartPlaces,
): boolean {
  const boundary = headerParameter(contentType, 'boundary') ?? /^\s*--([^\s"]{1,200})\r?\n/.exec(text)?.[1]
  if (boundary === undefined || boundary === '') return false
  const delimiter = `--${boundary}`
  let at = text.indexOf(delimiter)
  if (at < 0) return false
  if (at > 2) store.add(base, base + at, places.value, -1)
  for (let parts = 0; parts < MAX_PARTS && !store.isFull; parts++) {
    const from = at + delimiter.length
    const next = text.indexOf(delimiter, from)
    const stop = next < 0 ? text.length : next
    if (!text.startsWith('--', from)) readPart(store, base + from, base + stop, places)
    else if (stop > from + 6) store.add(base + from + 2, base + stop, places.value, -1)
    if (next < 0) return true
    at = next
  }
  store.add(base + at, base + text.length, places.value, -1)
  return true
}

function readPart(store: LeafStore, start: number, end: number, places: MultipartPlaces): void {
  const { units } = store
  let at = start
  while (at < end && units[at]! <= 32) at++
  const headersEnd = findHeadersEnd(units, at, Math.min(end, at + MAX_PART_HEADER))
  let key = -1
  if (headersEnd >= 0) {
    key = readPartHeaders(store, at, headersEnd, places)
    at = headersEnd
    while (at < end && (units[at] === 13 || units[at] === 10)) at++
  }
  let to = end
  if (to > at && units[to - 1] === 10) to--
  if (to > at && units[to - 1] === 13) to--
  const flags = flagsOf(units, at, to)
  const leaf = store.add(at, to, places.value, key, flags)
  if (leaf < 0 || (flags & CHAR.CONTROL) === 0 || to - at < 256) return
  for (let i = leaf; i < store.count; i++) store.rounds[i] = store.budget.maxRounds
}

/** Position of the empty line behind the headers of a part; -1 when there is none. */
function findHeadersEnd(units: Uint16Array, start: number, end: number): number {
  for (let i = start; i < end; i++) {
    if (units[i] !== 10) continue
    const next = units[i + 1] === 13 ? i + 2 : i + 1
    if (next < end && units[next] === 10) return i
  }
  return -1
}

/** Adds the headers of a part; returns the leaf of its name, -1 for none. */
function readPartHeaders(store: LeafStore, start: number, end: number, places: MultipartPlaces): number {
  const { units } = store
  let key = -1
  for (let line = start; line < end; ) {
    const stop = indexOfUnit(units, 10, line, end)
    const text = store.slice(line, stop)
    const colon = text.indexOf(':')
    if (/^content-disposition/i.test(text)) {
      const name = parameterRange(text, 'name')
      if (name !== null) key = store.addKey(line + name[0], line + name[1], places.key, -1)
      for (const parameter of ['filename', 'filename*']) {
        const file = parameterRange(text, parameter)
        if (file !== null) store.add(line + file[0], line + file[1], places.fileName, key)
      }
      // More than one name, or something else between: seen as it stands.
      if (text.length > 160 || text.split('name').length > 4) store.add(line, stop, places.value, key)
    } else if (text.trim() !== '') store.add(line + Math.max(0, colon + 1), stop, places.value, key)
    line = stop + 1
  }
  return key
}

/** Where the value of a parameter is in a header line, without quotes; to the end of the line for an open quote. */
function parameterRange(line: string, name: string): [number, number] | null {
  const at = findParameter(line.toLowerCase(), name)
  if (at < 0) return null
  const start = at + name.length + 1
  if (line[start] !== '"') {
    const stop = line.indexOf(';', start)
    return [start, stop < 0 ? line.length : stop]
  }
  let stop = start + 1
  while (stop < line.length && line[stop] !== '"') stop += line[stop] === '\\' ? 2 : 1
  return [start + 1, Math.min(stop, line.length)]
}

function findParameter(line: string, name: string): number {
  for (let at = line.indexOf(`${name}=`); at >= 0; at = line.indexOf(`${name}=`, at + 1)) {
    const before = line[at - 1]
    if (before === ';' || before === ' ' || before === '\t') return at
  }
  return -1
}
