import { cleanHeaderPart, targetProblem } from '../../http/index.ts'
import type { DeclaredKey, DeclaredOperation, DeclaredResponse } from '../declared-operation.ts'
import { References } from '../openapi/references.ts'
import { SchemaReader } from '../openapi/schema.ts'
import { cutText } from '../untrusted-value.ts'
import { childrenOf, qualified, type XmlNode } from '../xml-tree.ts'
import { SOAP_VERSIONS, type SoapVersion, soapEnvelope } from './envelope.ts'
import { XmlSchemas } from './schemas.ts'

const MAX_OPERATIONS = 10_000
const MAX_SCHEMAS = 500_000
const NAME = /^[A-Za-z_][\w.-]{0,127}$/

/** One operation of a port, or why there is none. */
interface ReadOperation {
  readonly where: string
  readonly what: string
  readonly read: Omit<DeclaredOperation, 'index' | 'where'> | string
}

interface Port {
  readonly origin: string
  readonly path: string
  readonly soap: SoapVersion
  readonly binding: XmlNode
}

/** Reads the operations of every port of a WSDL 1.1 description. */
export class WsdlReader {
  readonly #root: XmlNode
  readonly #space: string
  readonly #schemas: XmlSchemas
  readonly #references: References
  readonly #budget = { schemas: MAX_SCHEMAS }
  readonly #bindings: ReadonlyMap<string, XmlNode>
  readonly #portTypes: ReadonlyMap<string, XmlNode>
  readonly #messages: ReadonlyMap<string, XmlNode>

  constructor(root: XmlNode) {
    this.#root = root
    this.#space = root.attributes.get('targetNamespace') ?? ''
    this.#schemas = new XmlSchemas(childrenOf(root, 'types').flatMap((types) => childrenOf(types, 'schema')))
    this.#references = new References(this.#schemas.root)
    this.#bindings = this.#named('binding')
    this.#portTypes = this.#named('portType')
    this.#messages = this.#named('message')
  }

