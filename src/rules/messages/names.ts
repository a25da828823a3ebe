import type { BodyView } from './body-view.ts'
import type { HeaderView, QueryPair } from './message-view.ts'

/** A named value of a message: a leaf of a body, a header or cookie, a parameter of the query. */
export interface NamedValue {
  readonly name: string
  readonly value: unknown
  /** Cookies of a cookie header, which stand for it where its own name does not satisfy. */
  readonly inner?: readonly NamedValue[]
}

/** What `key` and `value` look at. */
export interface NamedValues {
  /** For `key`: each name once, with the first value that belongs to it. */
  readonly keys: readonly NamedValue[]
  /** For `value`. */
  readonly values: readonly NamedValue[]
  /** Names of objects and lists, for `valueType`. */
  readonly containers: readonly string[]
}

/** Values of one header joined by `;`, all headers as the text of a JSON object. */
export function headersText(headers: readonly HeaderView[]): string {
  return JSON.stringify(Object.fromEntries(headers.map(({ name, values }) => [name, values.join(';')])))
}

/**
 * Header names, with the names of the cookies inside the two cookie headers. As values the headers', and beside a
 * cookie header the values of its cookies.
 */
export function namedHeaders(headers: readonly HeaderView[], cookies: readonly QueryPair[]): NamedValues {
  const keys: NamedValue[] = []
  const values: NamedValue[] = []
  for (const { name, values: all } of headers) {
    keys.push({ name, value: all[0] ?? '', ...innerOf(name, all, cookies) })
    for (const value of all) values.push({ name, value })
    if (name === 'cookie')
      for (const cookie of cookies) values.push({ name, value: cookie.value }, { ...cookie })
  }
  return { keys, values, containers: [] }
}

function innerOf(
  name: string,
  values: readonly string[],
  cookies: readonly QueryPair[],
): { inner?: readonly NamedValue[] } {
  if (name === 'cookie') return { inner: cookies }
  if (name !== 'set-cookie') return {}
  return {
    inner: values
      .filter((value) => value.includes('='))
      .map((value) => ({ name: value.slice(0, value.indexOf('=')).trim(), value })),
  }
}

export function namedParameters(query: readonly QueryPair[]): NamedValues {
  return { keys: firstOfEach(query), values: query, containers: [] }
}

export function namedLeaves(body: BodyView): NamedValues {
  const values = body.leaves.map(({ key, value }) => ({ name: key, value }))
  return { keys: firstOfEach(values), values, containers: body.containerKeys }
}

function firstOfEach(values: readonly NamedValue[]): NamedValue[] {
  const byName = new Map<string, NamedValue>()
  for (const value of values) if (!byName.has(value.name)) byName.set(value.name, value)
  return [...byName.values()]
}
