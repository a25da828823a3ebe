import { parameterName, parameterNames } from '../../contract/parameter-names.ts'
import { formatTemplate, KEY } from '../../path-templates/index.ts'
import { type FactRow, type JsonSchema, leafSchema } from './schema-of.ts'

/** A segment of an endpoint's path. */
export interface PathSegment {
  kind: 'literal' | 'param'
  value?: string
  type?: string
}

/** A path as documents write it, and its parameters. */
export interface DescribedPath {
  text: string
  parameters: { name: string; in: 'path'; required: true; schema: JsonSchema }[]
}

/** Describes a path: parameters after the segments before them, keys in parentheses by their own names. */
export function describedPath(segments: readonly PathSegment[], facts: readonly FactRow[]): DescribedPath {
  const literals = segments.map(({ kind, value }) => (kind === 'literal' ? (value ?? '') : null))
  const names = parameterNames(literals)
  const taken = new Set(names.values())
  const parameters: DescribedPath['parameters'] = []
  const texts = segments.map((segment, i) => {
    const literal = literals[i] ?? null
    if (literal === null) {
      const name = names.get(i)!
      parameters.push({ name, in: 'path', required: true, schema: schemaOfType(segment.type) })
      return `{${name}}`
    }
    if (!literal.endsWith('()')) return literal
    const keys = keysOf(facts, `${i}#`).map(([key, rows]) => {
      const name = freeName(key === KEY ? parameterName(literal) : key, taken)
      const schema = leafSchema(rows)
      parameters.push({ name, in: 'path', required: true, schema })
      const text = isQuoted(schema) ? `'{${name}}'` : `{${name}}`
      return key === KEY ? text : `${key}=${text}`
    })
    return `${literal.slice(0, -1)}${keys.join(',')})`
  })
  return { text: formatTemplate(texts.map((value) => ({ kind: 'literal', value }))), parameters }
}

function schemaOfType(type: string | undefined): JsonSchema {
  if (type === 'INTEGER') return { type: 'integer' }
  return type === 'FLOAT' ? { type: 'number' } : { type: 'string' }
}

/** Keys seen in a segment by name; a set is named by one key without a name, or by several with names. */
function keysOf(facts: readonly FactRow[], prefix: string): [string, FactRow[]][] {
  const byName = new Map<string, FactRow[]>()
  for (const fact of facts) {
    if (fact.kind !== 'PATH' || !fact.name.startsWith(prefix)) continue
    const name = fact.name.slice(prefix.length)
    byName.set(name, [...(byName.get(name) ?? []), fact])
  }
  const only = byName.get(KEY)
  if (only !== undefined) return [[KEY, only]]
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1))
}

/** Texts are quoted, except GUIDs (OData 4.01 ABNF, primitiveLiteral). */
function isQuoted(schema: JsonSchema): boolean {
  return schema.type === 'string' && schema.format !== 'uuid'
}

function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted
  for (let i = 2; taken.has(name); i++) name = `${wanted}${i}`
  taken.add(name)
  return name
}
