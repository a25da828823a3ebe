import type { DeclaredParameter, ParameterPlace } from '../declared-operation.ts'
import type { OutsideObject } from '../untrusted-value.ts'
import { asList, asObject, asText, cutText, own } from '../untrusted-value.ts'
import type { References } from './references.ts'
import { numberValue, stringValue } from './scalar-value.ts'
import { SchemaReader, schemaType } from './schema.ts'

const MAX_PARAMETERS = 500
/** Schemas followed to make the value of one parameter, and pairs that it is sent as. */
const MAX_MADE = 200
const MAX_PAIRS = 50
/** Longer lists, and longer values, are not those of versions. */
const MAX_CHOICES = 20
const MAX_CHOICE = 100
const PLACES = new Set<string>(['path', 'query', 'header', 'cookie'])

/** The parameters of an operation and what Swagger 2 declares among them but is a body. */
interface ReadParameters {
  readonly parameters: readonly DeclaredParameter[]
  /** Swagger 2 only: the parameter `in: body`. */
  readonly body: OutsideObject | undefined
  /** Swagger 2 only: the parameters `in: formData`. */
  readonly form: readonly OutsideObject[]
}

/**
 * Reads parameters of the path and of the operation; one of the operation replaces one of the path with the same
 * name and place. `problems` learns what is wrong.
 */
export function readParameters(
  lists: readonly unknown[],
  references: References,
  problems: Set<string>,
): ReadParameters {
  const found = new Map<string, DeclaredParameter>()
  const form: OutsideObject[] = []
  let body: OutsideObject | undefined
  for (const item of lists.flatMap(asList).slice(0, MAX_PARAMETERS)) {
    const { value, problem } = references.resolve(item)
    if (value === undefined) {
      problems.add(problem ?? 'a parameter is not an object')
      continue
    }
    const name = cutText(own(value, 'name'), 1000)
    const place = asText(own(value, 'in'))
    if (place === 'body') body = value
    else if (place === 'formData') form.push(value)
    else if (name === '' || !PLACES.has(place)) problems.add('a parameter has no name or no valid "in"')
    else found.set(`${place} ${name}`, readParameter(value, name, place as ParameterPlace, references))
  }
  return { parameters: [...found.values()], body, form }
}

function readParameter(
  parameter: OutsideObject,
  name: string,
  place: ParameterPlace,
  references: References,
): DeclaredParameter {
  const media = asObject(Object.values(asObject(own(parameter, 'content')) ?? {})[0])
  // In Swagger 2, type and format are in the parameter itself.
  const declared = own(parameter, 'schema') ?? own(media, 'schema')
  const schema = declared === undefined ? parameter : references.resolve(declared).value
  const example =
    own(parameter, 'example') ??
    own(parameter, 'x-example') ??
    firstExample(own(parameter, 'examples'), references) ??
    own(schema, 'example') ??
    asList(own(schema, 'examples'))[0] ??
    own(schema, 'default') ??
    asList(own(schema, 'enum'))[0]
  const made = schema === undefined ? undefined : (example ?? madeValue(schema, references))
  return {
    name,
    in: place,
    required: place === 'path' || own(parameter, 'required') === true,
    type: schemaType(schema),
    format: asText(own(schema, 'format')),
    example: example === undefined || example === null ? undefined : cutText(exampleText(example), 2000),
    ...(place === 'path' ? choicesOf(schema) : {}),
    ...generatedValue(schema, made),
    ...(media === undefined ? sentAs(parameter, name, place, made) : {}),
  }
}

function choicesOf(schema: OutsideObject | undefined): Pick<DeclaredParameter, 'choices'> {
  const listed = asList(own(schema, 'enum'))
  if (listed.length === 0 || listed.length > MAX_CHOICES) return {}
  return { choices: listed.map((value) => cutText(exampleText(value), MAX_CHOICE)) }
}

/** A value of the schema's own making; undefined for types that are not known. */
function madeValue(schema: OutsideObject, references: References): unknown {
  return new SchemaReader(references, { schemas: MAX_MADE }, true).example(schema)
}

function generatedValue(
  schema: OutsideObject | undefined,
  made: unknown,
): Pick<DeclaredParameter, 'generated'> {
  switch (schemaType(schema)) {
    case 'integer':
      return { generated: String(numberValue(schema!, 1, 1)) }
    case 'number':
      return { generated: String(numberValue(schema!, 1.5, 0.5)) }
    case 'boolean':
      return { generated: 'true' }
    case 'string':
      return { generated: stringValue(schema!) }
    case 'array':
    case 'object':
      return made === undefined ? {} : { generated: cutText(exampleText(made), 2000) }
    default:
      return {}
  }
}

/** Query parameters whose lists are one value, with what stands between its parts. */
const SEPARATORS: Readonly<Record<string, string>> = {
  ssv: ' ',
  tsv: '\t',
  pipes: '|',
  pipeDelimited: '|',
  spaceDelimited: ' ',
}

/** How lists and objects of a query are written (OpenAPI 3 `style` and `explode`, Swagger 2 `collectionFormat`). */
function sentAs(
  parameter: OutsideObject,
  name: string,
  place: ParameterPlace,
  value: unknown,
): Pick<DeclaredParameter, 'pairs'> {
  if (place !== 'query' || typeof value !== 'object' || value === null) return {}
  const text = (one: unknown): string => cutText(exampleText(one), 2000)
  const style = asText(own(parameter, 'style')) || asText(own(parameter, 'collectionFormat'))
  const isOfSwagger = own(parameter, 'schema') === undefined
  if (Array.isArray(value)) {
    const separator = SEPARATORS[style]
    if (separator !== undefined && own(parameter, 'explode') !== true)
      return { pairs: [[name, value.map(text).join(separator)]] }
    const isOne = isOfSwagger ? style !== 'multi' : own(parameter, 'explode') === false
    return isOne ? {} : { pairs: value.slice(0, MAX_PAIRS).map((one) => [name, text(one)] as const) }
  }
  const entries = Object.entries(value).slice(0, MAX_PAIRS)
  if (style === 'deepObject') return { pairs: entries.map(([key, one]) => [`${name}[${key}]`, text(one)]) }
  if (own(parameter, 'explode') !== false) return { pairs: entries.map(([key, one]) => [key, text(one)]) }
  return { pairs: [[name, entries.map(([key, one]) => `${key},${text(one)}`).join(',')]] }
}

/** The value of the first entry of an OpenAPI 3 `examples` map. */
export function firstExample(examples: unknown, references: References): unknown {
  const first = Object.values(asObject(examples) ?? {})[0]
  return own(references.resolve(first).value, 'value')
}

function exampleText(value: unknown): string {
  if (Array.isArray(value)) return value.map(exampleText).join(',')
  return typeof value === 'object' ? (JSON.stringify(value) ?? '') : asText(value)
}
