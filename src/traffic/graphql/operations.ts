import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql'
import type { DeclaredKey, DeclaredOperation, DeclaredType } from '../declared-operation.ts'
import { UUID_EXAMPLE } from '../openapi/scalar-value.ts'
import { cutText } from '../untrusted-value.ts'

/** Objects within objects that a request selects, and that an argument gets. */
const SELECTED_DEPTH = 3
const INPUT_DEPTH = 5
/** Fields that one request selects or sends, and variables that are listed of it. */
const MAX_SELECTED = 200
const MAX_SENT = 200
const MAX_KEYS = 300

/** Where the endpoint of a schema is. */
export interface GraphqlPlace {
  readonly origin: string
  /** Of the endpoint: `/graphql`. */
  readonly path: string
}

type Field = GraphQLField<unknown, unknown>
type RootType = 'query' | 'mutation'

/**
 * The operation of a field at the top of a schema, named as traffic to it is inventoried (`/graphql/query/orders`), with a
 * request that selects every scalar below it and gives every argument that is required.
 */
export function graphqlOperation(
  type: RootType,
  field: Field,
  index: number,
  { origin, path }: GraphqlPlace,
): DeclaredOperation {
  const given = field.args.filter((one) => isRequiredArgument(one) || one.defaultValue !== undefined)
  const body = { query: documentOf(type, field, given), variables: variablesOf(given) }
  return {
    index,
    where: `${type} ${field.name}`,
    method: 'POST',
    path: `${path}/${type}/${field.name}`,
    target: path,
    protocol: 'GRAPHQL',
    effect: type === 'query' ? 'READ' : effectOf(field.name),
    resource: resourceOf(field),
    origin,
    servers: origin === '' ? [] : [origin + path],
    id: `${type}.${field.name}`,
    summary: cutText(field.description, 300).split('\n')[0]!,
    tags: [],
    deprecated: field.deprecationReason != null,
    parameters: [],
    requests: [{ mediaType: 'application/json', keys: keysOf(given), example: JSON.stringify(body) }],
    responses: [{ status: '200', mediaType: 'application/json', keys: [] }],
    security: [],
    problems: [],
  }
}

const DELETING =
  /^(?:delete|remove|destroy|erase|purge|drop|clear|cancel|revoke|archive|close|deactivate)(?=[A-Z_]|$)/
const CREATING = /^(?:create|add|new|insert|register|open|post|save|make|place|start)(?=[A-Z_]|$)/
/** Schemas that name the thing first: `orderCreate`, `order_delete_one`. */
const DELETING_LAST = /(?:Delete|Remove|Destroy|_delete|_remove)(?:_?[a-z]+|$)/
const CREATING_LAST = /(?:Create|Add|Insert|_create|_insert)(?:_?[a-z]+|$)/

function effectOf(name: string): DeclaredOperation['effect'] {
  if (DELETING.test(name) || DELETING_LAST.test(name)) return 'DELETE'
  return CREATING.test(name) || CREATING_LAST.test(name) ? 'CREATE' : 'CHANGE'
}

/** The type of the things that a field is about: that of its answer, lists and pages unpacked, else by its name. */
function resourceOf({ name, type }: Field): string {
  const named = getNamedType(type)
  if (!isCompositeType(named))
    return name
      .replace(DELETING, '')
      .replace(CREATING, '')
      .replace(/^(?:update|change|set|edit|get)(?=[A-Z_])/, '')
  if (!isObjectType(named)) return named.name
  const fields = named.getFields()
  const inner = fields['nodes'] ?? fields['items'] ?? fields['edges'] ?? fields['results'] ?? fields['data']
  if (inner !== undefined) {
    const entry = getNamedType(inner.type)
    const node = isObjectType(entry) ? entry.getFields()['node'] : undefined
    const element = node === undefined ? entry : getNamedType(node.type)
    if (isCompositeType(element)) return element.name
  }
  if (fields['id'] !== undefined || !/(?:Payload|Response|Result|Output)$/.test(named.name)) return named.name
  const wrapped = Object.values(fields).map((one) => getNamedType(one.type))
  return wrapped.find((one) => isObjectType(one) && one.getFields()['id'] !== undefined)?.name ?? named.name
}

function documentOf(type: RootType, field: Field, given: readonly GraphQLArgument[]): string {
  const declared = given.map((one) => `$${one.name}: ${String(one.type)}`).join(', ')
  const passed = given.map((one) => `${one.name}: $${one.name}`).join(', ')
  const selected = selectionOf(getNamedType(field.type), 0, new Set(), { left: MAX_SELECTED })
  const call = `${field.name}${passed === '' ? '' : `(${passed})`}${selected}`
  return `${type}${declared === '' ? '' : ` (${declared})`} { ${call} }`
}

/** How much of a request may still be written. */
interface Budget {
  left: number
}

