import type { ScannedRequest } from '../../http/index.ts'
import { CHAR, flagsOf } from './char-flags.ts'
import { mayBeBase64 } from './decode-base64.ts'
import { decodeFormText } from './decode-percent.ts'
import { PLACE, PLACES_OF, TRUNCATION, VIEW } from './leaf.ts'
import type { LeafStore } from './leaf-store.ts'
import { indexOfUnit, readForm } from './read-form.ts'

/** Code units of a target that are read. */
const MAX_TARGET_UNITS = 65_536
const AUTHORITY = /^[a-z][a-z0-9+.-]{0,20}:\/\/[^/?#]*/i

/** Adds the leaves of a request target: path, path without dot segments, names and values of the query. */
export function readTarget(store: LeafStore, target: string, wanted: number): void {
  if (target.length > MAX_TARGET_UNITS) store.truncated |= TRUNCATION.WORK
  const start = store.write(target, 0, Math.min(target.length, MAX_TARGET_UNITS))
  const authority = target.charCodeAt(0) === 47 ? 0 : (AUTHORITY.exec(target)?.[0].length ?? 0)
  readWritten(store, start, authority, wanted)
}

/** {@link readTarget} of a message that was read in place: a path, with or without a query. */
export function readScannedTarget(store: LeafStore, { path, query }: ScannedRequest, wanted: number): void {
  const start = store.write(path)
  if (query !== null) {
    store.put(63)
    store.write(query)
  }
  readWritten(store, start, 0, wanted)
}

/** @param authority code units of the target before its path */
function readWritten(store: LeafStore, start: number, authority: number, wanted: number): void {
  const end = store.used
  if ((wanted & PLACES_OF.URL_RAW) !== 0) store.add(start, end, PLACE.URL_RAW, -1, 0)
  if ((wanted & PLACES_OF.URL_DECODED) === 0) return
  const question = indexOfUnit(store.units, 63, start + authority, end)
  if ((wanted & (1 << PLACE.URL_PATH)) !== 0) readPath(store, start + authority, question)
  if ((wanted & PLACES_OF.QUERY_DECODED) !== 0 && question + 1 < end)
    readForm(store, question + 1, end, PLACE.QUERY_NAME, PLACE.QUERY_VALUE)
}

function readPath(store: LeafStore, start: number, end: number): void {
  if (end - start < 2) return
  const flags = flagsOf(store.units, start, end)
  let from = start
  let to = end
  if ((flags & CHAR.PERCENT) !== 0) {
    from = store.used
    if (decodeFormText(store, start, end, false)) to = store.used
    else from = start
  }
  const path = store.add(from, to, PLACE.URL_PATH, -1)
  if (path < 0) return
  readSegments(store, path, from, to)
  if ((flags & (CHAR.DOT | CHAR.PERCENT | CHAR.BACKSLASH)) !== 0) addResolved(store, path, from, to)
}

/** Segments that may be encoded as a whole become their own leaves. */
function readSegments(store: LeafStore, path: number, start: number, end: number): void {
  for (let from = start; from < end && !store.isFull; ) {
    const stop = indexOfUnit(store.units, 47, from, end)
    if (stop - from >= 12 && mayBeBase64(flagsOf(store.units, from, stop), stop - from))
      store.derive(path, from, stop, 0)
    from = stop + 1
  }
}

/** Adds the path with `.`, `..` and empty segments resolved (RFC 3986 section 5.2.4), backslashes read as slashes. */
function addResolved(store: LeafStore, path: number, start: number, end: number): void {
  const { units } = store
  const base = store.used
  let changed = false
  for (let from = start; from <= end; ) {
    let stop = from
    while (stop < end && units[stop] !== 47 && units[stop] !== 92) stop++
    const length = stop - from
    if (length === 0 || (length === 1 && units[from] === 46)) changed ||= from > start && stop < end
    else if (length === 2 && units[from] === 46 && units[from + 1] === 46) {
      changed = true
      while (store.used > base && units[store.used - 1] !== 47) store.used--
      if (store.used > base) store.used--
    } else {
      store.put(47)
      store.putRange(from, stop)
    }
    from = stop + 1
  }
  if (changed && store.used > base) store.derive(path, base, store.used, VIEW.RESOLVED)
  else store.used = base
}
