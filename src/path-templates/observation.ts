import { hashText } from './hash.ts'
import { type KeyShape, uniteShapes } from './key-shape.ts'
import { lexemeOf } from './lexicon.ts'
import { strongForm } from './token-form.ts'

/**
 * What is remembered of one distinct method and path. Everything in it is a sum, a minimum, a maximum or a union, so
 * that it does not depend on the order of arrival.
 */
export class Observation {
  readonly method: string
  readonly path: string
  segments: readonly string[]
  /** Small ranks are kept when observations are thinned out; words are kept before opaque values. */
  readonly rank: number
  count = 0
  firstSeen: number
  lastSeen: number
  /** Smallest status seen below 400; 0 when only errors were seen. */
  status = 0
  mediaType = ''
  shape: KeyShape = []
  /** Bit of each segment that was the name of its caller. */
  callerSegments = 0
  /** The smallest mark of such a caller; null when there was none. */
  callerMark: number | null = null
  /** Wire text of the endpoint it belonged to after the last evaluation; '' before the first. */
  template = ''
  /** False until it has its place in the trie, and again when it was thinned out. */
  isRetained = false
  /** The shape that was added last. */
  #latestShape: KeyShape | null = null
  #candidates: number | null = null

  constructor(method: string, path: string, segments: readonly string[], at: number) {
    this.method = method
    this.path = path
    this.segments = segments
    this.rank = rankOf(this.segments)
    this.firstSeen = at
    this.lastSeen = at
  }

  add(count: number, firstSeen: number, lastSeen: number): void {
    this.count += count
    if (firstSeen < this.firstSeen) this.firstSeen = firstSeen
    if (lastSeen > this.lastSeen) this.lastSeen = lastSeen
  }

  /** False when no segment could be the name of a person. */
  get mayNameCaller(): boolean {
    this.#candidates ??= candidatesIn(this.segments)
    return this.#candidates !== 0
  }

  /**
   * Notes which segments are what the caller is called; true when that is new.
   *
   * @param names of one caller, in the same order each time: the first one tells callers apart
   */
  addCaller(names: readonly string[]): boolean {
    let segments = 0
    for (const name of names) {
      const at = this.segments.indexOf(encodeURIComponent(name.toWellFormed()))
      if (at >= 0) segments |= this.#candidates! & (1 << at)
    }
    return segments !== 0 && this.addCallerSegments(segments, hashText(names[0]!))
  }

  /** Takes in which segments were the names of callers, and the smallest mark of one; true when that is new. */
  addCallerSegments(segments: number, mark: number): boolean {
    const [before, least] = [this.callerSegments, this.callerMark]
    this.callerSegments |= segments
    this.callerMark = leastMark(least, mark)
    return this.callerSegments !== before || this.callerMark !== least
  }

  /** Takes in an answer, if it is one that {@link tellsOfResource}. */
  addAnswer(status: number, mediaType: string, shape: KeyShape, maxKeys: number): void {
    if (!tellsOfResource(status)) return
    if (this.status === 0 || status < this.status) this.status = status
    if (this.mediaType === '' || (mediaType !== '' && mediaType < this.mediaType)) this.mediaType = mediaType
    if (shape === this.#latestShape) return
    this.#latestShape = shape
    this.shape = uniteShapes(this.shape, shape, maxKeys)
  }
}

/** The mark that stands for two callers, whichever came first. */
export function leastMark(one: number | null, other: number | null): number | null {
  return one === null ? other : other === null ? one : Math.min(one, other)
}

/** More segments do not fit the bits of a number. */
const MAX_CANDIDATE = 30

/** Bit of each segment that is neither certainly a value nor a name of interfaces. */
function candidatesIn(segments: readonly string[]): number {
  let bits = 0
  for (let i = 0; i < segments.length && i < MAX_CANDIDATE; i++) {
    const segment = segments[i]!
    if (strongForm(segment) === null && !NAMES_OF_INTERFACES.has(lexemeOf(segment).kind)) bits |= 1 << i
  }
  return bits
}

const NAMES_OF_INTERFACES: ReadonlySet<string> = new Set(['reserved', 'resource', 'plural', 'phrase'])

/** False for the status of an error, which says nothing about the resource. */
export function tellsOfResource(status: number): boolean {
  return status > 0 && status < 400
}

/**
 * Rank for thinning out: pseudo-random, the same everywhere, and small only when the hashes of all weak tokens are
 * small. So the values that are kept at one endpoint are kept at its neighbours too (`/repos/a/b/issues` and
 * `/repos/a/b/pulls`), which keeps likeness of subtrees visible in the sample.
 */
function rankOf(segments: readonly string[]): number {
  let rank = 0
  let weak = 0
  let strong = 1
  for (const segment of segments) {
    const hash = hashText(segment) / 0x40000000
    if (strongForm(segment) !== null) {
      strong = Math.min(strong, hash)
      continue
    }
    const { weight } = lexemeOf(segment)
    rank += weight <= -1.4 ? hash * 0.1 : weight < 0 ? hash * 0.5 : hash
    weak++
  }
  return weak === 0 ? strong : rank / weak + strong * 1e-3
}
