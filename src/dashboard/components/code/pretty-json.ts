/** A piece of a JSON text and what it is, for colouring. */
interface JsonToken {
  readonly kind: 'key' | 'string' | 'number' | 'word' | 'mark'
  readonly text: string
  /** Where it begins in the text that was laid out. */
  readonly start: number
}

/** One line of an indented JSON text. */
export interface JsonLine {
  readonly indent: number
  readonly tokens: readonly JsonToken[]
}

const tokenPattern = /"(?:[^"\\]|\\.)*"|[^\s"{}[\],:]+|[{}[\],:]/g

/**
 * Lays out a JSON text in lines. Literals stay as they were written (large numbers, escapes, repeated keys), which
 * parsing and writing again would change. Null when the text is not JSON.
 */
export function prettyJson(text: string): JsonLine[] | null {
  try {
    JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
  const layout = new Layout()
  const tokens = [...text.matchAll(tokenPattern)]
  tokens.forEach((token, at) => {
    layout.take(token[0], token.index, tokens[at + 1]?.[0])
  })
  return layout.finish()
}

class Layout {
  readonly #lines: JsonLine[] = []
  #indent = 0
  #current: JsonToken[] = []

  take(token: string, start: number, next: string | undefined): void {
    if (token === '{' || token === '[') {
      this.#put('mark', token, start)
      this.#indent++
      if (next !== '}' && next !== ']') this.#break()
    } else if (token === '}' || token === ']') {
      // What is open on this line is the bracket itself when the pair is empty.
      const opened = this.#current.at(-1)?.text
      if (opened !== '{' && opened !== '[') this.#break()
      this.#indent--
      this.#put('mark', token, start)
    } else if (token === ',') {
      this.#put('mark', token, start)
      this.#break()
    } else if (token === ':') {
      this.#put('mark', ': ', start)
    } else {
      this.#put(kindOf(token, next), token, start)
    }
  }

  finish(): JsonLine[] {
    this.#break()
    return this.#lines
  }

  #put(kind: JsonToken['kind'], text: string, start: number): void {
    if (this.#current.length === 0) this.#lines.push({ indent: this.#indent, tokens: this.#current })
    this.#current.push({ kind, text, start })
  }

  #break(): void {
    if (this.#current.length > 0) this.#current = []
  }
}

function kindOf(token: string, next: string | undefined): JsonToken['kind'] {
  if (token.startsWith('"')) return next === ':' ? 'key' : 'string'
  return /^[-\d]/.test(token) ? 'number' : 'word'
}
