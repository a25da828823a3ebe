import type { JsonFault } from '../http/index.ts'
import { JsonScanner, LineCursor } from '../http/index.ts'
import type { ImportReportWriter } from './import-report.ts'

/** Limits on one element of a list; 100,000 headers as records still fit, and are then refused by their number. */
export const ELEMENT_LIMITS = { maxDepth: 512, maxValues: 400_000 }

const OPEN_OBJECT = 0x7b
const CLOSE_ARRAY = 0x5d
const COMMA = 0x2c

/** One element of a list, parsed. */
export interface ListElement {
  readonly index: number
  /** Its JSON pointer and line. */
  readonly where: string
  readonly value: unknown
}

/** Place of an offset for people; counts from the start of the text, so not for every element of a list. */
export function placeOf(text: string, offset: number): string {
  const { line, column } = new LineCursor(text).at(offset)
  return `line ${line}, column ${column}, byte ${Buffer.byteLength(text.slice(0, offset))}`
}

/** Tells where a list is found and how many elements it may have. */
interface ListPlace {
  readonly pointer: string
  readonly maxElements: number
  /** What the elements are called in sentences. */
  readonly noun: string
}

/**
 * Reads the elements of a JSON array one by one, the scanner standing behind its opening bracket. Each is parsed
 * separately: memory stays that of the largest, a broken one costs only itself where its end can be found, and of a text
 * that was cut off everything before the cut is read. What is not read goes into the report.
 */
export class JsonListReader {
  readonly #scanner: JsonScanner
  readonly #report: ImportReportWriter
  readonly #place: ListPlace
  readonly #lines: LineCursor
  #index = 0

  constructor(scanner: JsonScanner, report: ImportReportWriter, place: ListPlace) {
    this.#scanner = new JsonScanner(scanner.text, ELEMENT_LIMITS, scanner.pos)
    this.#report = report
    this.#place = place
    this.#lines = new LineCursor(scanner.text)
  }

  /** The elements; returns the scanner behind the closing bracket, or undefined when reading stopped before it. */
  *read(): Generator<ListElement, JsonScanner | undefined> {
    const scanner = this.#scanner
    for (;;) {
      const next = scanner.peek()
      if (next === CLOSE_ARRAY) break
      if (Number.isNaN(next))
        return this.#stop(scanner.pos, `the file ends inside the list of ${this.#place.noun}`)
      if (this.#index >= this.#place.maxElements) {
        return this.#stop(
          scanner.pos,
          `only the first ${this.#place.maxElements} ${this.#place.noun} are read`,
        )
      }
      const start = scanner.pos
      const where = `${this.#place.pointer}/${this.#index} (line ${this.#lines.at(start).line})`
      if (scanner.skipValue()) yield* this.#parse(scanner.text.slice(start, scanner.pos), where)
      else if (!this.#passBroken(start, where, scanner.fault)) return undefined
      this.#index++
      if (scanner.accept(COMMA)) continue
      const after = scanner.peek()
      if (after === OPEN_OBJECT) this.#report.warn(where, 'no comma behind it')
      else if (after !== CLOSE_ARRAY && !Number.isNaN(after))
        return this.#stop(scanner.pos, 'expected "," or "]"')
    }
    scanner.pos++
    return scanner
  }

  *#parse(text: string, where: string): Generator<ListElement> {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      // The brackets match but something inside is malformed; V8's sentence would quote the content.
      this.#report.skip(this.#index, where, '', 'a string or number in it is malformed')
      return
    }
    yield { index: this.#index, where, value }
  }

  /** Continues behind a broken element where its end can be found; false when reading must stop. */
  #passBroken(start: number, where: string, fault: JsonFault | undefined): boolean {
    const scanner = this.#scanner
    if (fault === undefined) return false
    const { line, column } = this.#lines.at(fault.offset)
    if (fault.kind !== 'cut' && scanner.text.charCodeAt(start) === OPEN_OBJECT && scanner.skipBroken(start)) {
      this.#report.skip(this.#index, where, '', `${fault.reason} (line ${line}, column ${column})`)
      return true
    }
    this.#report.skip(this.#index, where, '', `it is not complete: ${fault.reason}`)
    this.#stop(fault.offset, `${fault.reason}; ${this.#place.noun} before it are taken`)
    return false
  }

  #stop(offset: number, reason: string): undefined {
    this.#report.stop(placeOf(this.#scanner.text, offset), reason)
    return undefined
  }
}
