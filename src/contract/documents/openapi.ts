import { answerFields } from '../answer-schema.ts'
import type { commonErrors } from '../errors/common.ts'
import { type ErrorCode, errorTable } from '../errors.ts'
import { fillAnswer } from '../fill-answer.ts'
import { bodyLimits } from '../limits.ts'
import type { Operation, WideAnswer } from '../operation.ts'
import { checkedKinds, type IdKind, idFields, namesCollections, reachOf } from '../reach/index.ts'
import { readRequest } from '../read-request.ts'
import { operationList } from '../registry.ts'
import { type Route, routes } from '../routes.ts'
import type { OperationName } from '../types.ts'
import { groups } from '../vocabulary.ts'
import type { RecordFields } from '../wide-record.ts'
import { accessTokenHeader, apiKeyHeader, errorCodeHeader } from '../wire.ts'
import { Components, type PlainSchema } from './components.ts'
import { interfaceNotes } from './interface-notes.ts'
import { requestSchema } from './request-schema.ts'

/** What the document says of the server it comes from. */
interface OpenApiOptions {
  /** Version of the interface. */
  readonly version?: string
  /** Base URL of the server. */
  readonly serverUrl?: string
}

/** Version label of the interface. */
export const interfaceVersion = '1.0.0'

const errorAnswer = { $ref: '#/components/schemas/ActionErrors' }
const json = (schema: PlainSchema, extra: PlainSchema = {}) => ({ 'application/json': { schema, ...extra } })

/** Codes any operation can give that depend on nothing in its entry. */
const everywhere = [
  'INVALID_JSON_BODY',
  'INVALID_KEY',
  'SESSION_EXPIRED',
  'UNSUPPORTED_MEDIA_TYPE',
  'UNSUPPORTED_ENCODING',
  'INVALID_ENCODING',
  'BODY_TOO_LARGE',
  'TOO_DEEP',
  'TOO_MANY_REQUESTS',
  'INTERNAL',
  'OVERLOADED',
] as const satisfies readonly (keyof typeof commonErrors)[]

/** The interface as an OpenAPI 3.1 document; the same input gives the same bytes. */
export function openApiDocument(options: OpenApiOptions = {}): PlainSchema {
  const components = new Components()
  components.add('ActionErrors', {
    type: 'object',
    description: `The body of every error. The header ${errorCodeHeader} carries the code.`,
    properties: { actionErrors: { type: 'array', items: { type: 'string' } } },
    required: ['actionErrors'],
  })
  const paths: PlainSchema = {}
  for (const operation of operationList) {
    paths[`/api/${operation.name}`] = { post: operationItem(operation, components) }
  }
  for (const route of routes) {
    paths[route.path] = { [route.method.toLowerCase()]: routeItem(route, components) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vigil',
      version: options.version ?? interfaceVersion,
      summary: 'API security: inventory, tests, threats and crawling.',
      description: interfaceNotes.join('\n\n'),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: options.serverUrl ?? '/' }],
    security: [{ apiKey: [] }, { accessToken: [] }],
    tags: [...Object.values(groups).map((name) => ({ name })), { name: 'Server' }],
    paths,
    components: { schemas: components.schemas(), securitySchemes: securitySchemes() },
  }
}

function securitySchemes(): PlainSchema {
  return {
    apiKey: {
      type: 'apiKey',
      in: 'header',
      name: apiKeyHeader,
      description: 'A key from settings, API access. It acts with the rights of its owner.',
    },
    accessToken: {
      type: 'apiKey',
      in: 'header',
      name: accessTokenHeader,
      description: 'Token of a browser session, from POST /auth/login.',
    },
    refreshCookie: {
      type: 'apiKey',
      in: 'cookie',
      name: 'refreshToken',
      description: 'Set by sign-in, sent under /dashboard only.',
    },
  }
}

function operationItem(operation: Operation, components: Components): PlainSchema {
  const { example } = operation
  return {
    operationId: operation.name,
    tags: [groups[operation.group]],
    summary: operation.summary,
    description: operationText(operation),
    ...(operation.sessionOnly ? { security: [{ accessToken: [] }] } : {}),
    requestBody: {
      required: Object.values(operation.request).some((field) => field.needed),
      content: json(requestSchema(operation, components), { example: example.request }),
    },
    responses: { '200': successAnswer(operation, components), ...failureAnswers(operation) },
    'x-role': operation.role,
    'x-access': operation.access,
    'x-idempotent': operation.idempotent,
    'x-key-kinds': operation.sessionOnly ? [] : ['EXTERNAL_API', ...(operation.keyKinds ?? [])],
    'x-max-body-bytes': bodyLimits[operation.bodyLimit ?? 'standard'],
    'x-in-specification': operation.inSpecification,
    'x-specified': operation.specified,
  }
}

