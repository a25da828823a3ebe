/** A part of a JSON Schema, as far as editors use it. */
export interface Schema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

/** A step into a document: the name of a key, or an item of a list. */
export type Step = string | typeof ITEM
export const ITEM = Symbol('item')

/** A schema without references and alternatives: each of these may hold. */
export function alternatives(root: Schema, schema: Schema): Schema[] {
  const seen = new Set<Schema>()
  const flat = (one: Schema): Schema[] => {
    if (seen.has(one)) return []
    seen.add(one)
    const { $ref } = one
    if ($ref !== undefined) {
      const target = root.$defs?.[$ref.replace('#/$defs/', '')]
      if (target === undefined) return []
      const found = flat(target)
      return one.description === undefined
        ? found
        : found.map((inner) => ({ ...inner, description: one.description }) as Schema)
    }
    if (one.anyOf === undefined) return [one]
    const { anyOf, ...rest } = one
    const own = Object.keys(rest).some((key) => key !== 'description') ? [rest] : []
    return [
      ...own,
      ...anyOf
        .flatMap(flat)
        .map((inner) =>
          one.description === undefined ? inner : ({ description: one.description, ...inner } as Schema),
        ),
    ]
  }
  return flat(schema)
}

/** What may stand at a path of a document; empty where the schema says nothing of it. */
function schemasAt(root: Schema, path: readonly Step[]): Schema[] {
  let here = alternatives(root, root)
  for (const step of path) {
    const next = here.flatMap((schema) => stepInto(schema, step))
    here = next.flatMap((schema) => alternatives(root, schema))
  }
  return here
}

function stepInto(schema: Schema, step: Step): Schema[] {
  if (step === ITEM) return schema.items === undefined ? [] : [schema.items]
  const known = schema.properties
  if (known !== undefined && Object.hasOwn(known, step)) return [known[step] as Schema]
  const byPattern = Object.entries(schema.patternProperties ?? {})
    .filter(([pattern]) => new RegExp(pattern).test(step))
    .map(([, inner]) => inner)
  if (byPattern.length > 0) return byPattern
  return typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []
}

/** Keys that a mapping at a path may have, with what they mean. */
export function keysAt(root: Schema, path: readonly Step[]): Map<string, string> {
  const keys = new Map<string, string>()
  for (const { properties = {} } of schemasAt(root, path)) {
    for (const [name, inner] of Object.entries(properties)) {
      const text = inner.description ?? alternatives(root, inner)[0]?.description ?? ''
      if (!keys.has(name) || keys.get(name) === '') keys.set(name, text)
    }
  }
  return keys
}

/** Values that may stand at a path, where they are listed. */
export function valuesAt(root: Schema, path: readonly Step[]): string[] {
  const values = schemasAt(root, path).flatMap((schema) => [
    ...(schema.enum ?? []).map(String),
    ...(schema.type === 'boolean' ? ['true', 'false'] : []),
  ])
  return [...new Set(values)]
}

/** What a key at a path means; null where the schema does not say. */
export function meaningAt(root: Schema, path: readonly Step[]): string | null {
  const name = path.at(-1)
  if (typeof name !== 'string') return null
  return keysAt(root, path.slice(0, -1)).get(name) || null
}
