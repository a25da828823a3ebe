import type { PlainSchema } from './components.ts'

const MAX_WORDS = 14

/** A schema in one line for people: `integer`, `list of EndpointKey`, `"ASC" or "DESC"`, `map of text`. */
export function typeText(schema: PlainSchema): string {
  if (typeof schema['title'] === 'string') return schema['title']
  const branches = schema['anyOf'] as PlainSchema[] | undefined
  if (branches !== undefined) return branches.map(typeText).join(' or ')
  if (Array.isArray(schema['enum'])) return wordsText(schema['enum'])
  switch (schema['type']) {
    case 'array':
      return `list of ${typeText((schema['items'] ?? {}) as PlainSchema)}`
    case 'object':
      return objectText(schema)
    case 'string':
      return schema['format'] === 'document' ? 'document' : 'text'
    case 'integer':
      return 'integer'
    case undefined:
      return 'any value'
    default:
      return String(schema['type'])
  }
}

function wordsText(words: readonly unknown[]): string {
  const shown = words.slice(0, MAX_WORDS).map((word) => String(word))
  return shown.join(' | ') + (words.length > MAX_WORDS ? ' | …' : '')
}

function objectText(schema: PlainSchema): string {
  if ('properties' in schema) return 'object'
  const values = schema['additionalProperties']
  return typeof values === 'object' && values !== null
    ? `map of ${typeText(values as PlainSchema)}`
    : 'object'
}

/** Names of the records a schema speaks of, nested ones included, in the order of their appearance. */
export function namedRecords(
  schema: PlainSchema,
  found = new Map<string, PlainSchema>(),
): Map<string, PlainSchema> {
  const title = schema['title']
  if (typeof title === 'string') {
    if (found.has(title)) return found
    found.set(title, schema)
  }
  const parts = [
    ...Object.values((schema['properties'] ?? {}) as Record<string, PlainSchema>),
    ...((schema['anyOf'] ?? []) as PlainSchema[]),
    schema['items'],
    schema['additionalProperties'],
  ]
  for (const part of parts)
    if (typeof part === 'object' && part !== null) namedRecords(part as PlainSchema, found)
  return found
}
