import type { DeclaredBody, DeclaredResponse } from '../declared-operation.ts'
import type { OutsideObject } from '../untrusted-value.ts'
import { asList, asObject, asText, cutText, own } from '../untrusted-value.ts'
import { firstExample } from './parameters.ts'
import type { References } from './references.ts'
import type { SchemaBudget } from './schema.ts'
import { SchemaReader } from './schema.ts'

const MAX_MEDIA_TYPES = 10
const MAX_RESPONSES = 50
const MAX_EXAMPLE = 65_536

/** What reading bodies needs to know of the document. */
export interface BodyContext {
  readonly references: References
  readonly budget: SchemaBudget
  readonly problems: Set<string>
  readonly isSwagger: boolean
  /** Swagger 2: media types consumed and produced where an operation names none. */
  readonly consumes: readonly string[]
  readonly produces: readonly string[]
}

/** The request bodies of an OpenAPI 3 operation, one per media type. */
export function readRequestBody(node: unknown, context: BodyContext): DeclaredBody[] {
  if (node === undefined) return []
  const { value, problem } = context.references.resolve(node)
  if (value === undefined) {
    context.problems.add(problem ?? 'the request body is not an object')
    return []
  }
  return readContent(own(value, 'content'), context, true)
}

function readContent(content: unknown, context: BodyContext, writing: boolean): DeclaredBody[] {
  return Object.entries(asObject(content) ?? {})
    .slice(0, MAX_MEDIA_TYPES)
    .map(([mediaType, node]) => {
      const media = context.references.resolve(node).value
      const example = own(media, 'example') ?? firstExample(own(media, 'examples'), context.references)
      return readBody(mediaType, own(media, 'schema'), example, context, writing)
    })
}

function readBody(
  mediaType: string,
  schema: unknown,
  declaredExample: unknown,
  context: BodyContext,
  writing: boolean,
): DeclaredBody {
  const reader = new SchemaReader(context.references, context.budget, writing)
  const keys = schema === undefined ? [] : reader.keys(schema)
  const example = declaredExample ?? (schema === undefined ? undefined : reader.example(schema))
  for (const problem of reader.problems) context.problems.add(problem)
  return { mediaType: cutText(mediaType, 200), keys, example: bodyText(example, mediaType) }
}

/** An example as written in a body of that media type; undefined when it cannot be written. */
function bodyText(example: unknown, mediaType: string): string | undefined {
  if (example === undefined) return undefined
  let text: string
  if (typeof example === 'string' && !/[/+]json\b/i.test(mediaType)) text = example
  else if (typeof example === 'string' && /^\s*[[{]/.test(example)) text = example
  else if (/form-urlencoded/i.test(mediaType)) text = formText(example)
  else text = JSON.stringify(example) ?? ''
  return text.length <= MAX_EXAMPLE ? text : undefined
}

function formText(example: unknown): string {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(asObject(example) ?? {})) {
    form.append(name, typeof value === 'object' ? (JSON.stringify(value) ?? '') : asText(value))
  }
  return form.toString()
}

/** The responses of an operation, one per status and media type. */
export function readResponses(
  node: unknown,
  operation: OutsideObject,
  context: BodyContext,
): DeclaredResponse[] {
  const responses = Object.entries(asObject(node) ?? {}).filter(([status]) => !status.startsWith('x-'))
  if (responses.length === 0) context.problems.add('no responses are described')
  const found: DeclaredResponse[] = []
  for (const [status, response] of responses.slice(0, MAX_RESPONSES)) {
    if (!/^(?:[1-5](?:\d\d|XX)|default)$/i.test(status)) {
      context.problems.add(`the response status "${status.slice(0, 20)}" is not valid`)
      continue
    }
    const { value, problem } = context.references.resolve(response)
    if (value === undefined) context.problems.add(problem ?? `the response ${status} is not an object`)
    const bodies = context.isSwagger
      ? swaggerResponse(value, operation, context)
      : readContent(own(value, 'content'), context, false)
    for (const body of bodies) {
      found.push({ status, ...body })
      if (body.keys.length === 0 && body.example === undefined && isJsonType(body.mediaType)) {
        context.problems.add(`no example and no usable schema for ${status} ${body.mediaType}`)
      }
    }
    if (bodies.length === 0) found.push({ status, mediaType: '', keys: [] })
  }
  return found
}

function isJsonType(mediaType: string): boolean {
  return /[/+]json\b/i.test(mediaType)
}

function swaggerResponse(
  response: OutsideObject | undefined,
  operation: OutsideObject,
  context: BodyContext,
): DeclaredBody[] {
  const schema = own(response, 'schema')
  const examples = asObject(own(response, 'examples'))
  if (schema === undefined && examples === undefined) return []
  const produces = mediaTypes(own(operation, 'produces'), context.produces)
  return produces.map((mediaType) => readBody(mediaType, schema, own(examples, mediaType), context, false))
}

/** The request body of a Swagger 2 operation from its `body` and `formData` parameters. */
export function swaggerRequestBody(
  body: OutsideObject | undefined,
  form: readonly OutsideObject[],
  operation: OutsideObject,
  context: BodyContext,
): DeclaredBody[] {
  const consumes = mediaTypes(own(operation, 'consumes'), context.consumes)
  if (body !== undefined) {
    return consumes.map((mediaType) => readBody(mediaType, own(body, 'schema'), undefined, context, true))
  }
  if (form.length === 0) return []
  const hasFile = form.some((parameter) => own(parameter, 'type') === 'file')
  const isForm = (mediaType: string) => /form/i.test(mediaType)
  const fallback = hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded'
  const properties: Record<string, unknown> = Object.create(null)
  for (const parameter of form.slice(0, 500)) {
    const { type, format, example, enum: values, default: preset, items } = parameter
    const name = asText(own(parameter, 'name'))
    if (name !== '') properties[name] = { type: type === 'file' ? 'string' : type, format: type === 'file' ? 'binary' : format, example, enum: values, default: preset, items } // biome-ignore format: one line reads better
  }
  const required = form.filter((one) => own(one, 'required') === true).map((one) => own(one, 'name'))
  return [
    readBody(
      consumes.find(isForm) ?? fallback,
      { type: 'object', properties, required },
      undefined,
      context,
      true,
    ),
  ]
}

function mediaTypes(own: unknown, fallback: readonly string[]): string[] {
  const named = asList(own)
    .map(asText)
    .filter((text) => text !== '')
  const all = named.length > 0 ? named : [...fallback]
  return (all.length > 0 ? all : ['application/json']).slice(0, MAX_MEDIA_TYPES)
}
