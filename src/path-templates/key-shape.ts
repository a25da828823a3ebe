import { hashText } from './hash.ts'

/** Flattened key names of a request and its response; the same array may be given again and again, it is read once. */
export type KeySet = readonly string[]

/** Hashes of key names, ascending, the smallest `maxKeys` of them: a sample that does not depend on arrival. */
export type KeyShape = readonly number[]

const EMPTY: KeyShape = []
const MAX_REMEMBERED_NAMES = 20_000

/** Turns key names into shapes, remembering the hash of each name and the shape of each array. */
export class KeyShapes {
  readonly #names = new Map<string, number>()
  readonly #arrays = new WeakMap<KeySet, KeyShape>()
  readonly #maxKeys: number

  constructor(maxKeys: number) {
    this.#maxKeys = maxKeys
  }

  shapeOf(keys: KeySet): KeyShape {
    if (keys.length === 0) return EMPTY
    const known = this.#arrays.get(keys)
    if (known !== undefined) return known
    const hashes: number[] = []
    for (const key of keys) hashes.push(this.#hashOf(key))
    hashes.sort(ascending)
    const shape: number[] = []
    for (const hash of hashes) {
      if (shape.length >= this.#maxKeys) break
      if (shape[shape.length - 1] !== hash) shape.push(hash)
    }
    this.#arrays.set(keys, shape)
    return shape
  }

  #hashOf(name: string): number {
    const known = this.#names.get(name)
    if (known !== undefined) return known
    const hash = hashText(name)
    if (this.#names.size < MAX_REMEMBERED_NAMES) this.#names.set(name, hash)
    return hash
  }
}

/** Union of two shapes, again the smallest `maxKeys`; returns `a` itself when `b` adds nothing. */
export function uniteShapes(a: KeyShape, b: KeyShape, maxKeys: number): KeyShape {
  if (a === b || b.length === 0) return a
  if (a.length === 0) return b
  if (containsShape(a, b, maxKeys)) return a
  const union: number[] = []
  let i = 0
  let j = 0
  while (union.length < maxKeys && (i < a.length || j < b.length)) {
    const x = i < a.length ? a[i]! : Number.POSITIVE_INFINITY
    const y = j < b.length ? b[j]! : Number.POSITIVE_INFINITY
    union.push(x < y ? x : y)
    if (x <= y) i++
    if (y <= x) j++
  }
  return union
}

function containsShape(a: KeyShape, b: KeyShape, maxKeys: number): boolean {
  const top = a.length >= maxKeys ? a[a.length - 1]! : Number.POSITIVE_INFINITY
  let i = 0
  for (const hash of b) {
    if (hash > top) return true
    while (i < a.length && a[i]! < hash) i++
    if (a[i] !== hash) return false
  }
  return true
}

function ascending(a: number, b: number): number {
  return a - b
}
