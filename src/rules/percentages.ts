import { jsonOf } from './messages/json-tree.ts'
import { textOf } from './messages/leaves.ts'

const MAX_DEPTH = 100
/** Paths of one body that are compared. */
const MAX_PATHS = 50_000

/**
 * How much of two bodies is equal, 0 to 100: of all leaf paths (positions of lists count as one) the share whose sets
 * of values are the same. Bodies that are not JSON are equal or not.
 */
export function percentage(a: string | null, b: string | null): number {
  if (a === null || b === null) return a === b ? 100 : 0
  const [left, right] = [a.trim(), b.trim()]
  if (left === right) return 100
  const [first, second] = [treeOf(left), treeOf(right)]
  if (first === null || second === null) return 0
  const [A, B] = [valuesByPath(first.tree), valuesByPath(second.tree)]
  if (A.size === 0 && B.size === 0) return 100
  let equal = 0
  for (const [path, values] of A) if (sameSet(values, B.get(path))) equal++
  let union = A.size
  for (const path of B.keys()) if (!A.has(path)) union++
  return (100 * equal) / union
}

/**
 * How much of two bodies' shapes is equal, whole percent: shared leaf paths (positions of lists kept) of all paths. Two
 * texts that are not JSON have the same shape.
 */
export function schemaPercentage(a: string, b: string): number {
  const [first, second] = [jsonOf(a.trim()), jsonOf(b.trim())]
  if (first === null || second === null) return first === second ? 100 : 0
  const [A, B] = [pathsOf(first.tree), pathsOf(second.tree)]
  if (A.size === 0 && B.size === 0) return 100
  let shared = 0
  for (const path of A) if (B.has(path)) shared++
  return Math.trunc((100 * shared) / (A.size + B.size - shared))
}

/** An empty text counts as JSON without leaves. */
function treeOf(text: string): { readonly tree: unknown } | null {
  return text === '' ? { tree: {} } : jsonOf(text)
}

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string> | undefined): boolean {
  if (b === undefined || a.size !== b.size) return false
  for (const value of a) if (!b.has(value)) return false
  return true
}

function valuesByPath(tree: unknown): Map<string, Set<string>> {
  const byPath = new Map<string, Set<string>>()
  const visit = (value: unknown, path: string, depth: number): void => {
    if (depth > MAX_DEPTH || byPath.size >= MAX_PATHS) return
    if (Array.isArray(value)) {
      for (const item of value) visit(item, `${path}[]`, depth + 1)
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, below] of Object.entries(value)) visit(below, `${path}.${key}`, depth + 1)
    } else {
      const known = byPath.get(path)
      if (known === undefined) byPath.set(path, new Set([textOf(value)]))
      else known.add(textOf(value))
    }
  }
  visit(tree, '', 0)
  return byPath
}

/** Leaf paths; an empty object is one, an empty list none, and a key without letters stands for all such keys. */
function pathsOf(tree: unknown): Set<string> {
  const paths = new Set<string>()
  const visit = (value: unknown, path: string, depth: number): void => {
    if (depth > MAX_DEPTH || paths.size >= MAX_PATHS) return
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) visit(value[i], `${path}[${i}]`, depth + 1)
    } else if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
      for (const [key, below] of Object.entries(value))
        visit(below, `${path}.${/\p{L}/u.test(key) ? key : 'NUMBER'}`, depth + 1)
    } else paths.add(path)
  }
  visit(tree, '', 0)
  return paths
}
