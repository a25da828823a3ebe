/** Numbers that a word stands for, where the word was found. */
interface WordEntries {
  /** Entries of state `s` are at `starts[s]` to `starts[s + 1] - 1` of `values`. */
  readonly starts: Int32Array
  readonly values: Int32Array
}

/** Characters that lower case, or a pattern without regard to case, takes for a letter of ASCII. */
const FOLDED: readonly (readonly [unit: number, letter: string])[] = [
  [0x212a, 'k'],
  [0x017f, 's'],
  [0x0130, 'i'],
]

/** White space of ASCII and beyond. */
const BLANKS = Array.from(
  ' \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff',
  (blank) => blank.charCodeAt(0),
)

/**
 * Finds many words in one pass over code units, without regard to case (Aho and Corasick 1975). The next state is in
 * one table by state and character, as the start of its row; a negative number is the number of a state, inverted, at which
 * words end.
 */
export class WordAutomaton {
  /** Class of each code unit; 0 for those of no word. */
  readonly classes = new Uint8Array(0x10000)
  /** Numbers in a row of the table. */
  readonly width: number
  /** Start of the row of the next state; where words end there, its number, inverted (`~`). */
  readonly table: Int32Array
  readonly entries: WordEntries
  /** Length of the longest word. */
  readonly longest: number
  /** For each word the states at which it ends; those of other words that end alike are among them. */
  readonly states: ReadonlyMap<string, Int32Array>

  /** @param words in lower case, ASCII, each with the numbers that it stands for, or none */
  constructor(words: ReadonlyMap<string, readonly number[]>) {
    this.width = this.#classify(words.keys()) + 1
    this.longest = Array.from(words.keys(), (word) => word.length).reduce(
      (most, one) => Math.max(most, one),
      0,
    )
    const trie = new Trie(this.width)
    for (const word of words.keys()) trie.add(word, this.classes)
    const order = trie.link()
    this.table = trie.numbered(order)
    this.entries = entriesOf(order, trie, words)
    this.states = statesOf(order, trie)
  }

  #classify(words: Iterable<string>): number {
    let count = 0
    for (const word of words)
      for (let i = 0; i < word.length; i++) {
        const unit = word.charCodeAt(i)
        if (BLANKS.includes(unit)) continue
        if (this.classes[unit] !== 0) continue
        this.classes[unit] = ++count
        const upper = word[i]!.toUpperCase().charCodeAt(0)
        this.classes[upper] = count
      }
    for (const [unit, letter] of FOLDED) this.classes[unit] = this.classes[letter.charCodeAt(0)]!
    // White space is all one, so that words may end in any of it.
    const blank = this.classes[32] || ++count
    for (const unit of BLANKS) this.classes[unit] = blank
    return count
  }
}

/** The words as a tree, while the automaton is made. */
class Trie {
  readonly #width: number
  readonly #next: Int32Array[] = []
  /** Words that end at each node. */
  readonly words: string[][] = []
  readonly #fail: number[] = []

  constructor(width: number) {
    this.#width = width
    this.#addNode()
  }

  add(word: string, classes: Uint8Array): void {
    let node = 0
    for (let i = 0; i < word.length; i++) {
      const row = this.#next[node]!
      const read = classes[word.charCodeAt(i)]!
      if (row[read] === 0) row[read] = this.#addNode()
      node = row[read]!
    }
    this.words[node]!.push(word)
  }

  /** Completes every row, so that no step needs a second look; returns the nodes, nearest to the root first. */
  link(): number[] {
    const order = [0]
    for (const node of order) {
      const row = this.#next[node]!
      const fallback = this.#next[this.#fail[node]!]!
      for (let read = 0; read < this.#width; read++) {
        const child = row[read]!
        if (child === 0) {
          row[read] = node === 0 ? 0 : fallback[read]!
          continue
        }
        this.#fail[child] = node === 0 ? 0 : fallback[read]!
        this.words[child]!.push(...this.words[this.#fail[child]!]!)
        order.push(child)
      }
    }
    return order
  }

  numbered(order: readonly number[]): Int32Array {
    const width = this.#width
    const numbers = new Int32Array(order.length)
    for (const [number, node] of order.entries()) numbers[node] = number
    const table = new Int32Array(order.length * width)
    for (const [number, node] of order.entries()) {
      const row = this.#next[node]!
      for (let read = 0; read < width; read++) {
        const to = row[read]!
        table[number * width + read] = this.words[to]!.length > 0 ? ~numbers[to]! : numbers[to]! * width
      }
    }
    return table
  }

  #addNode(): number {
    this.#next.push(new Int32Array(this.#width))
    this.words.push([])
    this.#fail.push(0)
    return this.#next.length - 1
  }
}

function entriesOf(
  order: readonly number[],
  trie: Trie,
  words: ReadonlyMap<string, readonly number[]>,
): WordEntries {
  const starts = new Int32Array(order.length + 1)
  const values: number[] = []
  for (const [state, node] of order.entries()) {
    const all = trie.words[node]!.flatMap((word) => words.get(word)!)
    values.push(...new Set(all))
    starts[state + 1] = values.length
  }
  return { starts, values: Int32Array.from(values) }
}

function statesOf(order: readonly number[], trie: Trie): Map<string, Int32Array> {
  const states = new Map<string, number[]>()
  for (const [state, node] of order.entries())
    for (const word of trie.words[node]!) {
      const known = states.get(word)
      if (known === undefined) states.set(word, [state])
      else known.push(state)
    }
  return new Map(Array.from(states, ([word, all]) => [word, Int32Array.from(all)]))
}
