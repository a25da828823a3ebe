import { bodyBytes, parseBody } from '../../http/index.ts'
import { containerKeysOf, type Leaf, leavesOf } from './leaves.ts'

/** A body as conditions see it: text, and a tree where it has one. Everything is derived once, when asked for. */
export class BodyView {
  /** JSON form where the body has one (JSON, form, multipart, XML …), trimmed; otherwise the text as recorded. */
  readonly text: string
  readonly #parsed: { readonly tree: unknown } | null
  #leaves: readonly Leaf[] | null = null
  #byKey: Map<string, Leaf> | null = null

  constructor(
    message: { body: string; bodyIsBase64?: boolean },
    contentType: string,
    contentEncoding: string,
  ) {
    const { body } = message
    const plain = message.bodyIsBase64 ? '' : body.trim()
    const json = plain === '' ? null : jsonOf(plain)
    if (json !== null) {
      this.#parsed = json
      this.text = plain
      return
    }
    const parsed =
      body === ''
        ? null
        : parseBody({ contentType, body, isBase64: message.bodyIsBase64 === true, contentEncoding })
    // What only begins like JSON stays a text.
    if (parsed?.kind === 'tree' && parsed.format !== 'json' && parsed.format !== 'lines') {
      this.#parsed = { tree: parsed.value }
      this.text = JSON.stringify(parsed.value)
    } else {
      this.#parsed = null
      this.text = message.bodyIsBase64 ? Buffer.from(bodyBytes(message)).toString('latin1').trim() : plain
    }
  }

  /** False for a body that is no JSON and cannot be brought into its form. */
  get hasTree(): boolean {
    return this.#parsed !== null
  }

  /** The tree; a list at the root stands under `json`. An empty object when there is none. */
  get json(): unknown {
    if (this.#parsed === null) return {}
    return Array.isArray(this.#parsed.tree) ? { json: this.#parsed.tree } : this.#parsed.tree
  }

  get leaves(): readonly Leaf[] {
    this.#leaves ??= this.#parsed === null ? [] : leavesOf(this.json)
    return this.#leaves
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

/** JSON by its own grammar; null when the text is none. Only objects, lists and scalars in full. */
export function jsonOf(text: string): { readonly tree: unknown } | null {
  const first = text.charCodeAt(0)
  if (first !== 123 && first !== 91) return null
  try {
    return { tree: JSON.parse(text) }
  } catch {
    return null // a text like any other
  }
}
