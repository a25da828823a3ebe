import { CHAR, flagsOf } from './char-flags.ts'
import { decodeFormText } from './decode-percent.ts'
import type { Place } from './leaf.ts'
import type { LeafStore } from './leaf-store.ts'

const CODED = CHAR.PERCENT | CHAR.PLUS
const NO_EQUALS = -2

/**
 * Adds the names and values of form text (`a=1&b=2`), decoded once. A value is also taken apart at `?` and `;` where
 * that makes further pairs, because some servers do: the whole value stays its own leaf. Where a part has no `=`,
 * its ampersand may belong to the value before it, and the whole text is a leaf too.
 */
export function readForm(store: LeafStore, start: number, end: number, name: Place, value: Place): void {
  let from = start
  let isPlain = true
  while (from < end && !store.isFull) {
    const stop = indexOfUnit(store.units, 38, from, end)
    if (stop > from) {
      const inner = readPair(store, from, stop, name, value)
      if (inner >= 0) readInnerPairs(store, inner, stop, name, value)
      else if (inner === NO_EQUALS && (from > start || stop < end)) isPlain = false
    }
    from = stop + 1
  }
  if (from < end || !isPlain) readPart(store, isPlain ? from : start, end, value, -1)
}

/** Adds one pair; returns where its value starts, -1 when it is empty. */
function readPair(store: LeafStore, start: number, end: number, name: Place, value: Place): number {
  const equals = indexOfUnit(store.units, 61, start, end)
  const key = readName(store, start, equals, name)
  if (equals >= end) return NO_EQUALS
  if (equals + 1 >= end) return -1
  readPart(store, equals + 1, end, value, key)
  return equals + 1
}

function readInnerPairs(store: LeafStore, start: number, end: number, name: Place, value: Place): void {
  const { units } = store
  let from = -1
  for (let i = start; i < end && !store.isFull; i++) {
    const unit = units[i]!
    if (unit !== 63 && unit !== 59) continue
    if (from >= 0) readInnerPair(store, from, i, name, value)
    from = i + 1
  }
  if (from >= 0) readInnerPair(store, from, end, name, value)
}

function readInnerPair(store: LeafStore, start: number, end: number, name: Place, value: Place): void {
  const equals = indexOfUnit(store.units, 61, start, end)
  if (equals < end && equals > start) readPair(store, start, end, name, value)
}

function readName(store: LeafStore, start: number, end: number, place: Place): number {
  if ((flagsOf(store.units, start, end) & CODED) === 0) return store.addKey(start, end, place, -1)
  const from = store.used
  if (!decodeFormText(store, start, end, true)) return store.addKey(start, end, place, -1)
  return store.addKey(from, store.used, place, -1)
}

/** Adds a leaf of form text, percent codes and plus signs read once. */
export function readPart(store: LeafStore, start: number, end: number, place: Place, key: number): number {
  const flags = flagsOf(store.units, start, end)
  if ((flags & CODED) === 0) return store.add(start, end, place, key, flags)
  const from = store.used
  if (!store.spend(end - start) || !decodeFormText(store, start, end, true))
    return store.add(start, end, place, key, flags)
  return store.add(from, store.used, place, key)
}

/** Position of a code unit in a range; `end` when it is not there. */
export function indexOfUnit(units: Uint16Array, unit: number, start: number, end: number): number {
  for (let i = start; i < end; i++) if (units[i] === unit) return i
  return end
}
