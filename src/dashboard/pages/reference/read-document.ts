/** An operation as the OpenAPI document of the server describes it. */
export interface ReferenceOperation {
  readonly name: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly role: string
  readonly writes: boolean
  readonly request: readonly ReferenceField[]
  readonly requestExample: string
  readonly answer: readonly ReferenceField[]
  readonly answerExample: string
  /** Refusals by status, each with its code and sentence. */
  readonly refusals: readonly { readonly status: string; readonly texts: readonly string[] }[]
}

/** A field of a request or of an answer, with its depth in the record. */
export interface ReferenceField {
  readonly name: string
  readonly depth: number
  readonly type: string
  readonly isRequired: boolean
  readonly description: string
}

/** Parts of a JSON document that came from outside. */
type Part = Readonly<Record<string, unknown>>

/** Records deeper than this are named only. */
const MOST_DEPTH = 4

function partOf(value: unknown): Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Part) : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Every operation that is called with POST, in the order of the document. */
export function readDocument(document: unknown): ReferenceOperation[] {
  const { paths, components } = partOf(document)
  const schemas = partOf(partOf(components)['schemas'])
  return Object.values(partOf(paths)).flatMap((path) => {
    const post = partOf(partOf(path)['post'])
    if (typeof post['x-access'] !== 'string') return []
    return [readOperation(post, schemas)]
  })
}

function readOperation(post: Part, schemas: Part): ReferenceOperation {
  const body = contentOf(post['requestBody'])
  const responses = partOf(post['responses'])
  const answer = contentOf(responses['200'])
  return {
    name: textOf(post['operationId']),
    tag: Array.isArray(post['tags']) ? textOf(post['tags'][0]) : '',
    summary: textOf(post['summary']),
    description: textOf(post['description']),
    role: textOf(post['x-role']),
    writes: post['x-access'] === 'write',
    request: fieldsOf(body['schema'], schemas, 0),
    requestExample: JSON.stringify(body['example'] ?? {}, null, 2),
    answer: fieldsOf(answer['schema'], schemas, 0),
    answerExample: answer['example'] === undefined ? '' : JSON.stringify(answer['example'], null, 2),
    refusals: Object.entries(responses)
      .filter(([status]) => status !== '200')
      .map(([status, refusal]) => ({
        status,
        texts: textOf(partOf(refusal)['description']).split('\n\n'),
      })),
  }
}

function contentOf(body: unknown): Part {
  return partOf(partOf(partOf(body)['content'])['application/json'])
}

/** The schema that a reference names, or the schema itself. */
function resolved(schema: unknown, schemas: Part): { name: string; schema: Part } {
  const reference = textOf(partOf(schema)['$ref'])
  const name = reference.slice(reference.lastIndexOf('/') + 1)
  return reference === '' ? { name: '', schema: partOf(schema) } : { name, schema: partOf(schemas[name]) }
}

function fieldsOf(given: unknown, schemas: Part, depth: number): ReferenceField[] {
  const { schema } = resolved(given, schemas)
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(partOf(schema['properties'])).flatMap(([name, field]) => {
    const inner = depth + 1 < MOST_DEPTH ? fieldsOf(itemsOf(field, schemas), schemas, depth + 1) : []
    return [
      {
        name,
        depth,
        type: typeText(field, schemas),
        isRequired: required.includes(name),
        description: textOf(partOf(field)['description']),
      },
      ...inner,
    ]
  })
}

/** What a field holds: the items of a list, the alternative that is not null, or the field itself. */
function itemsOf(field: unknown, schemas: Part): unknown {
  const { schema } = resolved(field, schemas)
  if (schema['items'] !== undefined) return itemsOf(schema['items'], schemas)
  const alternatives = schema['anyOf']
  if (Array.isArray(alternatives))
    return itemsOf(
      alternatives.find((one) => !isNull(one)),
      schemas,
    )
  return schema
}

function isNull(schema: unknown): boolean {
  return partOf(schema)['type'] === 'null'
}

/** The type of a field in words: `string or null`, `list of Severity`, `"HIGH" | "LOW"`. */
function typeText(field: unknown, schemas: Part): string {
  const { name, schema } = resolved(field, schemas)
  const values = schema['enum']
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ')
  if (schema['const'] !== undefined) return JSON.stringify(schema['const'])
  const alternatives = schema['anyOf']
  if (Array.isArray(alternatives)) return alternatives.map((one) => typeText(one, schemas)).join(' or ')
  const types = [schema['type']].flat().map(textOf)
  const text = types
    .map((type) => (type === 'array' ? `list of ${typeText(schema['items'], schemas)}` : type))
    .join(' or ')
  return types[0] === 'object' && name !== '' ? name : text
}
