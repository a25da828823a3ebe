/** An element of a document with the places of its parts, as offsets into the text. */
export interface XmlElement {
  /** Local name. */
  readonly name: string
  readonly qualifiedName: string
  /** With its colon; '' without. */
  readonly prefix: string
  readonly attributes: readonly XmlAttribute[]
  readonly children: XmlElement[]
  /** Text and CDATA directly inside. */
  text: string
  readonly start: number
  end: number
  /** Null for an empty tag. */
  readonly contentStart: number | null
  contentEnd: number | null
}

/** An attribute that is not a namespace declaration; `start` and `end` enclose its value without quotes. */
interface XmlAttribute {
  readonly name: string
  readonly value: string
  readonly start: number
  readonly end: number
}

const MAX_ELEMENTS = 20_000
const MAX_DEPTH = 64
const MAX_CHARS = 1_048_576

/**
 * The root element of an XML text with all below it; null when it is malformed or over 1 Mi characters, 64 levels or
 * 20,000 elements. A document type is skipped and nothing of it expanded (CWE-611, CWE-776).
 */
export function readXmlElements(text: string): XmlElement | null {
  if (text.length > MAX_CHARS) return null
  return new ElementReader(text).read()
}

const TAG_END = /[\s/>]/g
const ATTRIBUTE = /\s+([^\s=/>"'<]+)\s*=\s*("[^"<]*"|'[^'<]*')/y

class ElementReader {
  readonly #text: string
  readonly #open: XmlElement[] = []
  #root: XmlElement | null = null
  #count = 0
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  read(): XmlElement | null {
    while (this.#at < this.#text.length) {
      const mark = this.#text.indexOf('<', this.#at)
      const end = mark < 0 ? this.#text.length : mark
      if (!this.#addText(unescaped(this.#text.slice(this.#at, end)))) return null
      if (mark < 0) break
      this.#at = mark
      if (!this.#markup()) return null
    }
    return this.#open.length === 0 ? this.#root : null
  }

  #markup(): boolean {
    const text = this.#text
    if (text.startsWith('<!--', this.#at)) return this.#skipTo('-->')
    if (text.startsWith('<?', this.#at)) return this.#skipTo('?>')
    if (text.startsWith('<![CDATA[', this.#at)) {
      const end = text.indexOf(']]>', this.#at)
      const inner = text.slice(this.#at + 9, end)
      return end >= 0 && this.#addText(inner) && this.#skipTo(']]>')
    }
    if (text.startsWith('<!', this.#at)) return this.#skipDocumentType()
    return text.startsWith('</', this.#at) ? this.#close() : this.#openTag()
  }

  #skipTo(mark: string): boolean {
    const end = this.#text.indexOf(mark, this.#at)
    if (end < 0) return false
    this.#at = end + mark.length
    return true
  }

  #skipDocumentType(): boolean {
    const subset = this.#text.indexOf('[', this.#at)
    const close = this.#text.indexOf('>', this.#at)
    if (close < 0) return false
    if (subset < 0 || subset > close) return this.#skipTo('>')
    return this.#skipTo(']') && this.#skipTo('>')
  }

  #openTag(): boolean {
    if (this.#root !== null && this.#open.length === 0) return false
    if (++this.#count > MAX_ELEMENTS || this.#open.length >= MAX_DEPTH) return false
    const start = this.#at
    TAG_END.lastIndex = start + 1
    const nameEnd = TAG_END.exec(this.#text)?.index ?? -1
    if (nameEnd <= start + 1) return false
    const qualifiedName = this.#text.slice(start + 1, nameEnd)
    this.#at = nameEnd
    const attributes = this.#attributes()
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++
    const isEmptyTag = this.#text.startsWith('/>', this.#at)
    if (!isEmptyTag && this.#text[this.#at] !== '>') return false
    this.#at += isEmptyTag ? 2 : 1
    const colon = qualifiedName.indexOf(':') + 1
    const element: XmlElement = {
      name: qualifiedName.slice(colon),
      qualifiedName,
      prefix: qualifiedName.slice(0, colon),
      attributes,
      children: [],
      text: '',
      start,
      end: this.#at,
      contentStart: isEmptyTag ? null : this.#at,
      contentEnd: null,
    }
    this.#open.at(-1)?.children.push(element)
    this.#root ??= element
    if (!isEmptyTag) this.#open.push(element)
    return true
  }

  #attributes(): XmlAttribute[] {
    const attributes: XmlAttribute[] = []
    for (;;) {
      ATTRIBUTE.lastIndex = this.#at
      const found = ATTRIBUTE.exec(this.#text)
      if (found === null) return attributes
      this.#at = ATTRIBUTE.lastIndex
      const name = found[1]!
      if (name === 'xmlns' || name.startsWith('xmlns:')) continue
      const quotedValue = found[2]!
      attributes.push({
        name: name.slice(name.indexOf(':') + 1),
        value: unescaped(quotedValue.slice(1, -1)),
        start: this.#at - quotedValue.length + 1,
        end: this.#at - 1,
      })
    }
  }

  #close(): boolean {
    const element = this.#open.pop()
    const end = this.#text.indexOf('>', this.#at)
    if (element === undefined || end < 0) return false
    if (this.#text.slice(this.#at + 2, end).trim() !== element.qualifiedName) return false
    element.contentEnd = this.#at
    this.#at = end + 1
    element.end = this.#at
    return true
  }

  #addText(text: string): boolean {
    const element = this.#open.at(-1)
    if (element !== undefined) element.text += text
    return element !== undefined || text.replace(/^\ufeff/, '').trim() === ''
  }
}

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** Resolves the five named and the numeric references; any other stays as written. */
function unescaped(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(lt|gt|amp|quot|apos));/g,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return NAMED[name] ?? whole
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    },
  )
}
