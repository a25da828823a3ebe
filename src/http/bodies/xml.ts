import { SaxesParser } from 'saxes'
import type { BodyLimits, BodyObject, BodyValue } from './body-value.ts'
import { addRepeatable, emptyObject } from './body-value.ts'

/** An XML body as a tree. */
interface XmlTree {
  /** `{ root: … }`, or the children of the SOAP body. */
  readonly value: BodyObject
  readonly isSoap: boolean
  readonly isTruncated: boolean
}

/** Key of the text of an element that has attributes or children as well. */
const TEXT_KEY = '_text'
const MAX_TEXT_CHARS = 65_536

interface OpenElement {
  readonly name: string
  readonly content: BodyObject
  text: string
  isEmpty: boolean
}

/**
 * Reads XML: local names as keys, attributes as `@name`, repeats as lists, text beside them as `_text`. Of a SOAP
 * envelope only the children of its body are returned. The parser knows no external entities and expands none of a
 * document type (CWE-611, CWE-776). Broken or oversized input gives what was read until then; undefined when no element
 * began.
 */
export function parseXml(text: string, limits: BodyLimits): XmlTree | undefined {
  const reader = new TreeReader(limits)
  const isCut = text.length > limits.maxChars
  try {
    reader.parser.write(isCut ? text.slice(0, limits.maxChars) : text).close()
  } catch (error) {
    if (!(error instanceof XmlFault)) throw error
    return reader.result(true)
  }
  return reader.result(isCut)
}

/** A fault of the document or a limit reached: reading ends. */
class XmlFault extends Error {}

class TreeReader {
  readonly parser = new SaxesParser({ xmlns: false, position: false })
  readonly #limits: BodyLimits
  readonly #open: OpenElement[] = []
  readonly #root = emptyObject()
  #soapBody: BodyObject | undefined
  #isSoap = false
  #values = 0

  constructor(limits: BodyLimits) {
    this.#limits = limits
    this.parser.on('error', (error) => {
      throw new XmlFault(error.message)
    })
    this.parser.on('opentag', (tag) => this.#openElement(tag.name, tag.attributes))
    this.parser.on('text', (text) => this.#addText(text))
    this.parser.on('cdata', (text) => this.#addText(text))
    this.parser.on('closetag', () => this.#closeElement())
  }

  result(isTruncated: boolean): XmlTree | undefined {
    while (this.#open.length > 0) this.#closeElement()
    if (this.#soapBody !== undefined) return { value: this.#soapBody, isSoap: true, isTruncated }
    if (Object.keys(this.#root).length === 0) return undefined
    return { value: this.#root, isSoap: this.#isSoap, isTruncated }
  }

  #openElement(qualified: string, attributes: Readonly<Record<string, string>>): void {
    this.#values++
    if (this.#values > this.#limits.maxValues || this.#open.length >= this.#limits.maxDepth) {
      throw new XmlFault('limit')
    }
    const element: OpenElement = {
      name: localName(qualified),
      content: emptyObject(),
      text: '',
      isEmpty: true,
    }
    for (const [name, value] of Object.entries(attributes)) {
      if (name === 'xmlns' || name.startsWith('xmlns:')) continue
      element.content[`@${localName(name)}`] = value
      element.isEmpty = false
      this.#values++
    }
    if (this.#open.length === 0 && element.name === 'Envelope') this.#isSoap = true
    if (this.#open.length === 1 && this.#isSoap && element.name === 'Body') this.#soapBody = element.content
    this.#open.push(element)
  }

  #addText(text: string): void {
    const element = this.#open.at(-1)
    if (element !== undefined && element.text.length < MAX_TEXT_CHARS) element.text += text
  }

  #closeElement(): void {
    const element = this.#open.pop()
    if (element === undefined) return
    const text = element.text.trim()
    if (!element.isEmpty && text !== '') element.content[TEXT_KEY] = text
    const value: BodyValue = element.isEmpty ? text : element.content
    const parent = this.#open.at(-1)
    addRepeatable(parent?.content ?? this.#root, element.name, value)
    if (parent !== undefined) parent.isEmpty = false
  }
}

function localName(qualified: string): string {
  return qualified.slice(qualified.indexOf(':') + 1)
}
