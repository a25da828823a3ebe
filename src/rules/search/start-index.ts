import { END_CLASS, isInside, type MatchStarts, START_CLASSES, startClassOf } from './match-starts.ts'

/** Longest run that an index is made of, in code units. */
const MAX_RUN = 65_536
/** Code units of all indexes that stand side by side. */
const MAX_UNITS = 1_048_576

/** Where in the arrays of {@link StartIndex} a run stands. */
export interface IndexedRun {
  readonly from: number
  readonly to: number
  /** First of its places. */
  readonly places: number
  /** By class of the first character, the first of its pairs; a row of {@link START_CLASSES} and one more. */
  readonly row: number
}

/**
 * The places of runs by the two characters there: where many searches look at one run, each finds the places
 * at which its matches may begin without reading the run. Runs lie side by side in arrays that are used again; one
 * search at a time: {@link mark}, then {@link next}.
 */
export class StartIndex {
  #units: Uint16Array = new Uint16Array(0)
  /** Places from the start of their run, pair by pair, each rising. */
  #places = new Uint16Array(4_096)
  #placeCount = 0
  /** Pairs of characters that are there, by first class: their second class, and their first place. */
  #seconds = new Uint8Array(1_024)
  #begins = new Uint32Array(1_024)
  #pairCount = 0
  #rows = new Uint32Array(8 * (START_CLASSES + 1))
  #rowCount = 0
  /** While a run is added: classes of the two characters at each place, as one number. */
  #pairs = new Uint16Array(1_024)
  /** Then by pair how often it is there, and where its next place goes. */
  readonly #counts = new Uint32Array(START_CLASSES * START_CLASSES)
  /** Then by class of the first character two words of bits: the classes of the second one that are there. */
  readonly #present = new Int32Array(START_CLASSES * 2)
  /** A bit for each place of the run that is searched, set where a match may begin. */
  #marks = new Int32Array(33)
  #from = 0
  #words = 0

  /** Forgets all runs. */
  clear(): void {
    this.#placeCount = 0
    this.#pairCount = 0
    this.#rowCount = 0
  }

  /** Adds a run; null when there is no room. The units must not change until the next {@link clear}. */
  add(units: Uint16Array, from: number, to: number): IndexedRun | null {
    const length = to - from
    if (length <= 0 || length > MAX_RUN || this.#placeCount + length > MAX_UNITS) return null
    this.#units = units
    this.#reserve(length)
    this.#count(units, from, to)
    const run = { from, to, places: this.#placeCount, row: this.#layOut() }
    const pairs = this.#pairs
    const counts = this.#counts
    const places = this.#places
    for (let place = 0; place < length; place++) places[counts[pairs[place]!]!++] = place
    this.#placeCount += length
    return run
  }

  /** Turns to a run, and marks where a match may begin in it. */
  mark({ from, to, row }: IndexedRun, { firsts, seconds }: MatchStarts): void {
    const marks = this.#marks
    const rows = this.#rows
    const there = this.#seconds
    this.#from = from
    this.#words = ((to - from) >> 5) + 1
    for (let word = 0; word < this.#words; word++) marks[word] = 0
    for (let i = 0; i < firsts.length; i++) {
      const first = firsts[i]!
      const low = seconds[first * 2]!
      const high = seconds[first * 2 + 1]!
      const last = rows[row + first + 1]!
      for (let pair = rows[row + first]!; pair < last; pair++) {
        const second = there[pair]!
        if ((((second < 32 ? low : high) >> (second & 31)) & 1) !== 0) this.#markPair(pair)
      }
    }
  }

  /** The next marked place from `at` on, -1 for none. */
  next(at: number): number {
    const marks = this.#marks
    const words = this.#words
    let word = (at - this.#from) >> 5
    if (word >= words) return -1
    let bits = marks[word]! & (-1 << ((at - this.#from) & 31))
    for (;;) {
      while (bits === 0) {
        if (++word >= words) return -1
        bits = marks[word]!
      }
      const found = this.#from + (word << 5) + 31 - Math.clz32(bits & -bits)
      if (!isInside(this.#units, found)) return found
      bits &= bits - 1
    }
  }

  #markPair(pair: number): void {
    const marks = this.#marks
    const places = this.#places
    const end = this.#begins[pair + 1]!
    for (let at = this.#begins[pair]!; at < end; at++) {
      const place = places[at]!
      marks[place >> 5]! |= 1 << (place & 31)
    }
  }

  #reserve(length: number): void {
    this.#places = withRoom(this.#places, this.#placeCount + length)
    const pairs = this.#pairCount + Math.min(length, START_CLASSES * START_CLASSES) + 1
    this.#seconds = withRoom(this.#seconds, pairs)
    this.#begins = withRoom(this.#begins, pairs)
    this.#rows = withRoom(this.#rows, (this.#rowCount + 1) * (START_CLASSES + 1))
    this.#pairs = withRoom(this.#pairs, length)
    this.#marks = withRoom(this.#marks, (length >> 5) + 1)
  }

  #count(units: Uint16Array, from: number, to: number): void {
    const present = this.#present.fill(0)
    const pairs = this.#pairs
    const counts = this.#counts
    let first = startClassOf(units[from]!)
    for (let i = from; i < to; i++) {
      const second = i + 1 < to ? startClassOf(units[i + 1]!) : END_CLASS
      const pair = first * START_CLASSES + second
      const bit = 1 << (second & 31)
      pairs[i - from] = pair
      if ((present[pair >> 5]! & bit) === 0) {
        present[pair >> 5]! |= bit
        counts[pair] = 0
      }
      counts[pair]!++
      first = second
    }
  }

  /** Turns what was counted of each pair into the place where its places begin; returns the row of the run. */
  #layOut(): number {
    const counts = this.#counts
    const row = this.#rowCount++ * (START_CLASSES + 1)
    let begin = this.#placeCount
    let pairs = this.#pairCount
    for (let word = 0; word < START_CLASSES * 2; word++) {
      if (word % 2 === 0) this.#rows[row + (word >> 1)] = pairs
      for (let bits = this.#present[word]!; bits !== 0; bits &= bits - 1) {
        const pair = word * 32 + 31 - Math.clz32(bits & -bits)
        const count = counts[pair]!
        counts[pair] = begin
        this.#seconds[pairs] = pair % START_CLASSES
        this.#begins[pairs++] = begin
        begin += count
      }
    }
    this.#rows[row + START_CLASSES] = pairs
    // Behind the last pair its end: where a next run begins, too.
    this.#begins[pairs] = begin
    this.#pairCount = pairs
    return row
  }
}

/** The array itself, or a larger one that begins like it. */
function withRoom<Numbers extends Uint8Array | Uint16Array | Uint32Array | Int32Array>(
  array: Numbers,
  count: number,
): Numbers {
  if (count <= array.length) return array
  const larger = new (array.constructor as new (length: number) => Numbers)(count * 2)
  larger.set(array)
  return larger
}
