import type { DeclaredKey, DeclaredType } from '../declared-operation.ts'
import { escapeKey } from '../json-keys.ts'
import type { OutsideObject } from '../untrusted-value.ts'
import { asList, asObject, asText, own } from '../untrusted-value.ts'
import type { References } from './references.ts'
import { distinctValue, numberValue, stringValue } from './scalar-value.ts'

/** Deepest nesting of schemas that is followed. */
const MAX_DEPTH = 20
/** Most schemas looked at for one body. */
const MAX_SCHEMAS_A_BODY = 2000

const TYPES = new Set(['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'])

/** What following schemas may cost a whole document; shared by all its operations. */
export interface SchemaBudget {
  schemas: number
}

/** Wire type of a schema: declared (the first that is not null, as of OpenAPI 3.1), or by its keywords. */
export function schemaType(schema: OutsideObject | undefined): DeclaredType {
  const declared = own(schema, 'type')
  const names = Array.isArray(declared) ? declared : [declared]
  const type = names.find((name) => name !== 'null' && TYPES.has(asText(name))) ?? names[0]
  if (TYPES.has(asText(type))) return asText(type) as DeclaredType
  if (own(schema, 'properties') !== undefined || own(schema, 'additionalProperties') !== undefined)
    return 'object'
  return own(schema, 'items') === undefined ? '' : 'array'
}

/** Items of an array that is made: one, or as many as the schema asks for, up to twenty. */
function fewestItems(schema: OutsideObject | undefined): number {
  const least = own(schema, 'minItems')
  return Math.min(Math.max(typeof least === 'number' ? Math.ceil(least) : 1, 1), 20)
}

/** Follows the schema of one body: its keys, and an example built from it. */
export class SchemaReader {
  /** References that led nowhere and the like, each once. */
  readonly problems = new Set<string>()
  readonly #references: References
  readonly #budget: SchemaBudget
  readonly #writing: boolean
  #left = MAX_SCHEMAS_A_BODY
  readonly #open = new Set<unknown>()

  /** @param writing true for a request body, where read-only properties do not occur; false for a response */
  constructor(references: References, budget: SchemaBudget, writing: boolean) {
    this.#references = references
    this.#budget = budget
    this.#writing = writing
  }

  /** The flattened keys of a schema; a root array stands under `json`. */
  keys(schema: unknown): DeclaredKey[] {
    const found = new Map<string, DeclaredKey>()
    this.#left = MAX_SCHEMAS_A_BODY
    this.#collect(schema, '', true, 0, found)
    return [...found.values()]
  }

  #collect(
    node: unknown,
    key: string,
    required: boolean,
    depth: number,
    found: Map<string, DeclaredKey>,
  ): void {
    this.#enter(node, depth, (schema) => {
      for (const part of asList(own(schema, 'allOf'))) this.#collect(part, key, required, depth + 1, found)
      for (const word of ['oneOf', 'anyOf']) {
        for (const part of asList(own(schema, word))) this.#collect(part, key, false, depth + 1, found)
      }
      const type = schemaType(schema)
      const format = asText(own(schema, 'format'))
      if (type === 'array') {
        const inner = `${key === '' ? 'json' : key}#$`
        const items = own(schema, 'items')
        if (items === undefined) this.#leaf(found, inner, '', '', required)
        else this.#collect(items, inner, required, depth + 1, found)
        return
      }
      const properties = this.#properties(schema)
      for (const [name, property] of properties) {
        const needed = required && asList(own(schema, 'required')).includes(name)
        this.#collect(
          property,
          key === '' ? escapeKey(name) : `${key}#${escapeKey(name)}`,
          needed,
          depth + 1,
          found,
        )
      }
      const isComposed = ['allOf', 'oneOf', 'anyOf'].some((word) => asList(own(schema, word)).length > 0)
      if (properties.length === 0 && key !== '' && !isComposed) this.#leaf(found, key, type, format, required)
    })
  }

  #leaf(found: Map<string, DeclaredKey>, key: string, type: DeclaredType, format: string, required: boolean) {
    if (!found.has(key)) found.set(key, { key, type, format, required })
  }

  #properties(schema: OutsideObject): [name: string, schema: unknown][] {
    const hidden = this.#writing ? 'readOnly' : 'writeOnly'
    return Object.entries(asObject(own(schema, 'properties')) ?? {}).filter(
      ([, property]) => own(asObject(property), hidden) !== true,
    )
  }

  /** A value that fits the schema, from its examples, defaults and types; undefined when it says nothing. */
  example(schema: unknown): unknown {
    this.#left = MAX_SCHEMAS_A_BODY
    return this.#build(schema, 0)
  }

  #build(node: unknown, depth: number): unknown {
    return this.#enter(node, depth, (schema) => {
      for (const word of ['example', 'const', 'default']) {
        const value = own(schema, word)
        if (value !== undefined) return value
      }
      const listed = asList(own(schema, 'examples'))[0] ?? asList(own(schema, 'enum'))[0]
      if (listed !== undefined) return listed
      const parts = asList(own(schema, 'allOf'))
      if (parts.length > 0) return this.#joined(schema, parts, depth)
      const choice = asList(own(schema, 'oneOf'))[0] ?? asList(own(schema, 'anyOf'))[0]
      if (choice !== undefined && schemaType(schema) === '') return this.#build(choice, depth + 1)
      if (choice !== undefined && schemaType(schema) === 'object')
        return this.#joined(schema, [choice], depth)
      return this.#byType(schema, depth)
    })
  }

  #joined(schema: OutsideObject, parts: readonly unknown[], depth: number): unknown {
    const built = [...parts.map((part) => this.#build(part, depth + 1)), this.#byType(schema, depth)]
    const objects = built.map(asObject).filter((value) => value !== undefined)
    if (objects.length === 0) return built.find((value) => value !== undefined)
    return Object.fromEntries(objects.flatMap((value) => Object.entries(value)))
  }

  #byType(schema: OutsideObject, depth: number): unknown {
    switch (schemaType(schema)) {
      case 'object': {
        const entries = this.#properties(schema).map(
          ([name, property]) => [name, this.#build(property, depth + 1)] as const,
        )
        return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
      }
      case 'array': {
        const item = this.#build(own(schema, 'items'), depth + 1)
        if (item === undefined) return []
        const items = this.#references.resolve(own(schema, 'items')).value
        const mustDiffer = own(schema, 'uniqueItems') === true
        return Array.from({ length: fewestItems(schema) }, (_, number) =>
          mustDiffer ? distinctValue(item, number, items) : item,
        )
      }
      case 'integer':
        return numberValue(schema, 1, 1)
      case 'number':
        return numberValue(schema, 1.5, 0.5)
      case 'boolean':
        return true
      case 'null':
        return null
      case 'string':
        return stringValue(schema)
      default:
        return undefined
    }
  }

  /** Resolves a schema and runs `visit` on it unless a limit is reached or the schema is being visited already. */
  #enter<T>(node: unknown, depth: number, visit: (schema: OutsideObject) => T): T | undefined {
    if (depth > MAX_DEPTH || this.#left <= 0 || this.#budget.schemas <= 0) return undefined
    this.#left--
    this.#budget.schemas--
    const { value, problem } = this.#references.resolve(node)
    if (problem !== undefined) this.problems.add(problem)
    if (value === undefined || this.#open.has(value)) return undefined
    this.#open.add(value)
    try {
      return visit(value)
    } finally {
      this.#open.delete(value)
    }
  }
}
