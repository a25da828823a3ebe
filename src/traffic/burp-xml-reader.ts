import { SaxesParser } from 'saxes'
import { LineCursor } from '../http/index.ts'
import type { BurpItem } from './burp-item.ts'

const CHUNK = 65_536
const MAX_DEPTH = 16
/** Most elements and CDATA sections inside one item, and most elements beside the items. */
const MAX_ELEMENTS = 1000
const MAX_ATTRIBUTES = 100
/** Entities are read character by character; Burp wraps everything that would need them in CDATA. */
const MAX_ENTITIES = 2_000_000
/** The root element stands within this many characters; in front of it nothing large has business. */
const MAX_PROLOG = 1_048_576
const WANTED = new Set(['time', 'url', 'host', 'port', 'protocol', 'method', 'status', 'request', 'response'])
/** Longest text of one element, base64 included. */
const MAX_FIELD = 33_554_432

/**
 * Gives out the `item` elements of an export one by one. The parser sees markup and plain text; CDATA sections, which
 * hold nearly all of a file, are cut out by searching for their end, and comments are passed over, because the parser
 * reads both character by character. Entities are never declared nor expanded beyond the five of XML itself
 * (CWE-611, CWE-776); a document type without them is passed over.
 */
export class BurpXmlReader {
  /** Why reading stopped before the end of the text, with the place. */
  stopped: { where: string; reason: string } | undefined
  root: string | undefined
  /** The item that the end of the text or a fault cuts off. */
  unfinished: BurpItem | undefined
  readonly #text: string
  readonly #lines: LineCursor
  readonly #parser = new SaxesParser()
  readonly #done: BurpItem[] = []
  readonly #data: Occurrences
  readonly #comments: Occurrences
  #offset = 0
  /** Offset in the text minus position in the parser, for the piece being written. */
  #shift = 0
  /** Characters that the parser has worked through. */
  #fed = 0
  #carried = 0
  #depth = 0
  #beside = 0
  #elements = 0
  #attributes = 0
  #entities = 0
  #item: BurpItem | undefined
  #field: { name: string; parts: string[]; length: number } | undefined

