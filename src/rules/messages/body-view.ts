import { BODY_LIMITS, bodyBytes, decodeContentEncoding, parseBody } from '../../http/index.ts'
import { type DecodedText, decodedTexts } from './decoded-texts.ts'
import { jsonOf } from './json-tree.ts'
import { containerKeysOf, type Leaf, leavesOf } from './leaves.ts'
import { type NamedValues, namedLeaves } from './names.ts'

/** A body as conditions see it: text, and a tree where it has one. Everything is derived once, when asked for. */
export class BodyView {
  /** JSON form where the body has one (JSON, form, multipart, XML …), trimmed; otherwise the text as recorded. */
  readonly text: string
  readonly #parsed: { readonly tree: unknown } | null
  #leaves: readonly Leaf[] | null = null
  #named: NamedValues | null = null
  #byKey: Map<string, Leaf> | null = null
  #decoded: readonly DecodedText[] | null = null
  /** JSON texts without one tree: lines, events, a body that was cut. */
  #isJsonText = false

  constructor(
    message: { body: string; bodyIsBase64?: boolean },
    contentType: string,
    contentEncoding: string,
  ) {
    const plain = plainText(message, contentEncoding)
    this.#parsed = jsonOf(plain)
    this.text = plain
    if (this.#parsed !== null || plain === '') return
    const parsed = parseBody({
      contentType,
      body: message.body,
      isBase64: message.bodyIsBase64 === true,
      contentEncoding,
    })
    // What only begins like JSON stays a text, and so does what is not read to its end.
    this.#isJsonText = parsed.kind === 'tree' && TEXT_FORMATS.has(parsed.format)
    if (parsed.kind !== 'tree' || parsed.isTruncated || this.#isJsonText) return
    this.#parsed = { tree: parsed.value }
    this.text = JSON.stringify(parsed.value)
  }

  /** The tree; a list at the root stands under `json`. An empty object when there is none. */
  get json(): unknown {
    if (this.#parsed === null) return {}
    return Array.isArray(this.#parsed.tree) ? { json: this.#parsed.tree } : this.#parsed.tree
  }

  get leaves(): readonly Leaf[] {
    this.#leaves ??= this.#parsed === null ? [] : variablesFirst(leavesOf(this.json))
    return this.#leaves
  }

  /** Values in which something is escaped, as they read: patterns are searched for in them as well. */
  get decoded(): readonly DecodedText[] {
    if (this.#parsed === null && !this.#isJsonText) return []
    this.#decoded ??= decodedTexts(this.#parsed === null ? null : this.leaves, this.text)
    return this.#decoded
  }

  /** Leaves for `key` and `value`. */
  get named(): NamedValues {
    this.#named ??= namedLeaves(this)
    return this.#named
  }

  get containerKeys(): string[] {
    return this.#parsed === null ? [] : containerKeysOf(this.json)
  }

  /** The first leaf with a key, compared without case. */
  leafOf(key: string): Leaf | undefined {
    if (this.#byKey === null) {
      this.#byKey = new Map()
      for (const leaf of this.leaves) {
        const name = leaf.key.toLowerCase()
        if (!this.#byKey.has(name)) this.#byKey.set(name, leaf)
      }
    }
    return this.#byKey.get(key.toLowerCase())
  }
}

const GRAPHQL = /^[\s,]*(?:#|\{|(?:query|mutation|subscription|fragment)\b)/

/** Of a GraphQL request the variables are what callers choose; the document around them is a program. */
function variablesFirst(leaves: readonly Leaf[]): readonly Leaf[] {
  const document = leaves.find(({ path }) => path === 'query')
  if (typeof document?.value !== 'string' || !GRAPHQL.test(document.value)) return leaves
  const isVariable = ({ path }: Leaf): boolean => /^variables[.[]/.test(path)
  return [...leaves.filter(isVariable), ...leaves.filter((leaf) => !isVariable(leaf))]
}

/** Formats that are texts to conditions, although some of them can be read as a tree. */
const TEXT_FORMATS: ReadonlySet<string> = new Set(['json', 'lines', 'events', 'jsonp'])

/** The body as a trimmed text: bytes freed of their content coding, as UTF-8 or else one character a byte. */
function plainText(message: { body: string; bodyIsBase64?: boolean }, contentEncoding: string): string {
  if (message.bodyIsBase64 !== true) return message.body.trim()
  const { bytes } = decodeContentEncoding(
    Buffer.from(bodyBytes(message)),
    contentEncoding,
    BODY_LIMITS.maxDecodedBytes,
  )
  try {
    return UTF8.decode(bytes).trim()
  } catch {
    return bytes.toString('latin1').trim() // binary: one character a byte can still be searched
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })
