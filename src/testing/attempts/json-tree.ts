import { JsonScanner } from '../../http/index.ts'
import type { Literal } from '../template/template.ts'

/** A number that a double cannot hold exactly, or that was written in another way: kept digit by digit. */
export class NumberText {
  readonly digits: string

  constructor(digits: string) {
    this.digits = digits
  }
}

/** JSON for editing. Maps keep order and take any key; numbers that would change when written again stay text. */
export type JsonTree = null | boolean | number | string | NumberText | JsonTree[] | Map<string, JsonTree>

const LIMITS = { maxDepth: 200, maxValues: 1_000_000 } as const

/** The tree of a JSON text (RFC 8259); undefined when it is none, or nested deeper than 200. Of repeated keys the last wins. */
export function readTree(text: string): JsonTree | undefined {
  const scanner = new JsonScanner(text, LIMITS)
  if (!scanner.skipValue() || !Number.isNaN(scanner.peek())) return undefined
  return new TreeReader(text).read()
}

/** JSON text without white space. */
export function writeTree(tree: JsonTree): string {
  if (tree instanceof NumberText) return tree.digits
  if (Array.isArray(tree)) return `[${tree.map(writeTree).join(',')}]`
  if (tree instanceof Map) {
    return `{${[...tree].map(([key, value]) => `${JSON.stringify(key)}:${writeTree(value)}`).join(',')}}`
  }
  return JSON.stringify(tree)
}

/** The tree of a value from a template. */
export function treeOf(value: Literal): JsonTree {
  if (Array.isArray(value)) return value.map(treeOf)
  if (typeof value === 'object' && value !== null)
    return new Map(Object.entries(value).map(([key, inner]) => [key, treeOf(inner)]))
  return value as JsonTree
}

/** True for what has no parts. */
export function isScalar(tree: JsonTree): boolean {
  return !Array.isArray(tree) && !(tree instanceof Map)
}

/** A scalar as text, `null` as the word. */
export function scalarText(tree: JsonTree): string {
  if (tree instanceof NumberText) return tree.digits
  return typeof tree === 'string' ? tree : writeTree(tree)
}

/** Thrown inside the reader where the scanner was content and `JSON.parse` is not. */
class NotJson extends Error {}

/** Builds what the scanner has already found to be well-formed and not too deep. */
class TreeReader {
  readonly #text: string
  readonly #scanner: JsonScanner

  constructor(text: string) {
    this.#text = text
    this.#scanner = new JsonScanner(text, LIMITS)
  }

  read(): JsonTree | undefined {
    try {
      return this.#value()
    } catch (error) {
      if (error instanceof NotJson) return undefined
      throw error
    }
  }

  #value(): JsonTree {
    switch (this.#scanner.peek()) {
      case 0x7b:
        return this.#object()
      case 0x5b:
        return this.#array()
      case 0x22:
        return this.#string()
      default:
        return this.#word()
    }
  }

  #object(): Map<string, JsonTree> {
    const map = new Map<string, JsonTree>()
    this.#scanner.accept(0x7b)
    if (this.#scanner.accept(0x7d)) return map
    do {
      const key = this.#string()
      this.#scanner.accept(0x3a)
      map.set(key, this.#value())
    } while (this.#scanner.accept(0x2c))
    this.#scanner.accept(0x7d)
    return map
  }

  #array(): JsonTree[] {
    const list: JsonTree[] = []
    this.#scanner.accept(0x5b)
    if (this.#scanner.accept(0x5d)) return list
    do list.push(this.#value())
    while (this.#scanner.accept(0x2c))
    this.#scanner.accept(0x5d)
    return list
  }

  #string(): string {
    const text = this.#scanner.readString()
    if (text === undefined) throw new NotJson()
    return text
  }

  #word(): JsonTree {
    this.#scanner.peek()
    const start = this.#scanner.pos
    const word = /[\w+\-.]+/y
    word.lastIndex = start
    const found = word.exec(this.#text)?.[0] ?? ''
    this.#scanner.pos = start + found.length
    if (found === 'true') return true
    if (found === 'false') return false
    if (found === 'null') return null
    if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(found)) throw new NotJson()
    const number = Number(found)
    return String(number) === found ? number : new NumberText(found)
  }
}
