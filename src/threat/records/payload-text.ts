import { Failure } from '../../kit/index.ts'

/** One message in the parts that the text form has. */
export interface PayloadParts {
  readonly method: string
  readonly path: string
  readonly type: string
  readonly requestHeaders: ReadonlyMap<string, readonly string[]>
  readonly requestPayload: string
  readonly apiCollectionId: number
  readonly statusCode: number
  readonly status: string
  readonly responseHeaders: ReadonlyMap<string, readonly string[]>
  readonly responsePayload: string
  readonly time: number
  readonly ip: string
  readonly destIp: string
  readonly direction: string
  readonly isPending: string
  readonly source: string
  readonly vxlanId: string
}

type PartName = keyof PayloadParts
type PartKind = 'text' | 'number' | 'map'

/** Field names on the wire in the order of their numbers, 1 to 18 without 12. */
const FIELDS: readonly (readonly [wire: string, part: PartName, kind: PartKind])[] = [
  ['method', 'method', 'text'],
  ['path', 'path', 'text'],
  ['type', 'type', 'text'],
  ['request_headers', 'requestHeaders', 'map'],
  ['request_payload', 'requestPayload', 'text'],
  ['api_collection_id', 'apiCollectionId', 'number'],
  ['status_code', 'statusCode', 'number'],
  ['status', 'status', 'text'],
  ['response_headers', 'responseHeaders', 'map'],
  ['response_payload', 'responsePayload', 'text'],
  ['time', 'time', 'number'],
  ['ip', 'ip', 'text'],
  ['dest_ip', 'destIp', 'text'],
  ['direction', 'direction', 'text'],
  ['is_pending', 'isPending', 'text'],
  ['source', 'source', 'text'],
  ['akto_vxlan_id', 'vxlanId', 'text'],
]

/**
 * A message in the text format of protocol buffers: `name: value` lines, strings with C escapes, entries of maps in
 * braces and sorted by key, fields in the order of their numbers, defaults left out. {@link readPayloadText} gives the same parts back.
 */
export function writePayloadText(parts: PayloadParts): string {
  let text = ''
  for (const [wire, part] of FIELDS) {
    const value = parts[part]
    if (typeof value === 'string') text += textLine(wire, value)
    else if (typeof value === 'number') text += value === 0 ? '' : `${wire}: ${value}\n`
    else text += mapLines(wire, value)
  }
  return text
}

/** A line `name: "value"`; nothing for an empty text. */
export function textLine(name: string, value: string): string {
  return value === '' ? '' : `${name}: "${escaped(value)}"\n`
}

function mapLines(name: string, map: ReadonlyMap<string, readonly string[]>): string {
  return [...map.keys()]
    .sort()
    .map((key) => {
      const values = map.get(key)!.map((value) => `    values: "${escaped(value)}"\n`)
      return `${name} {\n  key: "${escaped(key)}"\n  value {\n${values.join('')}  }\n}\n`
    })
    .join('')
}

const ESCAPES: Readonly<Record<number, string>> = {
  9: '\\t',
  10: '\\n',
  13: '\\r',
  34: '\\"',
  39: "\\'",
  92: '\\\\',
}
const PLAIN = /^[\x20\x21\x23-\x26\x28-\x5b\x5d-\x7e]*$/

function escaped(text: string): string {
  if (PLAIN.test(text)) return text
  let out = ''
  for (const byte of Buffer.from(text)) {
    const short = ESCAPES[byte]
    if (short !== undefined) out += short
    else if (byte >= 0x20 && byte < 0x7f) out += String.fromCharCode(byte)
    else out += `\\${byte.toString(8).padStart(3, '0')}`
  }
  return out
}

const MAX_TEXT = 16 * 1024 * 1024
const MAX_ENTRIES = 2_000

/**
 * The parts of a message in text form. Unknown fields are passed over.
 *
 * @throws Failure PAYLOAD_TEXT_INVALID with the reason
 */