  constructor(text: string) {
    this.#text = text
    this.#lines = new LineCursor(text)
    this.#data = new Occurrences(text, '<![CDATA[')
    this.#comments = new Occurrences(text, '<!--')
    const parser = this.#parser
    parser.on('error', (error) => this.#stop(error.message.replace(/^\d+:\d+: /, '')))
    parser.on('doctype', (doctype) => {
      if (/<!ENTITY/i.test(doctype)) this.#stop('the document declares entities, which are never expanded')
    })
    parser.on('processinginstruction', () => {
      this.#beside++
      if (this.#beside > MAX_ELEMENTS) this.#stop(`more than ${MAX_ELEMENTS} processing instructions`)
    })
    parser.on('attribute', () => {
      this.#attributes++
      if (this.#attributes > MAX_ATTRIBUTES) this.#stop(`more than ${MAX_ATTRIBUTES} attributes`)
    })
    parser.on('opentag', (tag) => this.#open(tag.name, tag.attributes))
    parser.on('closetag', () => this.#close())
    parser.on('text', (text) => this.#add(text))
  }

  /** Reads up to the root element, whose name is then in {@link root}. */
  enterRoot(): void {
    while (this.root === undefined && this.#advance()) {
      if (this.#offset > MAX_PROLOG && this.root === undefined) this.#stop('no root element near its start')
    }
  }

  /** The items, as far as they are complete; afterwards {@link stopped} tells whether something was left unread. */
  *items(): Generator<BurpItem> {
    do {
      yield* this.#done.splice(0)
    } while (this.#advance())
    yield* this.#done.splice(0)
  }

  /** Reads one more piece; false when the text is at its end or reading has stopped. */
  #advance(): boolean {
    if (this.stopped !== undefined || this.#offset > this.#text.length) return false
    if (this.#offset === this.#text.length) {
      this.#offset++
      this.#parser.close()
      return false
    }
    const data = this.#data.from(this.#offset)
    const comment = this.#comments.from(this.#offset)
    if (comment === this.#offset) this.#passComment()
    else if (data === this.#offset) this.#takeData()
    else this.#write(Math.min(data, comment, this.#offset + CHUNK, this.#text.length))
    return this.stopped === undefined
  }

  #passComment(): void {
    const end = this.#text.indexOf('-->', this.#offset + 4)
    if (end < 0) this.#stop('a comment is never closed', this.#offset)
    else this.#offset = end + 3
  }

  #takeData(): void {
    this.#elements++
    if (this.#elements > MAX_ELEMENTS) {
      this.#stop(`more than ${MAX_ELEMENTS} elements and CDATA sections in one item`, this.#offset)
      return
    }
    const start = this.#offset + 9
    const end = this.#text.indexOf(']]>', start)
    if (end < 0) {
      this.#stop('a CDATA section is never closed', this.#offset)
      return
    }
    // An empty comment makes the parser hand out the text in front of the section first; behind a tag there is none.
    if (this.#text.charCodeAt(this.#offset - 1) !== 0x3e) this.#feed('<!---->')
    this.#add(this.#text.slice(start, end))
    this.#offset = end + 3
  }

  #write(end: number): void {
    const piece = this.#text.slice(this.#offset, end)
    for (let at = piece.indexOf('&'); at >= 0; at = piece.indexOf('&', at + 1)) this.#entities++
    if (this.#entities > MAX_ENTITIES) {
      this.#stop(`more than ${MAX_ENTITIES} entities`, this.#offset)
      return
    }
    this.#feed(piece)
    this.#offset = end
  }

  /** Hands a piece to the parser, keeping account of which place of the text its positions mean. */
  #feed(piece: string): void {
    this.#shift = this.#offset - this.#carried - this.#fed
    this.#parser.write(piece)
    // The parser keeps a last carriage return or half a surrogate pair for its next piece.
    const last = piece.charCodeAt(piece.length - 1)
    const carried = last === 0x0d || (last >= 0xd800 && last <= 0xdbff) ? 1 : 0
    this.#fed += piece.length + this.#carried - carried
    this.#carried = carried
  }

  #here(): number {
    return this.#offset > this.#text.length ? this.#text.length : this.#parser.position + this.#shift
  }

  #stop(reason: string, offset = this.#here()): void {
    const { line, column } = this.#lines.at(offset)
    this.unfinished ??= this.#item
    this.stopped ??= { where: `line ${line}, column ${column}`, reason: reason.slice(0, 200) }
  }

  #open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#attributes = 0
    if (this.stopped !== undefined) return
    this.#depth++
    if (this.#depth > MAX_DEPTH) this.#stop(`nested deeper than ${MAX_DEPTH}`)
    else if (this.#depth === 1) this.root = name
    else if (this.#depth === 2) this.#openItem(name)
    else if (this.#item !== undefined) this.#openField(name, attributes)
  }

  #openItem(name: string): void {
    this.#elements = 0
    if (name === 'item') {
      this.#item = {
        line: this.#lines.at(this.#here()).line,
        fields: new Map(),
        encoded: new Set(),
        address: '',
      }
      return
    }
    this.#beside++
    if (this.#beside > MAX_ELEMENTS) this.#stop(`more than ${MAX_ELEMENTS} elements that are not items`)
  }

  #openField(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#elements++
    if (this.#elements > MAX_ELEMENTS) this.#stop(`more than ${MAX_ELEMENTS} elements in one item`)
    if (this.#depth !== 3 || this.#item === undefined) return
    if (!WANTED.has(name)) return
    this.#field = { name, parts: [], length: 0 }
    if (attributes['base64'] === 'true') this.#item.encoded.add(name)
    if (name === 'host') this.#item.address = attributes['ip'] ?? ''
  }

  #add(text: string): void {
    if (this.#field === undefined || this.stopped !== undefined) return
    this.#field.length += text.length
    if (this.#field.length <= MAX_FIELD && text !== '') this.#field.parts.push(text)
  }

  #close(): void {
    if (this.stopped !== undefined) return
    if (this.#depth === 3 && this.#field !== undefined && this.#item !== undefined) {
      if (this.#field.length > MAX_FIELD) {
        this.#item.problem = `its ${this.#field.name.slice(0, 40)} is longer than ${MAX_FIELD} characters`
      } else this.#item.fields.set(this.#field.name, joined(this.#field.parts))
      this.#field = undefined
    } else if (this.#depth === 2 && this.#item !== undefined) {
      this.#done.push(this.#item)
      this.#item = undefined
    }
    this.#depth--
  }
}

function joined(parts: readonly string[]): string {
  return parts.length === 1 ? parts[0]! : parts.join('')
}

/** Places of one word in a text, asked for with growing offsets; the text is searched only once in all. */
class Occurrences {
  readonly #text: string
  readonly #word: string
  #next: number

  constructor(text: string, word: string) {
    this.#text = text
    this.#word = word
    this.#next = this.#find(0)
  }

  /** The first place at or behind `offset`; Infinity when there is none. */
  from(offset: number): number {
    if (this.#next < offset) this.#next = this.#find(offset)
    return this.#next
  }

  #find(offset: number): number {
    const found = this.#text.indexOf(this.#word, offset)
    return found < 0 ? Number.POSITIVE_INFINITY : found
  }
}