  /** Names of types and elements that nothing defines, known once the operations were read. */
  get missing(): readonly string[] {
    return [...this.#schemas.missing]
  }

  /** Documents that this one imports, which are not read. */
  get imports(): readonly string[] {
    const schemas = childrenOf(this.#root, 'types').flatMap((types) => childrenOf(types, 'schema'))
    const nodes = [
      ...childrenOf(this.#root, 'import'),
      ...schemas.flatMap((schema) => [...childrenOf(schema, 'import'), ...childrenOf(schema, 'include')]),
    ]
    return nodes.flatMap(
      (node) => node.attributes.get('location') ?? node.attributes.get('schemaLocation') ?? [],
    )
  }

  /** The operations, each SOAP operation of an address once whatever the versions of SOAP. */
  *read(baseUrl: string): Generator<ReadOperation> {
    const seen = new Set<string>()
    let count = 0
    for (const service of childrenOf(this.#root, 'service'))
      for (const node of childrenOf(service, 'port')) {
        const port = this.#port(node, baseUrl)
        const what = cutText(node.attributes.get('name'), 200)
        if (typeof port === 'string') {
          yield { where: `line ${node.line}`, what: `port ${what}`, read: port }
          continue
        }
        for (const operation of childrenOf(port.binding, 'operation')) {
          const name = operation.attributes.get('name') ?? ''
          const key = `${port.origin}${port.path} ${name}`
          if (seen.has(key)) continue
          seen.add(key)
          count++
          if (count > MAX_OPERATIONS) return
          const read = this.#operation(operation, name, port)
          yield { where: `line ${operation.line}`, what: `${what}.${name.slice(0, 200)}`, read }
        }
      }
  }

  #named(kind: string): Map<string, XmlNode> {
    return new Map(
      childrenOf(this.#root, kind).map((node) => [`{${this.#space}}${node.attributes.get('name')}`, node]),
    )
  }

  #port(node: XmlNode, baseUrl: string): Port | string {
    const binding = this.#bindings.get(qualified(node, 'binding') ?? '')
    if (binding === undefined) return 'its binding is not in this document'
    const soap = binding.children
      .filter(({ name }) => name === 'binding')
      .map(({ space }) => SOAP_VERSIONS.get(space))[0]
    if (soap === undefined) return 'its binding is not SOAP over HTTP'
    const [address] = childrenOf(node, 'address')
    const location = address?.attributes.get('location')?.trim() ?? ''
    const base = URL.canParse(baseUrl) ? baseUrl : undefined
    if (!URL.canParse(location, base)) {
      if (!location.startsWith('/')) return 'its address is not a URL'
      return { origin: '', path: location.split(/[?#]/)[0]!, soap, binding }
    }
    const url = new URL(location, base)
    if (!/^https?:$/.test(url.protocol)) return `its address is not an http or https URL (${url.protocol})`
    return { origin: url.origin, path: url.pathname.replace(/\/$/, '') || '/', soap, binding }
  }

  #operation(
    bound: XmlNode,
    name: string,
    { origin, path, soap, binding }: Port,
  ): Omit<DeclaredOperation, 'index' | 'where'> | string {
    if (!NAME.test(name)) return 'its name is not a name of XML'
    const portType = this.#portTypes.get(qualified(binding, 'type') ?? '')
    const abstract = childrenOf(portType, 'operation').find((one) => one.attributes.get('name') === name)
    if (abstract === undefined) return 'its port type does not have it'
    const soapOperation = bound.children.find((child) => child.name === 'operation')
    const style =
      soapOperation?.attributes.get('style') ??
      binding.children.find((child) => child.name === 'binding')?.attributes.get('style') ??
      'document'
    const action = cleanHeaderPart(cutText(soapOperation?.attributes.get('soapAction'), 500))
    const problems = new Set<string>()
    const [input] = childrenOf(abstract, 'input')
    const [output] = childrenOf(abstract, 'output')
    const [inputBody] = childrenOf(childrenOf(bound, 'input')[0], 'body')
    const rpcSpace = inputBody?.attributes.get('namespace') ?? this.#space
    const request = this.#body(input, { name, style, rpcSpace, problems }, true)
    const response = this.#body(output, { name: `${name}Response`, style, rpcSpace, problems }, false)
    if (targetProblem(path) !== undefined) return 'its address is too long'
    const mediaType = soap.version === '1.1' ? 'text/xml' : 'application/soap+xml'
    const contentType =
      soap.version === '1.2' && action !== '' ? `${mediaType}; action="${action}"` : mediaType
    const responses: DeclaredResponse[] = [{ status: '200', mediaType, keys: response?.keys ?? [] }]
    return {
      method: 'POST',
      path: `${path === '/' ? '' : path}/${name}`,
      target: path,
      protocol: 'SOAP',
      effect: effectOf(name),
      origin,
      servers: origin === '' ? [] : [origin + path],
      id: name,
      summary: cutText(childrenOf(abstract, 'documentation')[0]?.text.trim(), 300).split('\n')[0]!,
      tags: [],
      deprecated: false,
      parameters:
        soap.version === '1.1'
          ? [
              {
                name: 'SOAPAction',
                in: 'header',
                required: true,
                type: 'string',
                format: '',
                example: `"${action}"`,
              },
            ]
          : [],
      requests: [
        {
          mediaType: contentType,
          keys: request?.keys ?? [],
          ...(request === undefined ? {} : { example: soapEnvelope(soap, request) }),
        },
      ],
      responses,
      security: [],
      problems: [...problems].map((problem) => cutText(problem, 300)),
    }
  }

  /** The element of a message in the body of its envelope, with the keys below it. */
  #body(
    reference: XmlNode | undefined,
    {
      name,
      style,
      rpcSpace,
      problems,
    }: { name: string; style: string; rpcSpace: string; problems: Set<string> },
    writing: boolean,
  ) {
    if (reference === undefined) return undefined
    const message = this.#messages.get(qualified(reference, 'message') ?? '')
    if (message === undefined) {
      problems.add('a message is not in this document')
      return undefined
    }
    const parts = childrenOf(message, 'part')
    const element = parts.map((part) => qualified(part, 'element')).find((one) => one !== undefined)
    if (style === 'document' && element === undefined) {
      problems.add('a message of style document names no element')
      return undefined
    }
    const isDocument = style === 'document' && element !== undefined
    const schema = isDocument ? this.#schemas.ofElement(element) : this.#rpcSchema(parts)
    const at = element?.indexOf('}') ?? 0
    const root = isDocument ? element.slice(at + 1) : name
    this.#schemas.complete()
    const reader = new SchemaReader(this.#references, this.#budget, writing)
    const keys: DeclaredKey[] = reader.keys({
      type: 'object',
      properties: { [root]: schema },
      required: [root],
    })
    const value = reader.example(schema) ?? ''
    for (const problem of reader.problems) problems.add(problem)
    return {
      name: root,
      space: isDocument ? element.slice(1, at) : rpcSpace,
      isQualified: isDocument && this.#schemas.isQualified(element),
      keys,
      value,
    }
  }

  #rpcSchema(parts: readonly XmlNode[]): object {
    const properties: Record<string, object> = {}
    for (const part of parts) {
      const [name, type] = [part.attributes.get('name') ?? '', qualified(part, 'type')]
      const element = qualified(part, 'element')
      if (NAME.test(name) && name !== '__proto__')
        properties[name] =
          type !== undefined
            ? this.#schemas.ofType(type)
            : element !== undefined
              ? this.#schemas.ofElement(element)
              : { type: 'string' }
    }
    return { type: 'object', properties, required: Object.keys(properties) }
  }
}

/** SOAP sends everything by POST: the first word of the name tells what an operation does. */
function effectOf(name: string): DeclaredOperation['effect'] {
  if (/^(?:get|list|find|search|fetch|read|query|retrieve|lookup|check|validate|count)/i.test(name))
    return 'READ'
  if (/^(?:delete|remove|cancel|revoke|purge|erase)/i.test(name)) return 'DELETE'
  return /^(?:create|add|insert|new|register|place|submit|open)/i.test(name) ? 'CREATE' : 'CHANGE'
}
