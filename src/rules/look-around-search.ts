import type { LookAroundPattern } from './look-around/look-around-pattern.ts'
import type { Pattern } from './pattern.ts'
import { filledReplacement } from './replacement.ts'
import { type MandatoryWords, mandatoryWords } from './search/mandatory-words.ts'

/** A pattern that looks ahead or behind. */
export class LookAroundSearch implements Pattern {
  readonly source: string
  readonly notes: readonly string[] = []
  readonly looksAround = true
  readonly #text: string
  readonly #pattern: LookAroundPattern
  #words: MandatoryWords | null = null

  constructor(source: string, text: string, pattern: LookAroundPattern) {
    this.source = source
    this.#text = text
    this.#pattern = pattern
  }

  get words(): MandatoryWords {
    this.#words ??= mandatoryWords(this.#text)
    return this.#words
  }

  test(text: string): boolean {
    return this.#pattern.test(text)
  }

  find(text: string): readonly [start: number, end: number] | null {
    for (const marks of this.#pattern.matches(text)) return [marks[0]!, marks[1]!]
    return null
  }

  findAll(text: string, limit: number): string[] {
    const found: string[] = []
    const group = this.#pattern.groups > 0 ? 2 : 0
    for (const marks of this.#pattern.matches(text)) {
      if (found.length >= limit) break
      if (marks[group]! >= 0) found.push(text.slice(marks[group], marks[group + 1]))
    }
    return found
  }

  replaceAll(text: string, replacement: string): string {
    const parts: string[] = []
    let from = 0
    for (const marks of this.#pattern.matches(text)) {
      const group = (number: number): string => {
        const start = marks[number * 2] ?? -1
        return start < 0 ? '' : text.slice(start, marks[number * 2 + 1])
      }
      parts.push(text.slice(from, marks[0]), filledReplacement(replacement, group))
      from = marks[1]!
    }
    return parts.join('') + text.slice(from)
  }

  unitSearch(): null {
    return null
  }
}
