import { readMethod } from '../../http/index.ts'
import type { DeclaredOperation, DeclaredParameter } from '../declared-operation.ts'
import type { ImportReportWriter } from '../import-report.ts'
import type { OutsideObject } from '../untrusted-value.ts'
import { asList, asObject, asText, cutText, own, pointerToken } from '../untrusted-value.ts'
import type { BodyContext } from './bodies.ts'
import { readRequestBody, readResponses, swaggerRequestBody } from './bodies.ts'
import type { OpenApiDocument } from './document.ts'
import { readParameters } from './parameters.ts'
import { References } from './references.ts'
import { readSecurity } from './security.ts'
import type { Servers } from './servers.ts'
import { readServers, readSwaggerServer } from './servers.ts'

/** Most operations of one document; the largest public descriptions have some 20,000. */
const MAX_OPERATIONS = 50_000
/** Most schemas followed in one document, so that references fanning out cannot take minutes. */
const MAX_SCHEMAS = 2_000_000
/** Bytes, as of observed paths: the store keeps no longer ones. */
const MAX_PATH = 1900

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'])
const PATH_KEYS = new Set(['$ref', 'summary', 'description', 'servers', 'parameters', 'additionalOperations'])

/** Reads every operation of a document; what cannot be used is skipped in the report with its reason. */
export function readOperations(
  document: OpenApiDocument,
  baseUrl: string,
  report: ImportReportWriter,
): DeclaredOperation[] {
  return new OperationReader(document, baseUrl, report).read()
}

interface PathContext {
  readonly path: string
  readonly pointer: string
  readonly item: OutsideObject
}

class OperationReader {
  readonly #document: OpenApiDocument
  readonly #baseUrl: string
  readonly #report: ImportReportWriter
  readonly #references: References
  readonly #budget = { schemas: MAX_SCHEMAS }
  readonly #documentServers: Servers
  readonly #found: DeclaredOperation[] = []
  #index = 0

  constructor(document: OpenApiDocument, baseUrl: string, report: ImportReportWriter) {
    this.#document = document
    this.#baseUrl = baseUrl
    this.#report = report
    this.#references = new References(document.root)
    const { root, version } = document
    this.#documentServers =
      version === '2.0' ? readSwaggerServer(root, baseUrl) : readServers(own(root, 'servers'), baseUrl)
  }

