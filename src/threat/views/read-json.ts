import { ASCII_FLAGS, CHAR } from './char-flags.ts'
import { decodeJsonString } from './decode-escapes.ts'
import type { Place } from './leaf.ts'
import { TRUNCATION } from './leaf.ts'
import type { LeafStore } from './leaf-store.ts'

const TRUE = 'true'
const FALSE = 'false'
const NULL = 'null'

/** What becomes of the strings and keys of a JSON text. */
interface JsonSink {
  /** Places of keys and of strings. */
  readonly key: Place
  readonly value: Place
  /** Leaf that holds the text, from which its strings are derived; -1 for a body. */
  readonly parent: number
  /** View bits that strings get beyond those of the parent. */
  readonly view: number
  /** Key around the text, -1 for none. */
  readonly around: number
}

/**
 * Adds every key and string of a JSON text as a leaf: repeated keys, keys without value, strings of broken or cut texts
 * as well. Numbers, `true`, `false` and `null` are none. One pass, no recursion, any depth; containers deeper than the
 * budget lend their keys no name. Returns the position up to which the text is sound JSON: `end` when all of it is.
 */
export function readJson(store: LeafStore, start: number, end: number, sink: JsonSink): number {
  return new JsonWalk(store, start, end, sink).run()
}

class JsonWalk {
  readonly #store: LeafStore
  readonly #end: number
  readonly #sink: JsonSink
  #at: number
  #sound = -1
  /** Key of the object or list around, of each level; the innermost last. */
  readonly #around: number[] = []
  #depth = 0
  #key: number
  #values = 0

  constructor(store: LeafStore, start: number, end: number, sink: JsonSink) {
    this.#store = store
    this.#at = start
    this.#end = end
    this.#sink = sink
    this.#key = sink.around
  }

  run(): number {
    const { units } = this.#store
    while (this.#at < this.#end && !this.#store.isFull) {
      const unit = units[this.#at]!
      if (unit === 34) this.#string()
      else if (unit === 44) this.#next()
      else if (unit === 123 || unit === 91) this.#open()
      else if (unit === 125 || unit === 93) this.#close()
      else if (unit <= 32 || unit === 58) this.#at++
      else this.#scalar()
    }
    if (this.#depth > 0) this.#fault(this.#at)
    return this.#sound < 0 ? this.#at : Math.min(this.#sound, this.#at)
  }

  #fault(at: number): void {
    if (this.#sound < 0) this.#sound = at
  }

  #outer(): number {
    return this.#around.length > 0 ? this.#around[this.#around.length - 1]! : this.#sink.around
  }

  #next(): void {
    this.#key = this.#outer()
    this.#at++
  }

  #open(): void {
    if (this.#depth++ === 0) this.#values++
    if (this.#around.length < this.#store.budget.maxDepth) this.#around.push(this.#key)
    else this.#store.truncated |= TRUNCATION.DEPTH
    this.#at++
  }

  #close(): void {
    if (this.#depth === 0) this.#fault(this.#at)
    else {
      if (this.#depth <= this.#around.length) this.#around.pop()
      this.#depth--
      this.#key = this.#outer()
    }
    this.#at++
  }

  #string(): void {
    const { units } = this.#store
    const start = this.#at + 1
    const end = this.#end
    let flags = 0
    let i = start
    for (; i < end; i++) {
      const unit = units[i]!
      if (unit === 34) break
      flags |= unit < 128 ? ASCII_FLAGS[unit]! : CHAR.WIDE | CHAR.OTHER | CHAR.NOT_HEX
      if (unit === 92) i++
    }
    const stop = Math.min(i, end)
    if (i >= end) this.#fault(this.#at)
    this.#at = stop + 1
    while (this.#at < end && units[this.#at]! <= 32) this.#at++
    if (this.#depth > 0 && units[this.#at] === 58 && this.#at < end) {
      this.#at++
      this.#addKey(start, stop, flags)
      return
    }
    if (this.#depth === 0 && this.#values++ > 0) this.#fault(start)
    if (stop > start) this.#addValue(start, stop, flags)
  }

  #addKey(start: number, stop: number, flags: number): void {
    const { key } = this.#sink
    if ((flags & CHAR.BACKSLASH) === 0) {
      this.#key = this.#store.addKey(start, stop, key, this.#outer())
      return
    }
    const from = this.#store.used
    decodeJsonString(this.#store, start, stop)
    this.#key = this.#store.addKey(from, this.#store.used, key, this.#outer())
  }

  #addValue(start: number, stop: number, flags: number): void {
    const store = this.#store
    let from = start
    let to = stop
    if ((flags & CHAR.BACKSLASH) !== 0) {
      if (!store.spend(stop - start)) return
      from = store.used
      decodeJsonString(store, start, stop)
      to = store.used
    }
    const { parent, value, view } = this.#sink
    if (parent >= 0) store.deriveAt(parent, value, from, to, view, this.#key)
    else if (from === start) store.add(from, to, value, this.#key, flags)
    else store.add(from, to, value, this.#key)
  }

  /** A number or word outside strings; anything else means that the text is broken from here on. */
  #scalar(): void {
    const { units } = this.#store
    const start = this.#at
    let isNumber = true
    while (this.#at < this.#end) {
      const unit = units[this.#at]!
      if (unit <= 32 || unit === 44 || unit === 93 || unit === 125 || unit === 58 || unit === 34) break
      const isPart =
        (unit >= 48 && unit <= 57) || unit === 45 || unit === 46 || unit === 43 || (unit | 32) === 101
      if (!isPart) isNumber = false
      this.#at++
    }
    if (this.#depth === 0 && this.#values++ > 0) this.#fault(start)
    if (!isNumber && !this.#isWord(start, this.#at)) this.#fault(start)
  }

  #isWord(start: number, stop: number): boolean {
    if (stop - start < 4 || stop - start > 5) return false
    const { units } = this.#store
    const word = units[start] === 116 ? TRUE : units[start] === 102 ? FALSE : NULL
    if (word.length !== stop - start) return false
    for (let i = 0; i < word.length; i++) if (units[start + i] !== word.charCodeAt(i)) return false
    return true
  }
}
