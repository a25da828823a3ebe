import type { Document, ParsedNode } from 'yaml'
import { Composer, isAlias, isMap, isScalar, isSeq, Lexer, Parser } from 'yaml'
import { LineCursor, linePosition } from '../http/index.ts'

/** Longest YAML text in characters. Its grammar is costly to read: about half a second a megabyte. */
export const MAX_YAML_CHARS = 12_582_912
const MAX_TOKENS = 3_200_000
const MAX_DEPTH = 400
const MAX_VALUES = 4_000_000
const MAX_TOLD = 20

interface ParsedYaml {
  readonly value: unknown
  readonly warnings: readonly string[]
  /** Line of each key down to the third level, by JSON pointer. */
  readonly lines: ReadonlyMap<string, number>
}

/** Why a YAML text cannot be read, with the line where. */
interface YamlFault {
  readonly line: number
  readonly reason: string
}

/**
 * Parses the first document of a YAML 1.2 text from outside. Depth and tokens are limited while the text is read,
 * before anything recursive sees it; aliases are expanded under one budget of values, so that alias bombs end there
 * (CWE-776). `__proto__` keys are left out; of duplicate keys the last wins, with a warning.
 */
export function parseYaml(text: string): ParsedYaml | YamlFault {
  if (text.length > MAX_YAML_CHARS) return { line: 1, reason: `over ${MAX_YAML_CHARS} characters of YAML` }
  const document = composeLimited(text)
  if ('reason' in document) return document
  const error = document.errors[0]
  if (error !== undefined) {
    return { line: linePosition(text, error.pos[0]).line, reason: error.message.slice(0, 120) }
  }
  try {
    return new YamlReader(text).read(document)
  } catch (error) {
    if (error instanceof YamlStop) return { line: error.line, reason: error.message }
    throw error
  }
}

/** The first document; further ones are not looked at. */
function composeLimited(text: string): Document<ParsedNode> | YamlFault {
  const parser = new Parser()
  const composer = new Composer<ParsedNode>({ uniqueKeys: false, prettyErrors: false, logLevel: 'silent' })
  let tokens = 0
  const lineHere = () => linePosition(text, parser.offset).line
  for (const lexeme of new Lexer().lex(text)) {
    tokens++
    if (tokens > MAX_TOKENS) return { line: lineHere(), reason: `over ${MAX_TOKENS} tokens of YAML` }
    for (const token of parser.next(lexeme)) {
      for (const document of composer.next(token)) return document as Document<ParsedNode>
    }
    if (parser.stack.length > MAX_DEPTH)
      return { line: lineHere(), reason: `nested deeper than ${MAX_DEPTH}` }
  }
  for (const token of parser.end()) {
    for (const document of composer.next(token)) return document as Document<ParsedNode>
  }
  for (const document of composer.end(true, text.length)) return document as Document<ParsedNode>
  return { line: 1, reason: 'no YAML document' }
}

class YamlStop extends Error {
  readonly line: number

  constructor(line: number, reason: string) {
    super(reason)
    this.name = 'YamlStop'
    this.line = line
  }
}

type Anchored = { readonly value: unknown; readonly size: number } | 'open'

/** Turns nodes into plain values. Recursion is bounded by {@link MAX_DEPTH}. */
class YamlReader {
  readonly #text: string
  readonly #cursor: LineCursor
  readonly #anchors = new Map<string, Anchored>()
  readonly #lines = new Map<string, number>()
  readonly #warnings: string[] = []
  #values = 0

  constructor(text: string) {
    this.#text = text
    this.#cursor = new LineCursor(text)
  }

