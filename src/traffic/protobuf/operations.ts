import protobuf from 'protobufjs'
import { readMethod } from '../../http/index.ts'
import type { DeclaredBody, DeclaredOperation } from '../declared-operation.ts'
import { type BodyContext, readRequestBody } from '../openapi/bodies.ts'
import { readParameters } from '../openapi/parameters.ts'
import { References } from '../openapi/references.ts'
import { cutText } from '../untrusted-value.ts'
import { type HttpRule, httpRules } from './http-rules.ts'
import { jsonName, MessageSchemas } from './schemas.ts'

const MAX_SCHEMAS = 500_000
const MAX_QUERY = 200

type ReadMethod = Omit<DeclaredOperation, 'index' | 'where'>

/** The operations of services: each method by its gRPC path, and again for each of its HTTP forms. */
export class MethodReader {
  readonly #schemas = new MessageSchemas()
  readonly #references = new References(this.#schemas.root)
  readonly #budget = { schemas: MAX_SCHEMAS }
  readonly #origin: string

  constructor(origin: string) {
    this.#origin = origin
  }

  /** Names of messages that nothing defines, of what was read so far. */
  get missing(): readonly string[] {
    return [...this.#schemas.missing]
  }

  read(service: protobuf.Service, method: protobuf.Method): ReadMethod[] {
    const request = service.lookup(method.requestType, [protobuf.Type])
    const requestSchema = this.#schemas.of(method.requestType, service)
    const responseSchema = this.#schemas.of(method.responseType, service)
    this.#schemas.complete()
    const problems = new Set<string>()
    const grpc: Omit<ReadMethod, 'problems'> = {
      ...this.#common(service, method),
      method: 'POST',
      path: `/${service.fullName.replace(/^\./, '')}/${method.name}`,
      protocol: 'GRPC',
      effect: effectOf(method.name),
      parameters: [],
      requests: this.#body('application/grpc', requestSchema, problems, true),
      responses: this.#responses('application/grpc', responseSchema, problems),
    }
    const forms = httpRules(method).flatMap((rule): ReadMethod[] => {
      const verb = readMethod(rule.method)
      if (verb === undefined) return []
      const told = new Set<string>()
      const type = request instanceof protobuf.Type ? request : undefined
      return [
        {
          ...this.#common(service, method),
          method: verb,
          path: rule.path,
          parameters: this.#parameters(rule, type, told),
          requests: this.#requests(rule, type, requestSchema, told),
          responses: this.#responses('application/json', responseSchema, told),
          problems: [...told].map((problem) => cutText(problem, 300)),
        },
      ]
    })
    return [{ ...grpc, problems: [...problems].map((problem) => cutText(problem, 300)) }, ...forms]
  }

  #common(service: protobuf.Service, method: protobuf.Method) {
    return {
      origin: this.#origin,
      servers: this.#origin === '' ? [] : [this.#origin],
      id: cutText(`${service.name}.${method.name}`, 200),
      summary: cutText(method.comment, 300).split('\n')[0]!,
      tags: [cutText(service.name, 100)],
      deprecated: method.options?.['deprecated'] === true,
      security: [],
    }
  }

  #context(problems: Set<string>): BodyContext {
    const references = this.#references
    return { references, budget: this.#budget, problems, isSwagger: false, consumes: [], produces: [] }
  }

  /** Keys of a message; its example only where it can be sent as text. */
  #body(mediaType: string, schema: object, problems: Set<string>, isOpaque = false): DeclaredBody[] {
    const read = readRequestBody({ content: { [mediaType]: { schema } } }, this.#context(problems))
    return isOpaque ? read.map(({ mediaType: type, keys }) => ({ mediaType: type, keys })) : read
  }

  #responses(mediaType: string, schema: object, problems: Set<string>) {
    return this.#body(mediaType, schema, problems, mediaType === 'application/grpc').map((body) => ({
      ...body,
      status: '200',
    }))
  }

  #requests(
    rule: HttpRule,
    type: protobuf.Type | undefined,
    whole: object,
    problems: Set<string>,
  ): DeclaredBody[] {
    if (rule.body === '') return []
    const field = type?.fieldsArray.find((one) => one.name === rule.body || protoName(one) === rule.body)
    const schema =
      rule.body !== '*'
        ? field === undefined
          ? whole
          : this.#schemas.field(field)
        : type === undefined
          ? whole
          : this.#schemas.message(type, new Set(rule.inPath.flatMap((name) => [name, camelCase(name)])))
    this.#schemas.complete()
    return this.#body('application/json', schema, problems)
  }

  #parameters(rule: HttpRule, type: protobuf.Type | undefined, problems: Set<string>) {
    const names = [...rule.path.matchAll(/\{([^{}/]{1,200})\}/g)].map(([, name = '']) => name)
    const fieldOf = (name: string) =>
      type?.fieldsArray.find((one) => one.name === camelCase(name) || protoName(one) === name)
    const list: object[] = names.map((name) => {
      const field = fieldOf(name)
      const schema = field === undefined ? { type: 'string' } : this.#schemas.field(field)
      return { name, in: 'path', required: true, schema }
    })
    const taken = new Set([...rule.inPath, rule.body].flatMap((name) => [name, camelCase(name)]))
    if (rule.body !== '*')
      for (const field of (type?.fieldsArray ?? []).slice(0, MAX_QUERY))
        if (!taken.has(field.name) && isPlain(field))
          list.push({ name: jsonName(field), in: 'query', schema: this.#schemas.field(field) })
    this.#schemas.complete()
    return readParameters([list], this.#references, problems).parameters
  }
}

function isPlain(field: protobuf.Field): boolean {
  if (field instanceof protobuf.MapField) return false
  const found = field.parent?.lookup(field.type, [protobuf.Type])
  return !(found instanceof protobuf.Type)
}

function protoName(field: protobuf.Field): string {
  return (field as { protoName?: string }).protoName ?? field.name
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_whole, letter: string) => letter.toUpperCase())
}

function effectOf(name: string): DeclaredOperation['effect'] {
  if (/^(?:Get|List|Search|Find|Read|Query|Fetch|Batch?Get|Watch|Stream|Check|Lookup|Count)/.test(name))
    return 'READ'
  if (/^(?:Delete|Remove|Cancel|Revoke|Purge)/.test(name)) return 'DELETE'
  return /^(?:Create|Add|Insert|New|Register|Place)/.test(name) ? 'CREATE' : 'CHANGE'
}