/** Every field that needs no argument: scalars, and objects as deep as {@link SELECTED_DEPTH}, no type within itself. */
function selectionOf(
  type: GraphQLNamedType,
  depth: number,
  within: ReadonlySet<string>,
  budget: Budget,
): string {
  if (!isCompositeType(type)) return ''
  if (!('getFields' in type)) return ' { __typename }'
  const inner = new Set([...within, type.name])
  const selected: string[] = []
  for (const field of Object.values(type.getFields())) {
    if (budget.left <= 0) break
    if (field.args.some(isRequiredArgument)) continue
    const named = getNamedType(field.type)
    if (isCompositeType(named) && (depth + 1 >= SELECTED_DEPTH || inner.has(named.name))) continue
    budget.left--
    selected.push(`${field.name}${selectionOf(named, depth + 1, inner, budget)}`)
  }
  return ` { ${(selected.length === 0 ? ['__typename'] : selected).join(' ')} }`
}

function variablesOf(given: readonly GraphQLArgument[]): Record<string, unknown> {
  const budget = { left: MAX_SENT }
  return Object.fromEntries(
    given.map((one) => [one.name, inputValue(one.name, one.type, one.defaultValue, { depth: 0, budget })]),
  )
}

/** A value that the type allows: its default, the first of an enum, one entry of a list, the required fields of an object. */
function inputValue(
  name: string,
  type: GraphQLInputType,
  byDefault: unknown,
  place: { readonly depth: number; readonly budget: Budget },
): unknown {
  if (byDefault !== undefined) return byDefault
  if (isNonNullType(type)) return inputValue(name, type.ofType, undefined, place)
  if (isListType(type)) return [inputValue(name, type.ofType, undefined, place)]
  if (isEnumType(type)) return type.getValues()[0]?.name ?? null
  if (!isInputObjectType(type)) return scalarValue(type.name, name)
  const { depth, budget } = place
  if (depth >= INPUT_DEPTH || budget.left <= 0) return {}
  const fields = Object.values(type.getFields())
  const isOneOf = type.astNode?.directives?.some((one) => one.name.value === 'oneOf') === true
  const wanted = fields.filter((one) => isRequiredInputField(one) || isPlain(one.type))
  const chosen = (isOneOf ? fields.slice(0, 1) : wanted).slice(0, budget.left)
  budget.left -= chosen.length
  return Object.fromEntries(
    chosen.map((one) => [
      one.name,
      inputValue(one.name, one.type, one.defaultValue, { depth: depth + 1, budget }),
    ]),
  )
}

/** Optional objects and lists are left out: what they hold may not fit together. */
function isPlain(type: GraphQLInputType): boolean {
  return !isListType(type) && !isInputObjectType(type)
}

function scalarValue(type: string, name: string): unknown {
  switch (type) {
    case 'Int':
    case 'Long':
    case 'BigInt':
    case 'PositiveInt':
    case 'NonNegativeInt':
      return 1
    case 'Float':
    case 'Decimal':
    case 'BigDecimal':
    case 'Money':
      return 1.5
    case 'Boolean':
      return true
    case 'ID':
      return '1'
    default:
      return textOf(type, name)
  }
}

function textOf(type: string, name: string): string {
  if (/^uuid$/i.test(type)) return UUID_EXAMPLE
  if (/^date$/i.test(type)) return '2026-01-31'
  if (/time|timestamp/i.test(type)) return '2026-01-31T10:00:00Z'
  if (/email/i.test(type) || /e-?mail/i.test(name)) return 'user@example.com'
  if (/^ur[il]$/i.test(type) || /(?:url|uri|link)$/i.test(name)) return 'https://example.com/'
  return /^json/i.test(type) ? '{}' : 'string'
}

/** Names of a request's variables, as bodies are flattened. */
function keysOf(given: readonly GraphQLArgument[]): DeclaredKey[] {
  const keys: DeclaredKey[] = [key('query', 'string')]
  const add = (path: string, type: GraphQLInputType, depth: number): void => {
    if (keys.length >= MAX_KEYS) return
    const bare = isNonNullType(type) ? type.ofType : type
    if (isListType(bare)) add(`${path}#$`, bare.ofType, depth)
    else if (isInputObjectType(bare)) {
      if (depth >= INPUT_DEPTH) return
      for (const field of Object.values(bare.getFields())) add(`${path}#${field.name}`, field.type, depth + 1)
    } else keys.push(key(path, declaredType(bare.name), bare.name === 'UUID' ? 'uuid' : ''))
  }
  for (const one of given) add(`variables#${one.name}`, one.type, 0)
  return keys
}

function key(name: string, type: DeclaredType, format = ''): DeclaredKey {
  return { key: name, type, format, required: false }
}

function declaredType(name: string): DeclaredType {
  if (name === 'Int') return 'integer'
  if (name === 'Float') return 'number'
  return name === 'Boolean' ? 'boolean' : 'string'
}

/** Fields of a type at the top of a schema, in the order of the document; none where nothing defines the type. */
export function fieldsOf(type: GraphQLObjectType | null | undefined): Field[] {
  return isObjectType(type) ? Object.values(type.getFields()) : []
}
