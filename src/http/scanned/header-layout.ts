import type { BatchScanner } from './batch-scanner.ts'

/** Headers of one message that have a layout, and layouts that are kept. */
const MAX_POSITIONS = 128
const MAX_LAYOUTS = 4096
const MAX_NAME = 128
/** Names whose places are kept at hand. */
const MAX_ASKED = 12
/** What a name in a layout is made of: no quotes, no escapes, ASCII. */
const PLAIN_NAME = /^[ !#-[\]-~]*$/

/**
 * The names of a message's headers in their order. Messages of one client have the same ones nearly always, so what
 * follows from names alone is found once for a layout. Layouts are distinguished by their last name and the one before.
 */
export class HeaderLayout {
  /** Letter case as observed. */
  readonly names: readonly string[]
  /** In lower case. */
  readonly lower: readonly string[]
  /** ASCII bytes of the last name. */
  readonly lastName: Uint8Array
  /** The layout with one more name that was met last. */
  latest: HeaderLayout | null = null
  /** The short value met last at each of the first positions that is asked for as text. */
  readonly latestValues: (string | undefined)[] = []
  readonly #longer = new Map<string, HeaderLayout>()
  readonly #positions = new Map<string, number>()
  /** Names asked for, and where they stand: the same few with every message, found sooner than in a map. */
  readonly #asked: string[] = []
  readonly #found: number[] = []

  constructor(names: readonly string[]) {
    this.names = names
    this.lower = names.map((name) => name.toLowerCase())
    this.lastName = Buffer.from(names.at(-1) ?? '')
    for (let i = names.length - 1; i >= 0; i--) this.#positions.set(this.lower[i]!, i)
  }

  /** Position of the first header with a name in lower case; -1 when there is none. */
  indexOf(name: string): number {
    const asked = this.#asked
    for (let i = 0; i < asked.length; i++) if (asked[i] === name) return this.#found[i]!
    const found = this.#positions.get(name) ?? -1
    if (asked.length < MAX_ASKED) {
      asked.push(name)
      this.#found.push(found)
    }
    return found
  }

  /** The layout with one more name, noted as the latest; null when it cannot be kept. */
  with(name: string): HeaderLayout | null {
    let longer = this.#longer.get(name)
    if (longer === undefined) {
      if (this.names.length >= MAX_POSITIONS || name.length > MAX_NAME || !PLAIN_NAME.test(name)) return null
      if (++layouts > MAX_LAYOUTS) forgetLayouts()
      longer = new HeaderLayout([...this.names, name])
      this.#longer.set(name, longer)
    }
    this.latest = longer
    return longer
  }

  /** Forgets all longer ones. */
  clear(): void {
    this.#longer.clear()
    this.latest = null
  }
}

let layouts = 0

/** No headers at all: every other layout is reached from these. Requests and responses have their own names. */
export const NO_REQUEST_HEADERS = new HeaderLayout([])
export const NO_RESPONSE_HEADERS = new HeaderLayout([])

/** Those in use are met again soon; a sender of ever new names must not keep them out. */
function forgetLayouts(): void {
  NO_REQUEST_HEADERS.clear()
  NO_RESPONSE_HEADERS.clear()
  layouts = 0
}

/**
 * The layout of headers whose names stand at places that the scanner noted; null when it cannot be kept.
 *
 * @param root {@link NO_REQUEST_HEADERS} or {@link NO_RESPONSE_HEADERS}
 */
export function layoutOf(
  root: HeaderLayout,
  scanner: BatchScanner,
  first: number,
  count: number,
): HeaderLayout | null {
  const { bytes } = scanner
  let layout = root
  for (let i = 0; i < count; i++) {
    const start = scanner.nameStart(first, i)
    const end = scanner.nameEnd(first, i)
    const expected = layout.latest
    const next =
      expected !== null && stands(bytes, start, end, expected.lastName)
        ? expected
        : layout.with(scanner.slice(start, end))
    if (next === null) return null
    layout = next
  }
  return layout
}

function stands(bytes: Uint8Array, start: number, end: number, name: Uint8Array): boolean {
  const { length } = name
  if (end - start !== length) return false
  for (let i = 0; i < length; i++) if (bytes[start + i] !== name[i]) return false
  return true
}
