import type { HeaderView, QueryPair } from '../messages/message-view.ts'
import type { NamedValue, TermNames } from './term.ts'

/** Values of one header joined by `;`, all headers as the text of a JSON object. */
export function headersText(headers: readonly HeaderView[]): string {
  return JSON.stringify(Object.fromEntries(headers.map(({ name, values }) => [name, values.join(';')])))
}

/**
 * Header names with their values; of the two cookie headers also the names of the cookies. As values the headers', and
 * beside a cookie header the values of the request's cookies.
 */
export function namedHeaders(headers: readonly HeaderView[], cookies: readonly QueryPair[]): TermNames {
  const keys: NamedValue[] = []
  const values: NamedValue[] = []
  for (const { name, values: all } of headers) {
    keys.push({ name, value: all[0] ?? '' })
    for (const value of all) values.push({ name, value })
    if (name === 'cookie') {
      for (const cookie of cookies) {
        keys.push(cookie)
        values.push({ name, value: cookie.value }, cookie)
      }
    }
    if (name === 'set-cookie') {
      for (const value of all) keys.push({ name: value.slice(0, Math.max(value.indexOf('='), 0)), value })
    }
  }
  return { keys, values }
}
