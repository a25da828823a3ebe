import type { Place } from './leaf.ts'
import { VIEW } from './leaf.ts'
import type { LeafStore } from './leaf-store.ts'

/** Shorter lists are recognised only by their values. */
const MIN_OPERATIONS = 8
/** More are recognised by the first of them. */
const MAX_OPERATIONS = 100
/** Code units that describe an operation: its kind, its name and the first field. */
const HEAD_UNITS = 200
/** White space, commas, comments and what an operation may begin with (GraphQL specification, sections 2.1 and 2.3). */
const OPERATION = /^[\s,\ufeff]*(?:[{#]|(?:query|mutation|subscription|fragment)\b)/
const LOOKED_AT = 48
const NAME = 'query'
/** Where the hash of a document stands, in place of it. */
const KNOWN = 'persistedQuery'
const HASH = 'sha256Hash'
const BEGIN = `${NAME}: `
/** Closes what the head of an operation opened, so that no two of them look like one that is nested. */
const END = ' }\n'

/**
 * Adds a leaf that tells the operations of a list of GraphQL requests side by side, a line each: `query: {me { id }`. A
 * server carries out all of them, and no value on its own says how many they are.
 *
 * @param first leaf from which on the values of the list stand
 */
export function addOperations(store: LeafStore, first: number, place: Place): void {
  const leaves = operationsIn(store, first, place)
  if (leaves.length < MIN_OPERATIONS) return
  const from = store.used
  for (const leaf of leaves) {
    if (!store.spend(HEAD_UNITS)) break
    writeLine(store, store.starts[leaf]!, Math.min(store.ends[leaf]!, store.starts[leaf]! + HEAD_UNITS))
  }
  const added = store.add(from, store.used, place, store.keys[leaves[0]!]!)
  if (added < 0) return
  for (let leaf = added; leaf < store.count; leaf++) {
    store.views[leaf]! |= VIEW.OPERATIONS
    store.steps[leaf]! |= VIEW.OPERATIONS
  }
}

/**
 * Documents named `query` right below the items of a list; where they are few, hashes that stand for documents the server
 * knows.
 */
function operationsIn(store: LeafStore, first: number, place: Place): number[] {
  const documents: number[] = []
  const hashes: number[] = []
  for (let leaf = first; leaf < store.count && documents.length < MAX_OPERATIONS; leaf++) {
    const key = store.keys[leaf]!
    if (store.places[leaf] !== place || key < 0) continue
    const around = store.keys[key]!
    if (around < 0) {
      if (isNamed(store, key, NAME) && isDocument(store, leaf)) documents.push(leaf)
    } else if (hashes.length < MAX_OPERATIONS && isNamed(store, key, HASH) && isNamed(store, around, KNOWN))
      hashes.push(leaf)
  }
  return documents.length >= MIN_OPERATIONS ? documents : hashes
}

function isNamed(store: LeafStore, key: number, name: string): boolean {
  return store.ends[key]! - store.starts[key]! === name.length && store.text(key) === name
}

function isDocument(store: LeafStore, leaf: number): boolean {
  const start = store.starts[leaf]!
  return OPERATION.test(store.slice(start, Math.min(store.ends[leaf]!, start + LOOKED_AT)))
}

function writeLine(store: LeafStore, start: number, end: number): void {
  store.write(BEGIN)
  for (let i = start; i < end; i++) {
    const unit = store.units[i]!
    store.put(unit < 32 ? 32 : unit)
  }
  store.write(END)
}
