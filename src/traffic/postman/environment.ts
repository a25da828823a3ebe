import { unreadable } from '../failures.ts'
import { parseJsonDocument } from '../json-document.ts'
import { asList, asObject, asText, own } from '../untrusted-value.ts'

const MAX_VALUES = 5000

/**
 * Values of an exported environment (or of the globals), an object or its text: those that are switched on.
 * @throws Failure INVALID_POSTMAN when it is none.
 */
export function readPostmanEnvironment(given: unknown): Record<string, string> {
  const value = typeof given === 'string' ? parseJsonDocument(given, 'postman').value : given
  const list = own(asObject(value), 'values')
  if (!Array.isArray(list)) throw unreadable('postman', 'the environment has no "values" list')
  const values: Record<string, string> = Object.create(null)
  for (const item of list.slice(0, MAX_VALUES)) {
    const fields = asObject(item)
    const name = asText(own(fields, 'key'))
    if (name !== '' && own(fields, 'enabled') !== false) values[name] = asText(own(fields, 'value'))
  }
  return values
}

/** The text of a collection with the values among its own variables, where they win: for keeping it in one piece. */
export function withEnvironment(text: string, values: Readonly<Record<string, string>>): string {
  const root = asObject(parseJsonDocument(text, 'postman').value)
  const collection = asObject(own(root, 'collection')) ?? root
  if (collection === undefined) return text
  const added = Object.entries(values).map(([key, value]) => ({ key, value }))
  return JSON.stringify({ ...collection, variable: [...asList(own(collection, 'variable')), ...added] })
}
