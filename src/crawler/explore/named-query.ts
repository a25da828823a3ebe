/** What is known for the value of a parameter of this name; null when nothing is. */
export type ValueOf = (name: string) => string | null

/** A path that a script names, and the query that it writes after it, without `?`. `/:id?/a` has an optional parameter. */
export function splitQuery(address: string): { readonly path: string; readonly query: string } {
  const [, path = '', query = ''] = /^((?:[^?#]|\?(?=\/|$))*)(?:\?([^#]*))?/s.exec(address) ?? []
  return { path, query }
}

/** Names in a query that a script writes, sorted: `a&b`. */
export function queryNames(query: string): string {
  return [...new Set(partsOf(query).map(([name]) => name))].sort().join('&')
}

/**
 * A query that a script writes, `{}` for what is not known, with values for those parts; without the parameters that none
 * is known for. Begins with `?` unless it is empty.
 */
export function filledQuery(query: string, valueFor: ValueOf): string {
  const filled = partsOf(query).flatMap(([name, text]) => {
    if (!text.includes('{}')) return [`${name}=${text}`]
    const value = text === '{}' ? valueFor(name) : null
    return value === null ? [] : [`${name}=${encodeURIComponent(value.toWellFormed())}`]
  })
  return filled.length === 0 ? '' : `?${filled.join('&')}`
}

/** Names and values as they are written; what has no plain name may stand for a whole query. */
function partsOf(query: string): (readonly [string, string])[] {
  return query
    .split('&')
    .map((part) => /^([\w.[\]~%-]+)=(.*)$/s.exec(part))
    .flatMap((match) => (match === null ? [] : [[match[1]!, match[2]!] as const]))
}
