/** A JSON Schema as plain data. */
export type PlainSchema = Record<string, unknown>

/**
 * Collects the named records of an OpenAPI document: a schema with a `title` becomes a component and is referred to
 * wherever it stands. Two different schemas of one title are a mistake of Vigil and throw.
 */
export class Components {
  readonly #schemas = new Map<string, PlainSchema>()
  readonly #sources = new Map<string, string>()

  /** The schema as the document shows it, its named parts moved to the components. */
  lift(schema: unknown): PlainSchema {
    const plain = schema as PlainSchema
    const title = plain['title']
    return typeof title === 'string' ? this.#component(title, plain) : this.#liftParts(plain)
  }

  /** Adds a component under a name and returns the reference to it. */
  add(name: string, schema: PlainSchema): PlainSchema {
    return this.#component(name, schema)
  }

  /** All components by name, sorted. */
  schemas(): Record<string, PlainSchema> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #component(name: string, schema: PlainSchema): PlainSchema {
    const source = JSON.stringify(schema)
    const known = this.#sources.get(name)
    if (known !== undefined && known !== source) throw new Error(`two different schemas are named ${name}`)
    if (known === undefined) {
      this.#sources.set(name, source)
      const { title: _title, ...rest } = schema
      this.#schemas.set(name, this.#liftParts(rest))
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  #liftParts(schema: PlainSchema): PlainSchema {
    const lifted: PlainSchema = {}
    for (const [key, value] of Object.entries(schema)) lifted[key] = this.#liftPart(key, value)
    return withShortNull(lifted)
  }

  #liftPart(key: string, value: unknown): unknown {
    if (key === 'properties') {
      const properties = Object.entries(value as Record<string, unknown>)
      return Object.fromEntries(properties.map(([name, part]) => [name, this.lift(part)]))
    }
    if (key === 'anyOf') return (value as unknown[]).map((part) => this.lift(part))
    const isSchema = key === 'items' || key === 'additionalProperties'
    return isSchema && typeof value === 'object' ? this.lift(value) : value
  }
}

/** `anyOf [X, null]` reads better as `type: [x, "null"]` where X is a plain type. */
function withShortNull(schema: PlainSchema): PlainSchema {
  const branches = schema['anyOf'] as PlainSchema[] | undefined
  if (branches?.length !== 2 || branches[1]?.['type'] !== 'null') return schema
  const [value] = branches as [PlainSchema, PlainSchema]
  if (typeof value['type'] !== 'string' || 'enum' in value) return schema
  const { anyOf: _anyOf, ...rest } = schema
  return { ...value, ...rest, type: [value['type'], 'null'] }
}
