/** Why a scan stopped: wrong grammar, the text ended in the middle, or a limit. */
export interface JsonFault {
  readonly kind: 'syntax' | 'cut' | 'limit'
  readonly offset: number
  readonly reason: string
}

interface JsonScanLimits {
  /** Deepest nesting of arrays and objects. */
  readonly maxDepth: number
  /** Most values (scalars, arrays and objects) in one scanned value. */
  readonly maxValues: number
}

/** Told about keys while a value is scanned; `depth` is 0 for the outermost object. */
export interface JsonKeyWatcher {
  openObject(depth: number): void
  /** `raw` is the key as written, without its quotes, escapes unresolved. */
  key(raw: string, depth: number, offset: number): void
}

/** How far {@link JsonScanner.skipBroken} looks for the end of a broken value. */
const MAX_MARKS = 1_000_000

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d

/**
 * Walks over JSON text (RFC 8259) without building anything and without recursion, so that neither depth nor size
 * can exhaust stack or memory. Brackets, keys, commas and literals are checked; the inside of strings and the exact
 * form of numbers are left to `JSON.parse` of the slice found.
 */
export class JsonScanner {
  readonly text: string
  pos: number
  fault: JsonFault | undefined
  readonly #limits: JsonScanLimits
  readonly #watcher: JsonKeyWatcher | undefined
  /** 1 where the bracket at that depth opens an object, 0 for an array. */
  readonly #open: Uint8Array
  #values = 0

  constructor(text: string, limits: JsonScanLimits, pos = 0, watcher?: JsonKeyWatcher) {
    this.text = text
    this.pos = pos
    this.#limits = limits
    this.#watcher = watcher
    this.#open = new Uint8Array(limits.maxDepth + 1)
  }

  /** Moves to the next character that is not white space and returns its code; NaN at the end. */
  peek(): number {
    let code = this.text.charCodeAt(this.pos)
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
      this.pos++
      code = this.text.charCodeAt(this.pos)
    }
    return code
  }

  /** Consumes `code` when it comes next. */
  accept(code: number): boolean {
    if (this.peek() !== code) return false
    this.pos++
    return true
  }

  /** Skips one value; false with {@link fault} set when there is none. */
  skipValue(): boolean {
    this.#values = 0
    let depth = 0
    for (;;) {
      this.#values++
      if (this.#values > this.#limits.maxValues)
        return this.fail('limit', `over ${this.#limits.maxValues} values`)
      const code = this.peek()
      if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
        if (depth >= this.#limits.maxDepth)
          return this.fail('limit', `nested deeper than ${this.#limits.maxDepth}`)
        const isObject = code === OPEN_OBJECT
        this.#open[depth] = isObject ? 1 : 0
        this.pos++
        if (isObject) this.#watcher?.openObject(depth)
        depth++
        if (this.peek() !== (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) {
          if (isObject && !this.#skipKey(depth - 1)) return false
          continue
        }
        this.pos++
        depth--
      } else if (code === QUOTE ? !this.skipString() : !this.#skipLiteral(code)) return false
      const rest = this.#closeBrackets(depth)
      if (rest < 0) return false
      if (rest === 0) return true
      depth = rest
    }
  }

  /** Behind a value: closes what closes; the depth where the next value stands, 0 when all is closed, -1 on a fault. */
  #closeBrackets(from: number): number {
    let depth = from
    while (depth > 0) {
      const isObject = this.#open[depth - 1] === 1
      const code = this.peek()
      if (code === COMMA) {
        this.pos++
        if (isObject && !this.#skipKey(depth - 1)) return -1
        return depth
      }
      if (code !== (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) {
        this.fail('syntax', `expected "," or "${isObject ? '}' : ']'}"`)
        return -1
      }
      this.pos++
      depth--
    }
    return 0
  }

  #skipKey(depth: number): boolean {
    if (this.peek() !== QUOTE) return this.fail('syntax', 'expected a quoted key')
    const start = this.pos
    if (!this.skipString()) return false
    this.#watcher?.key(this.text.slice(start + 1, this.pos - 1), depth, start)
    if (this.accept(COLON)) return true
    return this.fail('syntax', 'expected ":"')
  }

  /** Skips a string that starts here. */
  skipString(): boolean {
    const start = this.pos
    let end = this.text.indexOf('"', start + 1)
    while (end >= 0) {
      let slashes = 0
      while (this.text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++
      if (slashes % 2 === 0) {
        this.pos = end + 1
        return true
      }
      end = this.text.indexOf('"', end + 1)
    }
    this.fault = { kind: 'cut', offset: start, reason: 'a string is never closed' }
    return false
  }

  #skipLiteral(code: number): boolean {
    for (const word of ['true', 'false', 'null']) {
      if (code === word.charCodeAt(0)) {
        if (this.text.startsWith(word, this.pos)) {
          this.pos += word.length
          return true
        }
        const isCut = word.startsWith(this.text.slice(this.pos, this.pos + word.length))
        return this.fail(isCut ? 'cut' : 'syntax', `expected ${word}`)
      }
    }
    const start = this.pos
    let at = start
    for (; ; at++) {
      const c = this.text.charCodeAt(at)
      const isDigit = c >= 0x30 && c <= 0x39
      if (!isDigit && c !== 0x2d && c !== 0x2b && c !== 0x2e && c !== 0x65 && c !== 0x45) break
    }
    if (at === start) return this.fail('syntax', 'expected a value')
    this.pos = at
    return true
  }

  /** The text of a key or string that starts here; undefined with {@link fault} set when it is none. */
  readString(): string | undefined {
    if (this.peek() !== QUOTE) {
      this.fail('syntax', 'expected a quoted key')
      return undefined
    }
    const start = this.pos
    if (!this.skipString()) return undefined
    try {
      return JSON.parse(this.text.slice(start, this.pos)) as string
    } catch {
      // A raw control character or a broken escape inside; the place is reported instead of V8's sentence.
      this.fault = {
        kind: 'syntax',
        offset: start,
        reason: 'a string holds a control character or a broken escape',
      }
      return undefined
    }
  }

  /**
   * Skips to behind the bracket that closes the one at `start`, looking only at brackets and strings: the way to go
   * on behind a broken value. False when nothing closes it, or nothing within a million brackets and strings.
   */
  skipBroken(start: number): boolean {
    const mark = /["[\]{}]/g
    let depth = 0
    this.pos = start
    for (let marks = 0; marks < MAX_MARKS; marks++) {
      mark.lastIndex = this.pos
      const found = mark.exec(this.text)
      if (found === null) return this.fail('cut', 'the text ends inside it')
      this.pos = found.index
      if (found[0] === '"') {
        if (!this.skipString()) return false
        continue
      }
      this.pos++
      depth += found[0] === '{' || found[0] === '[' ? 1 : -1
      if (depth <= 0) return true
    }
    return this.fail('limit', 'its end is not found')
  }

  /** Sets the fault at the current place; a fault at the end of the text is always a cut. */
  fail(kind: JsonFault['kind'], reason: string): false {
    const ended = this.pos >= this.text.length
    this.fault = {
      kind: ended && kind === 'syntax' ? 'cut' : kind,
      offset: this.pos,
      reason: ended ? 'the text ends here' : reason,
    }
    return false
  }
}
