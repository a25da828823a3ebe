type Json = Record<string, unknown>

function merged(first: unknown, second: unknown): unknown {
  if (typeof first !== 'object' || typeof second !== 'object' || first === null || second === null)
    return first
  if (Array.isArray(first) && Array.isArray(second)) {
    const known = new Set(first.map((one) => JSON.stringify(one)))
    return [...first, ...second.filter((one) => !known.has(JSON.stringify(one)))]
  }
  const all: Json = { ...(second as Json) }
  for (const [key, value] of Object.entries(first as Json))
    all[key] = Object.hasOwn(all, key) ? merged(value, all[key]) : value
  return all
}

/** Several OpenAPI documents of one collection, each with other endpoints, as one text. */
export function mergePages(pages: readonly string[]): string {
  const documents = pages.map((page) => JSON.parse(page) as Json)
  return JSON.stringify(
    documents.reduce((all, one) => merged(all, one) as Json),
    null,
    2,
  )
}
