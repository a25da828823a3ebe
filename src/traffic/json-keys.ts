import type { DeclaredKey, DeclaredType } from './declared-operation.ts'
import { asText } from './untrusted-value.ts'

const MAX_KEYS = 2000
const MAX_DEPTH = 32

/** Name as a part of a flattened key: literal `#` and `$` escaped, so that `#` only joins and `$` only marks arrays. */
export function escapeKey(name: string): string {
  return asText(name).replaceAll('#', '%23').replaceAll('$', '%24')
}

/** The flattened keys of a JSON value in the notation of {@link DeclaredKey}, without duplicates. */
export function keysOfValue(root: unknown): DeclaredKey[] {
  const found = new Map<string, DeclaredKey>()
  collect(root, '', 0, found)
  return [...found.values()]
}

function collect(value: unknown, key: string, depth: number, found: Map<string, DeclaredKey>): void {
  if (found.size >= MAX_KEYS || depth > MAX_DEPTH) return
  if (Array.isArray(value) && value.length > 0) {
    for (const item of value.slice(0, 100)) collect(item, `${key === '' ? 'json' : key}#$`, depth + 1, found)
    return
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  const entries = isObject ? Object.entries(value) : []
  if (entries.length > 0) {
    for (const [name, child] of entries.slice(0, MAX_KEYS)) {
      collect(child, key === '' ? escapeKey(name) : `${key}#${escapeKey(name)}`, depth + 1, found)
    }
  } else if (key !== '' && !found.has(key)) {
    found.set(key, { key, type: typeOf(value), format: '', required: false })
  }
}

function typeOf(value: unknown): DeclaredType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value === 'object' || typeof value === 'string' || typeof value === 'boolean'
    ? (typeof value as DeclaredType)
    : ''
}
