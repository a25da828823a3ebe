import type { FactDetail, FactKind } from '../../store/index.ts'

/** A counted parameter of an endpoint. */
export interface FactRow {
  kind: FactKind
  responseCode: number
  name: string
  valueType: string
  count: number
  isSensitive: boolean
  detail: FactDetail | null
}

/** A JSON Schema, as far as it is written here. */
export interface JsonSchema {
  type?: string | string[]
  format?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  additionalProperties?: JsonSchema
  examples?: unknown[]
  minimum?: number
  maximum?: number
}

/** Present in this share of the messages and at least so often: required. */
const REQUIRED_SHARE = 0.99
const REQUIRED_FROM = 20

const BASIC: Record<string, JsonSchema> = {
  TRUE: { type: 'boolean' },
  FALSE: { type: 'boolean' },
  INTEGER_32: { type: 'integer', format: 'int32' },
  INTEGER_64: { type: 'integer', format: 'int64' },
  FLOAT: { type: 'number' },
  NULL: { type: 'null' },
  EMAIL: { type: 'string', format: 'email' },
  UUID: { type: 'string', format: 'uuid' },
  URL: { type: 'string', format: 'uri' },
  IP_ADDRESS: { type: 'string', format: 'ipv4' },
}

/** Schema of a value of the types counted for one key. */
export function leafSchema(facts: readonly FactRow[]): JsonSchema {
  const parts = facts
    .filter((fact) => fact.valueType !== 'OTHER')
    .map((fact) => BASIC[fact.valueType] ?? { type: 'string' })
  const types = [...new Set(parts.map((part) => part.type as string))].sort()
  if (types.length === 0) return {}
  const widened = types.includes('number') ? types.filter((type) => type !== 'integer') : types
  const formats = new Set(parts.filter((part) => part.type !== 'null').map((part) => part.format))
  const format =
    formats.size === 1
      ? [...formats][0]
      : formats.has('int64') && types.includes('integer')
        ? 'int64'
        : undefined
  const examples = exampleOf(facts)
  return {
    type: widened.length === 1 ? widened[0]! : widened,
    ...(format === undefined || widened.includes('number') ? {} : { format }),
    ...(examples === undefined ? {} : { examples: [examples] }),
  }
}

function exampleOf(facts: readonly FactRow[]): unknown {
  if (facts.some((fact) => fact.isSensitive)) return undefined
  const fact = facts.find((candidate) => candidate.detail?.examples?.length)
  const text = fact?.detail?.examples?.[0]
  if (fact === undefined || text === undefined) return undefined
  if (fact.valueType === 'TRUE' || fact.valueType === 'FALSE') return text === 'true'
  return BASIC[fact.valueType]?.type === 'integer' || fact.valueType === 'FLOAT' ? Number(text) : text
}

interface Node {
  facts: FactRow[]
  kids: Map<string, Node>
  items: Node | null
  entries: Node | null
  /** Messages in which the key was seen. */
  count: number
}

function newNode(): Node {
  return { facts: [], kids: new Map(), items: null, entries: null, count: 0 }
}

/** Schema of a body from its flattened keys (`a#b#$#c`; `$` list element, `*` key of a map). */
export function bodySchema(facts: readonly FactRow[]): JsonSchema {
  const root = newNode()
  for (const fact of facts) {
    let node = root
    const parts = fact.name.split('#')
    const start = parts[0] === 'json' && parts[1] === '$' ? 1 : 0
    for (const part of parts.slice(start)) {
      node.count = Math.max(node.count, fact.count)
      if (part === '$') node = node.items ??= newNode()
      else if (part === '*') node = node.entries ??= newNode()
      else {
        const name = part.replaceAll('%23', '#').replaceAll('%24', '$')
        let kid = node.kids.get(name)
        if (kid === undefined) {
          kid = newNode()
          node.kids.set(name, kid)
        }
        node = kid
      }
    }
    node.facts.push(fact)
    node.count = Math.max(node.count, sum(node.facts))
  }
  return schemaOf(root)
}

function sum(facts: readonly FactRow[]): number {
  return facts.reduce((total, fact) => total + fact.count, 0)
}

function schemaOf(node: Node): JsonSchema {
  const alternatives: string[] = []
  const schema: JsonSchema = {}
  if (node.kids.size > 0 || node.entries !== null) {
    alternatives.push('object')
    const names = [...node.kids.keys()].sort()
    if (names.length > 0) {
      schema.properties = Object.fromEntries(names.map((name) => [name, schemaOf(node.kids.get(name)!)]))
    }
    const most = Math.max(0, ...names.map((name) => node.kids.get(name)!.count))
    const required = names.filter((name) => {
      const { count } = node.kids.get(name)!
      return count >= REQUIRED_FROM && count >= REQUIRED_SHARE * most
    })
    if (required.length > 0) schema.required = required
    if (node.entries !== null) schema.additionalProperties = schemaOf(node.entries)
  }
  if (node.items !== null) {
    alternatives.push('array')
    schema.items = schemaOf(node.items)
  }
  if (node.facts.length === 0) return alternatives.length === 0 ? {} : { type: one(alternatives), ...schema }
  const leaf = leafSchema(node.facts)
  if (alternatives.length === 0) return leaf
  const types = [...alternatives, ...(leaf.type === undefined ? [] : [leaf.type].flat())]
  return { type: one(types), ...schema }
}

function one(types: readonly string[]): string | string[] {
  return types.length === 1 ? types[0]! : [...types]
}
