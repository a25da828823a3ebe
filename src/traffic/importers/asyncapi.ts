import { type Channel, readChannels } from '../asyncapi/channels.ts'
import { type AsyncApiDocument, parseAsyncApi } from '../asyncapi/document.ts'
import {
  type AsyncContext,
  httpOperation,
  type ReadChannelUse,
  socketOperation,
} from '../asyncapi/operations.ts'
import { type AsyncServer, isWeb, readAsyncServers, serversOf } from '../asyncapi/servers.ts'
import type { DeclaredOperation } from '../declared-operation.ts'
import { decodeInput } from '../decode-input.ts'
import { describeRequest, ImportReportWriter } from '../import-report.ts'
import type { Importer } from '../importer.ts'
import { References } from '../openapi/references.ts'
import type { OutsideObject } from '../untrusted-value.ts'
import { asObject, asText, own } from '../untrusted-value.ts'

const MAX_OPERATIONS = 20_000
const MAX_SCHEMAS = 1_000_000

/**
 * AsyncAPI 2 and 3, JSON or YAML: channels over HTTP as one operation for each use, channels over WebSocket as one
 * operation with the messages of both directions. Channels of brokers are skipped: they have no endpoint.
 */
export const asyncApiImporter: Importer = {
  name: 'asyncapi',
  label: 'AsyncAPI 2 or 3 (JSON or YAML)',
  endings: [],
  detect: ({ shape, keys, isArray, head }) =>
    shape === 'json' ? !isArray && keys.has('asyncapi') : /^["']?asyncapi["']?[ \t]*:/m.test(head),
  read(input, options = {}) {
    const { text, warnings } = decodeInput(input)
    const document = parseAsyncApi(text)
    const report = new ImportReportWriter(document.title || (options.fileName ?? 'AsyncAPI'))
    for (const { where, reason } of warnings) report.warn(where, reason)
    for (const reason of document.warnings) report.warn('', reason)
    const declared = new ChannelReader(document, options.baseUrl ?? '', report).read()
    return { importer: 'asyncapi', exchanges: [], declared, report }
  },
}

class ChannelReader {
  readonly #document: AsyncApiDocument
  readonly #report: ImportReportWriter
  readonly #references: References
  readonly #servers: ReadonlyMap<string, AsyncServer>
  readonly #context: AsyncContext
  readonly #declared: DeclaredOperation[] = []
  readonly #baseUrl: string
  #index = 0

  constructor(document: AsyncApiDocument, baseUrl: string, report: ImportReportWriter) {
    const { root } = document
    this.#document = document
    this.#report = report
    this.#baseUrl = baseUrl
    this.#references = new References(root)
    this.#servers = readAsyncServers(document, this.#references, baseUrl)
    const components = asObject(own(root, 'components'))
    this.#context = {
      references: this.#references,
      budget: { schemas: MAX_SCHEMAS },
      isSwagger: false,
      consumes: [],
      produces: [],
      defaultContentType: asText(own(root, 'defaultContentType')) || 'application/json',
      schemes: httpSchemes(asObject(own(components, 'securitySchemes'))),
    }
  }

  read(): DeclaredOperation[] {
    const refuse = (where: string, name: string, reason: string): void => this.#skip(where, name, reason)
    for (const channel of readChannels(this.#document, this.#references, refuse)) {
      if (this.#index >= MAX_OPERATIONS) {
        this.#report.stop(channel.where, `only the first ${MAX_OPERATIONS} operations are read`)
        break
      }
      this.#readChannel(channel)
    }
    return this.#declared
  }

  #readChannel(channel: Channel): void {
    const server = this.#serverOf(channel)
    if (typeof server === 'string') {
      this.#skip(channel.where, channel.address, server)
      return
    }
    if (isSocket(server)) {
      this.#take(channel.where, channel.address, socketOperation(channel, server, this.#context))
      return
    }
    for (const use of channel.uses) {
      const binding = asObject(own(asObject(own(use.operation, 'bindings')), 'http'))
      const isRequest = use.does === 'send' || asText(own(binding, 'type')) === 'request'
      if (!isRequest && this.#document.version === 3)
        this.#skip(
          use.where,
          channel.address,
          'the described application sends it: it is not an endpoint here',
        )
      else if (asText(own(binding, 'type')) === 'response')
        this.#skip(use.where, channel.address, 'it describes responses only')
      else this.#take(use.where, channel.address, httpOperation(channel, use, server, this.#context))
    }
    if (channel.uses.length === 0) this.#skip(channel.where, channel.address, 'no operation uses the channel')
  }

  /** The first server that speaks HTTP or WebSocket; where none is described, the bindings tell the protocol. */
  #serverOf(channel: Channel): AsyncServer | string {
    const servers = serversOf(channel.node, this.#servers)
    const bindings = asObject(own(channel.node, 'bindings'))
    const web = servers.filter(({ protocol }) => isWeb(protocol))
    const [first] = own(bindings, 'ws') === undefined ? web : [...web.filter(isSocket), ...web]
    if (first !== undefined) return first
    if (servers.length > 0) {
      const protocols = [...new Set(servers.map(({ protocol }) => protocol.slice(0, 20) || 'unnamed'))]
      return `its protocol is ${protocols.join(', ')}, not HTTP or WebSocket`
    }
    const isHttp = channel.uses.some(
      ({ operation }) => own(asObject(own(operation, 'bindings')), 'http') !== undefined,
    )
    if (own(bindings, 'ws') === undefined && !isHttp)
      return 'neither a server nor a binding tells its protocol'
    const origin = URL.canParse(this.#baseUrl) ? new URL(this.#baseUrl).origin : ''
    return { protocol: isHttp ? 'https' : 'wss', origin, basePath: '', security: undefined }
  }

  #take(where: string, what: string, read: ReadChannelUse): void {
    if (typeof read === 'string') {
      this.#skip(where, what, read)
      return
    }
    const { method, origin, path, problems } = read
    const index = this.#index++
    this.#report.take(index, this.#at(where), describeRequest(method, origin + path), problems)
    this.#declared.push({ ...read, where: this.#at(where), index })
  }

  #skip(where: string, what: string, reason: string): void {
    this.#report.skip(this.#index++, this.#at(where), what.slice(0, 300), reason)
  }

  #at(pointer: string): string {
    const line = this.#document.lines.get(pointer)
    return line === undefined ? pointer : `${pointer} (line ${line})`
  }
}

function isSocket({ protocol }: AsyncServer): boolean {
  return protocol === 'ws' || protocol === 'wss'
}

/** Security schemes in the words of OpenAPI: a key of HTTP is `httpApiKey` here. */
function httpSchemes(schemes: OutsideObject | undefined): OutsideObject | undefined {
  if (schemes === undefined) return undefined
  return Object.fromEntries(
    Object.entries(schemes).map(([name, given]) => {
      const scheme = asObject(given)
      return [name, own(scheme, 'type') === 'httpApiKey' ? { ...scheme, type: 'apiKey' } : given]
    }),
  )
}
