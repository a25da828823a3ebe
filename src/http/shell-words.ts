type Terminator = 'line' | 'operator' | 'close'

/** One simple command of a shell text, its words unquoted. */
interface ShellCommand {
  readonly words: readonly string[]
  /** Offset behind the command and its terminator. */
  readonly end: number
  /**
   * What ended it: a line end (or the text's end), an operator after which the line continues, or the end of the
   * parentheses around it.
   */
  readonly terminator: Terminator
  /** Things a shell would have done and this reader does not, such as expanding a variable. */
  readonly notes: readonly string[]
  /** Why it cannot be read; `end` is then as far as it was looked at. */
  readonly problem?: string
}

/**
 * Reads one command by the quoting rules of the POSIX shell (IEEE 1003.1 XCU 2.2) plus `$'…'` of bash: single and
 * double quotes, backslashes, line continuations, comments, operators, redirections. Nothing is ever expanded or
 * run: variables and substitutions stay as text and are noted.
 */
export function readShellCommand(text: string, start: number): ShellCommand {
  return new ShellReader(text, start).read()
}

/** Most words of one command, and most quoted or plain runs that its words are made of. */
const MAX_WORDS = 20_000
const MAX_PIECES = 1_000_000

const PLAIN_END = /[\s'"\\;&|<>$`#()]/g
const DOUBLE_STOP = /["\\$`]/g

class ShellReader {
  readonly #text: string
  #at: number
  readonly #words: string[] = []
  readonly #notes = new Set<string>()
  #word: string | undefined
  #skipNextWord = false
  #problem: string | undefined
  #pieces = 0
  /** Parentheses of the command's own that are open. */
  #depth = 0

  constructor(text: string, start: number) {
    this.#text = text
    this.#at = start
  }

  read(): ShellCommand {
    let terminator: Terminator | undefined
    while (terminator === undefined && this.#at < this.#text.length && this.#problem === undefined) {
      terminator = this.#step()
    }
    this.#endWord()
    return {
      words: this.#words,
      end: this.#at,
      terminator: terminator ?? 'line',
      notes: [...this.#notes],
      problem: this.#problem,
    }
  }

  /** Consumes one character or quoted run; says what ended the command, if this did. */
  #step(): Terminator | undefined {
    const char = this.#text[this.#at]!
    switch (char) {
      case '\n':
        this.#at++
        return 'line'
      case ' ':
      case '\t':
      case '\r':
        this.#endWord()
        this.#at++
        return undefined
      case ';':
      case '&':
      case '|':
        this.#at++
        return 'operator'
      case '<':
      case '>':
        this.#redirect()
        return undefined
      case "'":
        this.#single()
        return undefined
      case '"':
        this.#double()
        return undefined
      case '\\':
        this.#escape()
        return undefined
      case '$':
        this.#dollar()
        return undefined
      case ')':
        if (this.#depth === 0) {
          this.#at++
          return 'close'
        }
        this.#depth--
        this.#plain(char)
        return undefined
      default:
        if (char === '(') this.#depth++
        this.#plain(char)
        return undefined
    }
  }

  #plain(char: string): void {
    if (char === '#' && this.#word === undefined) {
      const lineEnd = this.#text.indexOf('\n', this.#at)
      this.#at = lineEnd < 0 ? this.#text.length : lineEnd
      return
    }
    if (char === '`') this.#notes.add('a command substitution is kept as text')
    PLAIN_END.lastIndex = this.#at + 1
    const stop = PLAIN_END.exec(this.#text)?.index ?? this.#text.length
    this.#append(this.#text.slice(this.#at, stop))
    this.#at = stop
  }

  #single(): void {
    const close = this.#text.indexOf("'", this.#at + 1)
    if (close < 0) {
      this.#unclosed()
      return
    }
    this.#append(this.#text.slice(this.#at + 1, close))
    this.#at = close + 1
  }

  #double(): void {
    let at = this.#at + 1
    for (;;) {
      DOUBLE_STOP.lastIndex = at
      const stop = DOUBLE_STOP.exec(this.#text)?.index
      if (stop === undefined) {
        this.#unclosed()
        return
      }
      this.#append(this.#text.slice(at, stop))
      if (this.#problem !== undefined) break
      const char = this.#text[stop]!
      at = stop + 1
      if (char === '"') break
      if (char !== '\\') {
        this.#noteExpansion(stop)
        this.#append(char)
        continue
      }
      const next = this.#text.startsWith('\r\n', at) ? '\r\n' : (this.#text[at] ?? '')
      if (next === '\n' || next === '\r\n') at += next.length
      else if ('"\\$`'.includes(next) && next !== '') {
        this.#append(next)
        at++
      } else this.#append('\\')
    }
    this.#at = at
  }

  #escape(): void {
    const next = this.#text[this.#at + 1]
    if (next === '\n') this.#at += 2
    else if (next === '\r' && this.#text[this.#at + 2] === '\n') this.#at += 3
    else {
      this.#append(next ?? '')
      this.#at += 2
    }
  }

  #dollar(): void {
    const next = this.#text[this.#at + 1]
    if (next === '"') {
      this.#at++
      this.#double()
      return
    }
    if (next === "'") {
      const read = readAnsiQuoted(this.#text, this.#at + 2)
      if (read === undefined) {
        this.#unclosed()
        return
      }
      this.#append(read.value)
      this.#at = read.end
      return
    }
    this.#noteExpansion(this.#at)
    this.#append('$')
    this.#at++
  }

  #noteExpansion(at: number): void {
    if (this.#text[at] === '`' || this.#text[at + 1] === '(')
      this.#notes.add('a command substitution is kept as text')
    else if (/[A-Za-z_{]/.test(this.#text[at + 1] ?? '')) this.#notes.add('a shell variable is kept as text')
  }

  #redirect(): void {
    // The number in front, as in 2>, belongs to the redirection and not to the command.
    if (this.#word !== undefined && /^\d$/.test(this.#word)) this.#word = undefined
    this.#endWord()
    while (/[<>&|]/.test(this.#text[this.#at] ?? '')) this.#at++
    this.#skipNextWord = true
  }

  #unclosed(): void {
    this.#problem ??= 'a quote is never closed'
    this.#at = this.#text.length
  }

  #append(piece: string): void {
    this.#pieces++
    if (this.#pieces > MAX_PIECES || this.#words.length > MAX_WORDS) this.#problem ??= 'it is too long'
    this.#word = this.#word === undefined ? piece : this.#word + piece
  }

  #endWord(): void {
    if (this.#word === undefined) return
    if (this.#skipNextWord) this.#skipNextWord = false
    else this.#words.push(this.#word)
    this.#word = undefined
  }
}

const ANSI_SIMPLE = new Map(
  Object.entries({ n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', e: '\x1b', E: '\x1b', f: '\f', v: '\v' }),
)
const ANSI_CODE = /x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8}|[0-7]{1,3}/y
const ANSI_STOP = /['\\]/g

/** Content of a `$'…'` word from its first character on, and the offset behind its closing quote. */
function readAnsiQuoted(text: string, start: number): { value: string; end: number } | undefined {
  const pieces: Buffer[] = []
  let at = start
  for (;;) {
    ANSI_STOP.lastIndex = at
    const stop = ANSI_STOP.exec(text)?.index
    if (stop === undefined) return undefined
    if (stop > at) pieces.push(Buffer.from(text.slice(at, stop)))
    if (text[stop] === "'") return { value: Buffer.concat(pieces).toString('utf8'), end: stop + 1 }
    ANSI_CODE.lastIndex = stop + 1
    const code = ANSI_CODE.exec(text)?.[0]
    if (code === undefined) {
      const char = text[stop + 1] ?? ''
      const simple = ANSI_SIMPLE.get(char)
      pieces.push(Buffer.from(simple ?? (/['"\\?]/.test(char) ? char : `\\${char}`)))
      at = stop + 1 + char.length
    } else {
      pieces.push(ansiCode(code))
      at = stop + 1 + code.length
    }
  }
}

/** `\xHH` and octal codes are bytes, `\u` and `\U` are characters. */
function ansiCode(code: string): Buffer {
  if (/^[uU]/.test(code)) {
    const point = Number.parseInt(code.slice(1), 16)
    return Buffer.from(point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd')
  }
  const byte = code.startsWith('x') ? Number.parseInt(code.slice(1), 16) : Number.parseInt(code, 8)
  return Buffer.from([byte & 0xff])
}

/** One word quoted for the POSIX shell; words that need no quotes stay bare. */
export function quoteShellWord(word: string): string {
  if (/^[A-Za-z0-9_./:=@%+,-]+$/.test(word)) return word
  return `'${word.replaceAll("'", "'\\''")}'`
}
