import { WordAutomaton } from './word-automaton.ts'

/**
 * Finds out in one pass whether a text holds any of some words. Made for words that ordinary texts do not hold: the table
 * of a few dozen stays in the nearest caches, where the table of all words of a set does not.
 */
export class QuietText {
  readonly #automaton: WordAutomaton

  /** @param words in lower case, ASCII */
  constructor(words: Iterable<string>) {
    this.#automaton = new WordAutomaton(new Map(Array.from(words, (word) => [word, []])))
  }

  /** Whether a run of code units holds none of the words, without regard to case. */
  holdsIn(units: Uint16Array, start: number, end: number): boolean {
    const { classes, table, longest } = this.#automaton
    // Two halves at once, which overlap by a word: see `Candidates`.
    const half = end - start < 2 * longest ? end - start : (end - start + longest) >> 1
    let row = 0
    let other = 0
    for (let i = start, j = end - half; j < end; i++, j++) {
      row = table[row + classes[units[i]!]!]!
      other = table[other + classes[units[j]!]!]!
      if ((row | other) < 0) return false
    }
    return true
  }
}
