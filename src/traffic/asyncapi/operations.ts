import { readMethod } from '../../http/index.ts'
import type { DeclaredBody, DeclaredOperation, DeclaredParameter } from '../declared-operation.ts'
import { type BodyContext, readRequestBody } from '../openapi/bodies.ts'
import { readParameters } from '../openapi/parameters.ts'
import { readSecurity } from '../openapi/security.ts'
import type { OutsideObject } from '../untrusted-value.ts'
import { asList, asObject, asText, cutText, own } from '../untrusted-value.ts'
import type { Channel, ChannelUse } from './channels.ts'
import type { AsyncServer } from './servers.ts'

/** Schema formats that are JSON Schema, or so near to it that its keys can be read. */
const JSON_SCHEMA = /^$|asyncapi|schema\+(?:json|yaml)|openapi/i
const MAX_PATH = 1900

/** What all operations of a document share. */
export interface AsyncContext extends Omit<BodyContext, 'problems'> {
  readonly defaultContentType: string
  readonly schemes: OutsideObject | undefined
}

/** A declared operation before it has its number; a sentence where a channel has none. */
export type ReadChannelUse = Omit<DeclaredOperation, 'index'> | string

/** The operation of the messages of a channel over WebSocket: sent ones are its request, received ones its responses. */
export function socketOperation(
  channel: Channel,
  server: AsyncServer,
  context: AsyncContext,
): ReadChannelUse {
  const problems = new Set<string>()
  const binding = asObject(own(asObject(own(channel.node, 'bindings')), 'ws'))
  const bodies = (does: ChannelUse['does']): DeclaredBody[] =>
    channel.uses
      .filter((use) => use.does === does)
      .flatMap(({ messages }) => messages)
      .flatMap((message) => bodyOf(message, { ...context, problems }))
  const read = placed(channel, server, [binding], { ...context, problems })
  if (typeof read === 'string') return read
  const received = channel.uses.flatMap(({ replies }) => replies)
  return {
    ...read,
    where: channel.where,
    method: 'WS',
    protocol: 'WEBSOCKET',
    id: cutText(channel.uses[0]?.id, 200),
    summary: summaryOf(channel.node),
    requests: bodies('send'),
    responses: [
      ...bodies('receive'),
      ...received.flatMap((message) => bodyOf(message, { ...context, problems })),
    ].map((body) => ({ ...body, status: '101' })),
    problems: [...problems].map((problem) => cutText(problem, 300)),
  }
}

/** The operation of one use of a channel over HTTP. */
export function httpOperation(
  channel: Channel,
  use: ChannelUse,
  server: AsyncServer,
  context: AsyncContext,
): ReadChannelUse {
  const problems = new Set<string>()
  const binding = asObject(own(asObject(own(use.operation, 'bindings')), 'http'))
  const given = asText(own(binding, 'method'))
  const method = given === '' ? 'POST' : readMethod(given)
  if (method === undefined) return 'the method of its binding is not an HTTP method'
  if (given === '') problems.add('no binding tells the method; POST is taken')
  const read = placed(channel, server, [binding, ...use.messages.map(messageBinding)], {
    ...context,
    problems,
  })
  if (typeof read === 'string') return read
  const bodies = (messages: readonly OutsideObject[]): DeclaredBody[] =>
    messages.flatMap((message) => bodyOf(message, { ...context, problems }))
  return {
    ...read,
    where: use.where,
    method,
    id: cutText(use.id, 200),
    summary: summaryOf(use.operation) || summaryOf(channel.node),
    requests: method === 'GET' || method === 'HEAD' ? [] : bodies(use.messages),
    responses: bodies(use.replies).map((body) => ({ ...body, status: '200' })),
    problems: [...problems].map((problem) => cutText(problem, 300)),
  }
}

function messageBinding(message: OutsideObject): OutsideObject | undefined {
  return asObject(own(asObject(own(message, 'bindings')), 'http'))
}

type Place = Pick<
  DeclaredOperation,
  'path' | 'origin' | 'servers' | 'parameters' | 'security' | 'tags' | 'deprecated'
>

function placed(
  channel: Channel,
  { origin, basePath, security }: AsyncServer,
  bindings: readonly (OutsideObject | undefined)[],
  context: BodyContext & AsyncContext,
): Place | string {
  const { address, node } = channel
  if (address === '') return 'the channel has no address'
  const [bare = ''] = address.split(/[?#]/)
  const path = basePath + (bare.startsWith('/') ? bare : `/${bare}`)
  if (Buffer.byteLength(path) > MAX_PATH) return `the path is longer than ${MAX_PATH} bytes`
  const requirements = asList(security).some((one) => own(asObject(one), '$ref') !== undefined)
    ? asList(security).map((one) => ({
        [asText(own(asObject(one), '$ref'))
          .split('/')
          .at(-1) ?? '']: [],
      }))
    : security
  return {
    path,
    origin,
    servers: origin === '' ? [] : [origin + basePath],
    parameters: parametersOf(path, node, bindings, context),
    security: readSecurity(requirements, context.schemes, context.references, context.problems),
    tags: [],
    deprecated: false,
  }
}

function parametersOf(
  path: string,
  node: OutsideObject,
  bindings: readonly (OutsideObject | undefined)[],
  context: BodyContext & AsyncContext,
): readonly DeclaredParameter[] {
  const described = asObject(own(node, 'parameters'))
  const list: object[] = [...path.matchAll(/\{([^{}/]{1,200})\}/g)].map(([, name = '']) => {
    const parameter = context.references.resolve(own(described, name)).value
    // In version 3 a parameter is a text with the keywords of a schema beside its description.
    const schema = own(parameter, 'schema') ?? { type: 'string', ...parameter }
    return { name, in: 'path', required: true, schema }
  })
  for (const binding of bindings)
    for (const [word, place] of [
      ['query', 'query'],
      ['headers', 'header'],
    ] as const) {
      const schema = context.references.resolve(own(binding, word)).value
      const required = asList(own(schema, 'required'))
      for (const [name, property] of Object.entries(asObject(own(schema, 'properties')) ?? {}))
        list.push({ name, in: place, required: required.includes(name), schema: property })
    }
  return readParameters([list], context.references, context.problems).parameters
}

function bodyOf(message: OutsideObject, context: BodyContext & AsyncContext): DeclaredBody[] {
  const given = context.references.resolve(own(message, 'payload')).value
  const wrapped = own(given, 'schemaFormat') !== undefined && own(given, 'schema') !== undefined
  const format = asText(own(wrapped ? given : message, 'schemaFormat'))
  const mediaType = asText(own(message, 'contentType')) || context.defaultContentType
  const isReadable = JSON_SCHEMA.test(format)
  if (!isReadable) context.problems.add(`a payload of the format "${format.slice(0, 80)}" is not read`)
  const example = own(asObject(asList(own(message, 'examples'))[0]), 'payload')
  const schema = isReadable ? (wrapped ? own(given, 'schema') : own(message, 'payload')) : undefined
  if (schema === undefined && example === undefined) return []
  return readRequestBody({ content: { [mediaType]: { schema, example } } }, context)
}

function summaryOf(node: OutsideObject): string {
  return cutText(own(node, 'summary') ?? own(node, 'title') ?? own(node, 'description'), 500).split('\n')[0]!
}