export function readPayloadText(text: string): PayloadParts {
  if (text.length > MAX_TEXT) refuse('it is too long')
  const parts: Record<string, unknown> = Object.create(null)
  for (const [, part, kind] of FIELDS)
    parts[part] = kind === 'text' ? '' : kind === 'number' ? 0 : new Map<string, string[]>()
  const reader = new Reader(text)
  for (let name = reader.name(); name !== null; name = reader.name()) {
    const field = FIELDS.find(([wire]) => wire === name)
    if (reader.opens()) {
      const map = field?.[2] === 'map' ? (parts[field[1]] as Map<string, string[]>) : null
      reader.entry(map)
    } else {
      const value = reader.value()
      if (field?.[2] === 'text' && typeof value === 'string') parts[field[1]] = value
      if (field?.[2] === 'number' && typeof value === 'number') parts[field[1]] = value
    }
  }
  return parts as unknown as PayloadParts
}

function refuse(reason: string): never {
  throw new Failure('PAYLOAD_TEXT_INVALID', { reason })
}

/** Reads the text form from its start to its end, each character once. */
class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** The next field's name; null at the end or before a closing brace. */
  name(): string | null {
    this.#skipSpace()
    const start = this.#at
    while (/[A-Za-z0-9_]/.test(this.#text[this.#at] ?? '')) this.#at++
    if (this.#at > start) return this.#text.slice(start, this.#at)
    const next = this.#text[this.#at]
    if (next === undefined || next === '}') return null
    return refuse(`a field was expected at ${this.#at}`)
  }

  /** Whether a nested message follows; then it is entered. */
  opens(): boolean {
    this.#skipSpace()
    if (this.#text[this.#at] === ':') this.#at++
    this.#skipSpace()
    if (this.#text[this.#at] !== '{') return false
    this.#at++
    return true
  }

  value(): string | number | null {
    const quote = this.#text[this.#at]
    if (quote === '"' || quote === "'") return this.#quoted(quote)
    const start = this.#at
    while (/[A-Za-z0-9_.+-]/.test(this.#text[this.#at] ?? '')) this.#at++
    if (this.#at === start) return refuse(`a value was expected at ${start}`)
    const word = this.#text.slice(start, this.#at)
    return /^-?\d{1,15}$/.test(word) ? Number(word) : null
  }

  /** A nested message to its closing brace; as an entry of a map when there is one. */
  entry(map: Map<string, string[]> | null): void {
    let key = ''
    const values: string[] = []
    let depth = 1
    while (depth > 0) {
      const name = this.name()
      if (name === null) {
        if (this.#text[this.#at] !== '}') refuse('a brace is not closed')
        this.#at++
        depth--
      } else if (this.opens()) depth++
      else {
        const value = this.value()
        if (typeof value !== 'string') continue
        if (depth === 1 && name === 'key') key = value
        if (depth === 2 && name === 'values') values.push(value)
      }
    }
    if (map === null) return
    if (map.size >= MAX_ENTRIES) refuse(`it has more than ${MAX_ENTRIES} headers`)
    map.set(key, [...(map.get(key) ?? []), ...values])
  }

  #quoted(quote: string): string {
    const chunks: Buffer[] = []
    let start = ++this.#at
    for (;;) {
      const char = this.#text[this.#at]
      if (char === undefined) return refuse('a text is not closed')
      if (char !== quote && char !== '\\') {
        this.#at++
        continue
      }
      if (this.#at > start) chunks.push(Buffer.from(this.#text.slice(start, this.#at)))
      this.#at++
      if (char === quote) return Buffer.concat(chunks).toString('utf8')
      chunks.push(Buffer.from([this.#escape()]))
      start = this.#at
    }
  }

  /** One byte behind a backslash. */
  #escape(): number {
    const octal = /^[0-7]{1,3}/.exec(this.#text.slice(this.#at, this.#at + 3))
    if (octal !== null) {
      this.#at += octal[0].length
      return Number.parseInt(octal[0], 8) & 0xff
    }
    const hex = /^x([0-9A-Fa-f]{1,2})/.exec(this.#text.slice(this.#at, this.#at + 3))
    if (hex !== null) {
      this.#at += hex[0].length
      return Number.parseInt(hex[1]!, 16)
    }
    const byte = LETTERS[this.#text[this.#at] ?? '']
    if (byte === undefined) return refuse(`an unknown escape stands at ${this.#at}`)
    this.#at++
    return byte
  }

  #skipSpace(): void {
    while (/[\s,;]/.test(this.#text[this.#at] ?? '')) this.#at++
  }
}

const LETTERS: Readonly<Record<string, number>> = {
  n: 10,
  r: 13,
  t: 9,
  '"': 34,
  "'": 39,
  '\\': 92,
  a: 7,
  b: 8,
  f: 12,
  v: 11,
  '?': 63,
}
