import { parseQuery } from '../../http/index.ts'

/** Queries that are remembered, and the longest of them. */
const MAX_QUERIES = 2000
const MAX_LENGTH = 200

const parsed = new Map<string, Readonly<Record<string, unknown>>>()
const NOTHING: Readonly<Record<string, unknown>> = Object.freeze({})

/** Query parameters by name; the value of a repeated one is a list. Queries met lately are parsed once. */
export function parsedQueryOf(query: string): Readonly<Record<string, unknown>> {
  if (query === '') return NOTHING
  const known = parsed.get(query)
  if (known !== undefined) return known
  const found = parseQuery(query)
  if (query.length <= MAX_LENGTH) {
    if (parsed.size >= MAX_QUERIES) parsed.clear()
    parsed.set(query, found)
  }
  return found
}