function operationText(operation: Operation): string {
  const parts = [operation.description]
  const { answer } = operation
  if (answer.shape === 'wide') {
    const named = answer.fills.map((name) => `\`${name}\``).join(', ')
    parts.push(
      named === '' ? 'All fields of the answer are fillers.' : `Meaningful fields of the answer: ${named}.`,
    )
  }
  if (operation.note !== undefined) parts.push(`Specified: ${operation.specified}. ${operation.note}`)
  return parts.join('\n\n')
}

function successAnswer(operation: Operation, components: Components): PlainSchema {
  const { answer } = operation
  if (answer.shape === 'none') return { description: 'Done; no content.' }
  const schema =
    answer.shape === 'root' ? components.lift(answer.schema) : wideSchema(operation, answer, components)
  return { description: 'Done.', content: json(schema, { example: completeExample(operation) }) }
}

/** The answer of an operation's example as it stands on the wire. */
export function completeExample(operation: Operation): unknown {
  const name = operation.name as OperationName
  const request = readRequest(name, operation.example.request)
  return fillAnswer(name, operation.example.response as never, request as never)
}

function wideSchema(operation: Operation, answer: WideAnswer, components: Components): PlainSchema {
  const { record, extra } = answer
  const own = Object.keys(extra)
  if (own.some((name) => Object.hasOwn(record.fields, name))) {
    const description = `As ${record.name}, with its own fields: ${own.join(', ')}.`
    return components.add(`${capital(operation.name)}Answer`, recordSchema(description, answerFields(answer)))
  }
  const shared = components.add(record.name, recordSchema(record.description, record.fields))
  if (own.length === 0) return shared
  return { allOf: [shared, components.lift(recordSchema('Fields of this operation.', extra))] }
}

function recordSchema(description: string, fields: RecordFields): PlainSchema {
  return {
    type: 'object',
    description,
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.schema])),
    required: Object.keys(fields),
  }
}

function failureAnswers(operation: Operation): PlainSchema {
  const codes = new Set<ErrorCode>([...everywhere, ...operation.errors])
  if (operation.role !== 'GUEST') codes.add('ROLE_DENIED')
  if (operation.sessionOnly || operation.keyKinds === undefined) codes.add('KEY_NOT_ALLOWED')
  if (namesCollections(operation)) codes.add('COLLECTION_MINUS_ONE').add('COLLECTION_DENIED')
  if (reachOf(operation.name) === 'account') codes.add('COLLECTIONS_RESTRICTED')
  if (idFields(operation).some(({ kind }) => isOtherChecked(kind))) codes.add('ID_DENIED')
  const fields = Object.values(operation.request)
  if (fields.length > 0) codes.add('INVALID_FIELD')
  if (fields.some((field) => field.needed && field.refusal === null)) codes.add('FIELD_REQUIRED')
  return answersByStatus([...codes])
}

function isOtherChecked(kind: IdKind | undefined): boolean {
  const isCollection = kind === 'collection' || kind === 'collectionName'
  return !isCollection && (checkedKinds as readonly (IdKind | undefined)[]).includes(kind)
}

function answersByStatus(codes: readonly ErrorCode[]): PlainSchema {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes) {
    const { status } = errorTable[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const sorted = [...byStatus].sort(([a], [b]) => a - b)
  return Object.fromEntries(sorted.map(([status, group]) => [String(status), failureAnswer(group)]))
}

function failureAnswer(codes: readonly ErrorCode[]): PlainSchema {
  const lines = codes.map((code) => `${code}: ${errorTable[code].message}`)
  return { description: lines.join('\n\n'), content: json(errorAnswer) }
}

function routeItem(route: Route, components: Components): PlainSchema {
  const security = {
    anyone: [],
    'key or session': [{ apiKey: [] }, { accessToken: [] }],
    'refresh cookie': [{ refreshCookie: [] }],
  }[route.audience]
  const headers = Object.entries(route.headers ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ])
  const body = route.request === undefined ? undefined : components.lift(route.request)
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    ...{ name, in: 'path', required: true, schema: { type: 'string' } },
  }))
  return {
    tags: ['Server'],
    summary: route.summary,
    description: route.description,
    security,
    ...(inPath.length === 0 ? {} : { parameters: inPath }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { ...json(body), 'application/x-www-form-urlencoded': { schema: body } },
          },
        }),
    responses: {
      '200': {
        description: 'Done.',
        ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
        content: { [route.response.mediaType]: { schema: components.lift(route.response.schema) } },
      },
      ...answersByStatus(body === undefined ? route.errors : [...route.errors, 'INVALID_JSON_BODY']),
    },
  }
}

function capital(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}
