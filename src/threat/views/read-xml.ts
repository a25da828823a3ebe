import { isAsciiSpace } from './char-flags.ts'
import type { Place } from './leaf.ts'
import { TRUNCATION } from './leaf.ts'
import type { LeafStore } from './leaf-store.ts'
import { indexOfUnit } from './read-form.ts'

/**
 * Adds the parts of an XML or HTML text: texts, values of attributes, CDATA, comments, processing instructions, the
 * document type with its internal subset, and the whole tag of each kind of element. Takes any text, sound or not; nothing
 * is expanded (CWE-611, CWE-776). One pass, no recursion.
 */
export function readXml(store: LeafStore, start: number, end: number, key: Place, value: Place): void {
  new XmlWalk(store, start, end, key, value).run()
}

class XmlWalk {
  readonly #store: LeafStore
  readonly #end: number
  readonly #key: Place
  readonly #value: Place
  readonly #open: number[] = []
  #at: number

  constructor(store: LeafStore, start: number, end: number, key: Place, value: Place) {
    this.#store = store
    this.#at = start
    this.#end = end
    this.#key = key
    this.#value = value
  }

  run(): void {
    while (this.#at < this.#end && !this.#store.isFull) {
      if (this.#store.units[this.#at] === 60) this.#markup()
      else this.#text()
    }
    this.#add(this.#at, this.#end)
  }

  #around(): number {
    return this.#open.length > 0 ? this.#open[this.#open.length - 1]! : -1
  }

  #add(start: number, end: number, key = this.#around()): void {
    const { units } = this.#store
    let from = start
    let to = end
    while (from < to && isAsciiSpace(units[from])) from++
    while (to > from && isAsciiSpace(units[to - 1])) to--
    if (to > from) this.#store.add(from, to, this.#value, key)
  }

  #text(): void {
    const start = this.#at
    this.#at = indexOfUnit(this.#store.units, 60, start, this.#end)
    this.#add(start, this.#at)
  }

  #markup(): void {
    const { units } = this.#store
    const next = units[this.#at + 1]
    if (next === 33) this.#declaration()
    else if (next === 63) this.#until(this.#at, 2, 63, 62)
    else if (next === 47) this.#endTag()
    else this.#tag()
  }

  /** Adds everything up to two closing units, without them. */
  #until(start: number, skip: number, first: number, second: number): void {
    const { units } = this.#store
    let i = this.#at + skip
    while (i < this.#end && !(units[i] === second && units[i - 1] === first)) i++
    this.#add(start, Math.min(i + 1, this.#end))
    this.#at = Math.min(i + 1, this.#end)
  }

  #declaration(): void {
    const { units } = this.#store
    const start = this.#at
    if (units[start + 2] === 45 && units[start + 3] === 45) this.#until(start, 5, 45, 62)
    else if (units[start + 2] === 91) this.#cdata()
    else this.#documentType()
  }

  #cdata(): void {
    const { units } = this.#store
    const start = Math.min(this.#at + 9, this.#end)
    let i = start
    while (i < this.#end && !(units[i] === 93 && units[i + 1] === 93 && units[i + 2] === 62)) i++
    this.#add(start, i)
    this.#at = Math.min(i + 3, this.#end)
  }

  #documentType(): void {
    const { units } = this.#store
    const start = this.#at
    let brackets = 0
    let i = start
    for (; i < this.#end; i++) {
      const unit = units[i]
      if (unit === 91) brackets++
      else if (unit === 93) brackets--
      else if (unit === 62 && brackets <= 0) break
    }
    this.#at = Math.min(i + 1, this.#end)
    this.#add(start, this.#at)
  }

  #endTag(): void {
    const start = this.#at
    this.#at = Math.min(indexOfUnit(this.#store.units, 62, start, this.#end) + 1, this.#end)
    this.#open.pop()
  }

  #tag(): void {
    const { units } = this.#store
    const start = this.#at
    const stop = this.#tagEnd(start)
    let i = start + 1
    while (i < stop && !isAsciiSpace(units[i]) && units[i] !== 62 && units[i] !== 47) i++
    const seen = this.#store.count
    const element = this.#store.addKey(start + 1, i, this.#key, this.#around())
    const isNew = this.#store.count > seen
    // The whole tag is what shows markup that has no business here.
    if (isNew || i < stop - 1) this.#store.add(start, stop, this.#value, element)
    if (i < stop - 1) this.#attributes(i, stop, element)
    this.#at = stop
    if (units[stop - 2] === 47) return
    if (this.#open.length < this.#store.budget.maxDepth) this.#open.push(element)
    else this.#store.truncated |= TRUNCATION.DEPTH
  }

  /** Position behind the `>` of a tag that is in no quotes; the end of the text when there is none. */
  #tagEnd(start: number): number {
    const { units } = this.#store
    let quote = 0
    for (let i = start + 1; i < this.#end; i++) {
      const unit = units[i]!
      if (quote !== 0) {
        if (unit === quote) quote = 0
      } else if (unit === 34 || unit === 39) quote = unit
      else if (unit === 62) return i + 1
    }
    return this.#end
  }

  #attributes(start: number, stop: number, element: number): void {
    const { units } = this.#store
    let i = start
    while (i < stop && !this.#store.isFull) {
      const equals = indexOfUnit(units, 61, i, stop)
      if (equals >= stop) return
      let nameStart = equals
      while (nameStart > i && !isAsciiSpace(units[nameStart - 1])) nameStart--
      let from = equals + 1
      while (from < stop && isAsciiSpace(units[from])) from++
      const quote = units[from]
      const isQuoted = quote === 34 || quote === 39
      let to = isQuoted ? indexOfUnit(units, quote, from + 1, stop) : from
      if (!isQuoted) while (to < stop && !isAsciiSpace(units[to]) && units[to] !== 62) to++
      const name = this.#store.addKey(nameStart, equals, this.#key, element)
      this.#add(isQuoted ? from + 1 : from, to, name)
      i = to + 1
    }
  }
}
