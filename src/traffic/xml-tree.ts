import { SaxesParser, type SaxesTagNS } from 'saxes'

const MAX_DEPTH = 200
const MAX_NODES = 400_000
/** Of what is written for people. */
const MAX_TEXT = 4096

/** An element of a document in XML. */
export interface XmlNode {
  /** Without its prefix. */
  readonly name: string
  /** URI of its namespace. */
  readonly space: string
  /** Values by name without prefix; of namespace declarations and other namespaces only those that nothing else hides. */
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlNode[]
  /** Text inside it, as many characters as the reader was given. */
  readonly text: string
  readonly line: number
  /** The namespace of a prefix where the element stands; '' when it is not declared. */
  readonly spaceOf: (prefix: string) => string
}

/** Why a text is not such a document, and where. */
interface XmlFault {
  readonly reason: string
  readonly where: string
}

interface OpenNode {
  readonly name: string
  readonly space: string
  readonly attributes: Map<string, string>
  readonly children: XmlNode[]
  text: string
  readonly line: number
  readonly spaceOf: (prefix: string) => string
}

/**
 * Reads a whole document from outside. No document type with entities is taken, and none is ever expanded beyond the
 * five of XML itself (CWE-611, CWE-776); depth and number of elements are limited.
 *
 * @param maxText characters of text that are kept of each element
 */
export function readXmlTree(text: string, maxText = MAX_TEXT): XmlNode | XmlFault {
  const reader = new TreeReader(maxText)
  try {
    reader.parser.write(text).close()
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    return { reason: error.message, where: error.where }
  }
  return reader.root ?? { reason: 'it has no root element', where: 'line 1' }
}

export function isFault(read: XmlNode | XmlFault): read is XmlFault {
  return 'reason' in read
}

class Stop extends Error {
  readonly where: string

  constructor(reason: string, where: string) {
    super(reason)
    this.where = where
  }
}

class TreeReader {
  readonly parser = new SaxesParser({ xmlns: true })
  root: XmlNode | undefined
  readonly #open: OpenNode[] = []
  #nodes = 0
  readonly #maxText: number

  constructor(maxText: number) {
    this.#maxText = maxText
    const { parser } = this
    parser.on('error', (error) => this.#stop(error.message.replace(/^\d+:\d+: /, '')))
    parser.on('doctype', (doctype) => {
      if (/<!ENTITY/i.test(doctype)) this.#stop('the document declares entities, which are never expanded')
    })
    parser.on('opentag', (tag) => this.#enter(tag))
    parser.on('text', (text) => this.#add(text))
    parser.on('cdata', (text) => this.#add(text))
    parser.on('closetag', () => this.#leave())
  }

  #stop(reason: string): never {
    throw new Stop(reason.slice(0, 200), `line ${this.parser.line}, column ${this.parser.column}`)
  }

  #enter(tag: SaxesTagNS): void {
    this.#nodes++
    if (this.#nodes > MAX_NODES) this.#stop(`more than ${MAX_NODES} elements`)
    if (this.#open.length >= MAX_DEPTH) this.#stop(`nested deeper than ${MAX_DEPTH}`)
    const outer = this.#open.at(-1)?.spaceOf ?? (() => '')
    const declared = new Map(Object.entries(tag.ns))
    const attributes = new Map<string, string>()
    for (const { prefix, local, value } of Object.values(tag.attributes))
      if (prefix !== 'xmlns' && (prefix === '' || !attributes.has(local))) attributes.set(local, value)
    this.#open.push({
      name: tag.local,
      space: tag.uri,
      attributes,
      children: [],
      text: '',
      line: this.parser.line,
      spaceOf: declared.size === 0 ? outer : (prefix) => declared.get(prefix) ?? outer(prefix),
    })
  }

  #add(text: string): void {
    const node = this.#open.at(-1)
    if (node !== undefined) node.text += text.slice(0, this.#maxText - node.text.length)
  }

  #leave(): void {
    const node = this.#open.pop()
    if (node === undefined) return
    const parent = this.#open.at(-1)
    if (parent === undefined) this.root ??= node
    else parent.children.push(node)
  }
}

/** Children of that name, whatever their namespace. */
export function childrenOf(node: XmlNode | undefined, name: string): XmlNode[] {
  return node?.children.filter((child) => child.name === name) ?? []
}

/** A qualified name in an attribute as `{namespace}name`; undefined where the attribute is missing. */
export function qualified(node: XmlNode, attribute: string): string | undefined {
  const value = node.attributes.get(attribute)?.trim()
  if (value === undefined || value === '') return undefined
  const at = value.indexOf(':')
  return `{${node.spaceOf(at < 0 ? '' : value.slice(0, at))}}${value.slice(at + 1)}`
}