  read(document: Document<ParsedNode>): ParsedYaml {
    const value = this.#valueOf(document.contents, '', 0)
    const end = document.range?.[2] ?? this.#text.length
    if (/^---\s/m.test(this.#text.slice(end)))
      this.#warnings.push('only the first of several documents is read')
    return { value, warnings: this.#warnings, lines: this.#lines }
  }

  #lineOf(node: unknown): number {
    const start = (node as { range?: [number, number, number] } | null)?.range?.[0]
    return start === undefined ? 1 : linePosition(this.#text, start).line
  }

  #valueOf(node: unknown, pointer: string, depth: number): unknown {
    this.#values++
    if (this.#values > MAX_VALUES)
      throw new YamlStop(this.#lineOf(node), `over ${MAX_VALUES} values with aliases expanded`)
    if (isAlias(node)) return this.#aliased(node.source, node)
    const anchor = (node as { anchor?: string } | null)?.anchor
    if (anchor === undefined) return this.#plainValue(node, pointer, depth)
    const before = this.#values
    this.#anchors.set(anchor, 'open')
    const value = this.#plainValue(node, pointer, depth)
    this.#anchors.set(anchor, { value, size: this.#values - before + 1 })
    return value
  }

  #plainValue(node: unknown, pointer: string, depth: number): unknown {
    if (isMap(node)) return this.#mapping(node.items, pointer, depth)
    if (isSeq(node)) return node.items.map((item, i) => this.#valueOf(item, `${pointer}/${i}`, depth + 1))
    if (isScalar(node)) return typeof node.value === 'bigint' ? Number(node.value) : node.value
    return null
  }

  #aliased(name: string, node: unknown): unknown {
    const anchored = this.#anchors.get(name)
    if (anchored === undefined)
      throw new YamlStop(this.#lineOf(node), `the alias *${name.slice(0, 80)} has no anchor`)
    if (anchored === 'open')
      throw new YamlStop(this.#lineOf(node), `the alias *${name.slice(0, 80)} contains itself`)
    this.#values += anchored.size
    return anchored.value
  }

  #mapping(items: readonly { key: unknown; value: unknown }[], pointer: string, depth: number): unknown {
    const map: Record<string, unknown> = {}
    const merged: unknown[] = []
    for (const { key, value } of items) {
      const name = keyText(key)
      if (name === undefined) throw new YamlStop(this.#lineOf(key), 'a key is not a scalar')
      if (name === '<<' && (isAlias(value) || isMap(value) || isSeq(value))) {
        merged.push(this.#valueOf(value, pointer, depth))
        continue
      }
      if (name === '__proto__') {
        this.#warn(key, 'the key "__proto__" is left out')
        continue
      }
      if (Object.hasOwn(map, name)) {
        this.#warn(key, `the key "${name.slice(0, 80)}" repeats an earlier one; the last wins`)
      }
      const child = depth < 3 ? `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` : ''
      if (depth < 3)
        this.#lines.set(child, this.#cursor.at((key as { range?: number[] }).range?.[0] ?? 0).line)
      map[name] = this.#valueOf(value, child, depth + 1)
    }
    for (const source of merged.flat()) this.#merge(map, source)
    return map
  }

  /** The merge key of YAML 1.1, still common in API descriptions: adds what the map does not have itself. */
  #merge(map: Record<string, unknown>, source: unknown): void {
    if (typeof source !== 'object' || source === null || Array.isArray(source)) return
    for (const [name, value] of Object.entries(source)) {
      this.#values++
      if (this.#values > MAX_VALUES) throw new YamlStop(1, `over ${MAX_VALUES} values with aliases expanded`)
      if (!Object.hasOwn(map, name)) map[name] = value
    }
  }

  #warn(node: unknown, reason: string): void {
    if (this.#warnings.length < MAX_TOLD) this.#warnings.push(`line ${this.#lineOf(node)}: ${reason}`)
  }
}

function keyText(key: unknown): string | undefined {
  if (!isScalar(key)) return key === null ? '' : undefined
  const { value } = key
  if (typeof value === 'string') return value
  // A status such as 200 is a number to YAML; its source keeps forms like 1.0 as they are written.
  return key.source ?? String(value)
}
