import { parseQuery } from '../../../http/index.ts'
import { mayCarryCredential } from '../../auth-kinds/index.ts'

/** Queries that are remembered, and the longest of them. */
const MAX_QUERIES = 2000
const MAX_LENGTH = 200

/** A query that was parsed. */
export interface ParsedQuery {
  /** Parameters by name; the value of a repeated one is a list. */
  readonly values: Readonly<Record<string, unknown>>
  /** Name and first value of each parameter, in their order. */
  readonly pairs: readonly { readonly name: string; readonly value: unknown }[]
  /** None of the names is one that a credential stands under. */
  readonly namesNoCredential: boolean
}

const parsed = new Map<string, ParsedQuery>()
const NOTHING: ParsedQuery = Object.freeze({ values: Object.freeze({}), pairs: [], namesNoCredential: true })

/** What a query holds. Queries met lately are parsed once. */
export function parsedQueryOf(query: string): ParsedQuery {
  if (query === '') return NOTHING
  const known = parsed.get(query)
  if (known !== undefined) return known
  const values = parseQuery(query)
  const names = Object.keys(values)
  const found: ParsedQuery = {
    values,
    pairs: names.map((name) => ({ name, value: scalarOf(values[name]) })),
    namesNoCredential: !names.some(mayCarryCredential),
  }
  if (query.length <= MAX_LENGTH) {
    if (parsed.size >= MAX_QUERIES) parsed.clear()
    parsed.set(query, found)
  }
  return found
}

/** The type of a parameter that comes several times is that of its first value. */
function scalarOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value
}