  read(): DeclaredOperation[] {
    const { root } = this.#document
    for (const problem of this.#documentServers.problems) this.#report.warn('/servers', problem)
    if (this.#documentServers.origin === '' && !this.#documentServers.namesHost)
      this.#report.warn('/servers', 'the document names no host')
    for (const [path, node] of Object.entries(asObject(own(root, 'paths')) ?? {})) {
      if (!path.startsWith('x-')) this.#readPath(asText(path), node)
      if (this.#index >= MAX_OPERATIONS) {
        this.#report.stop(
          `/paths/${pointerToken(path)}`,
          `only the first ${MAX_OPERATIONS} operations are read`,
        )
        break
      }
    }
    if (own(root, 'webhooks') !== undefined) this.#report.warn('/webhooks', 'webhooks are not imported')
    if (this.#budget.schemas <= 0) this.#report.warn('', `only the first ${MAX_SCHEMAS} schemas are followed`)
    return this.#found
  }

  #where(pointer: string): string {
    const line = this.#document.lines.get(pointer)
    return line === undefined ? pointer : `${pointer} (line ${line})`
  }

  #readPath(path: string, node: unknown): void {
    const pointer = `/paths/${pointerToken(path)}`
    const { value: item, problem } = this.#references.resolve(node)
    if (item === undefined) {
      this.#report.skip(
        this.#index,
        this.#where(pointer),
        path.slice(0, 300),
        problem ?? 'the path item is not an object',
      )
      this.#index++
      return
    }
    const context = { path, pointer, item }
    for (const [key, operation] of Object.entries(item)) {
      if (METHODS.has(key)) this.#readOne(key, operation, context, `${pointer}/${key}`)
      else if (!PATH_KEYS.has(key) && !key.startsWith('x-')) {
        this.#report.warn(
          this.#where(`${pointer}/${pointerToken(key)}`),
          `"${key.slice(0, 40)}" is not a method`,
        )
      }
    }
    for (const [method, operation] of Object.entries(asObject(own(item, 'additionalOperations')) ?? {})) {
      this.#readOne(method, operation, context, `${pointer}/additionalOperations/${pointerToken(method)}`)
    }
  }

  #readOne(key: string, node: unknown, context: PathContext, pointer: string): void {
    const index = this.#index
    this.#index++
    const where = this.#where(pointer)
    const method = readMethod(key)
    const what = `${method ?? key.slice(0, 32)} ${context.path.slice(0, 300)}`
    const operation = asObject(node)
    if (operation === undefined || method === undefined || Buffer.byteLength(context.path) > MAX_PATH) {
      const reason =
        operation === undefined
          ? 'the operation is not an object'
          : method === undefined
            ? 'the method is not an HTTP method'
            : `the path is longer than ${MAX_PATH} bytes`
      this.#report.skip(index, where, what, reason)
      return
    }
    const declared = this.#describe(index, where, method, operation, context)
    this.#found.push(declared)
    this.#report.take(index, where, what, declared.problems)
  }

  #describe(
    index: number,
    where: string,
    method: string,
    operation: OutsideObject,
    { path, item }: PathContext,
  ): DeclaredOperation {
    const { root, version } = this.#document
    const isSwagger = version === '2.0'
    const problems = new Set<string>()
    const context: BodyContext = {
      references: this.#references,
      budget: this.#budget,
      problems,
      isSwagger,
      consumes: asList(own(root, 'consumes')).map(asText),
      produces: asList(own(root, 'produces')).map(asText),
    }
    const servers = this.#serversOf(operation, item, problems)
    const read = readParameters(
      [own(item, 'parameters'), own(operation, 'parameters')],
      this.#references,
      problems,
    )
    const template = readPathTemplate(path, problems)
    const schemes = isSwagger
      ? asObject(own(root, 'securityDefinitions'))
      : asObject(own(asObject(own(root, 'components')), 'securitySchemes'))
    const requirements = own(operation, 'security') ?? own(root, 'security')
    return {
      index,
      where,
      method,
      path: servers.basePath + template,
      origin: servers.origin,
      servers: servers.urls,
      id: cutText(own(operation, 'operationId'), 200),
      summary: (asText(own(operation, 'summary')) || asText(own(item, 'summary'))).slice(0, 500),
      tags: asList(own(operation, 'tags'))
        .slice(0, 50)
        .map((tag) => cutText(tag, 100)),
      deprecated: own(operation, 'deprecated') === true,
      parameters: withPathParameters(read.parameters, template, problems),
      requests: isSwagger
        ? swaggerRequestBody(read.body, read.form, operation, context)
        : readRequestBody(own(operation, 'requestBody'), context),
      responses: readResponses(own(operation, 'responses'), operation, context),
      security: readSecurity(requirements, schemes, this.#references, problems),
      problems: [...problems].map((problem) => cutText(problem, 300)),
    }
  }

  #serversOf(operation: OutsideObject, item: OutsideObject, problems: Set<string>): Servers {
    if (this.#document.version === '2.0') return this.#documentServers
    const list = own(operation, 'servers') ?? own(item, 'servers')
    if (list === undefined) return this.#documentServers
    // A server without a host is relative to where the document is, which its own server tells best.
    const servers = readServers(list, this.#documentServers.origin || this.#baseUrl)
    for (const problem of servers.problems) problems.add(problem)
    return servers
  }
}

function readPathTemplate(path: string, problems: Set<string>): string {
  if (/[?#]/.test(path)) problems.add('the path holds a query or fragment, which is left out')
  const bare = path.replace(/[?#].*$/s, '')
  if (!bare.startsWith('/')) problems.add('the path does not start with "/"')
  return bare.startsWith('/') ? bare : `/${bare}`
}

/** The declared parameters, completed by those that only the path has, without path parameters that it does not have. */
function withPathParameters(
  parameters: readonly DeclaredParameter[],
  template: string,
  problems: Set<string>,
): DeclaredParameter[] {
  const names = new Set([...template.matchAll(/\{([^{}/]{1,200})\}/g)].map((match) => match[1]!))
  const kept = parameters.filter((parameter) => {
    if (parameter.in !== 'path' || names.has(parameter.name)) return true
    problems.add(`the path has no "{${parameter.name.slice(0, 80)}}"`)
    return false
  })
  for (const name of names) {
    if (kept.some((parameter) => parameter.in === 'path' && parameter.name === name)) continue
    problems.add(`the path parameter "${name.slice(0, 80)}" is not described`)
    kept.push({ name, in: 'path', required: true, type: '', format: '' })
  }
  return kept
}
