import { requestHostProblem } from '../../http/index.ts'
import type { ExchangeOutcome } from '../../inventory/index.ts'
import type {
  DeclaredOperation,
  ImportedExchange,
  ImportedFinding,
  ImportReport,
} from '../../traffic/index.ts'

/** Rows kept of one import; the counts stay exact beyond. */
const MAX_ROWS = 50_000

/** What became of one entry. */
interface ImportRow {
  outcome: 'TAKEN' | 'TAKEN_WITH_WARNINGS' | 'SKIPPED' | 'KNOWN_BEFORE'
  /** Number of the entry in the file, for the order. */
  index: number
  place: string
  what: string
  reasons: string[]
}

/** Rows and counts of an import while it runs. */
export class ImportLedger {
  readonly rows: ImportRow[] = []
  taken = 0
  skipped = 0
  duplicates = 0
  #byIndex = new Map<number, ImportRow>()
  readonly #mask: (text: string) => string

  /** @param mask masks what the report must not show of the URLs in a text */
  constructor(mask: (text: string) => string) {
    this.#mask = mask
  }

  get total(): number {
    return this.taken + this.skipped + this.duplicates
  }

  /** Notes what the inventory said about an exchange. */
  noteExchange(item: ImportedExchange, outcome: ExchangeOutcome): void {
    if (outcome.taken) {
      this.taken++
      const problem = requestHostProblem(item.exchange.request)
      this.#add({
        outcome: problem === undefined ? 'TAKEN' : 'TAKEN_WITH_WARNINGS',
        index: item.index,
        place: item.where,
        what: item.what,
        reasons: problem === undefined ? [] : [`${problem}; taken without a host`],
      })
      return
    }
    const isKnown = outcome.rule === 'duplicate'
    if (isKnown) this.duplicates++
    else this.skipped++
    this.#add({
      outcome: isKnown ? 'KNOWN_BEFORE' : 'SKIPPED',
      index: item.index,
      place: item.where,
      what: item.what,
      reasons: [outcome.reason],
    })
  }

  /** Notes what became of a finding of another scanner. */
  noteFinding(
    { index, where, what }: ImportedFinding,
    outcome: 'TAKEN' | 'KNOWN_BEFORE' | 'SKIPPED',
    reasons: readonly string[],
  ): void {
    if (outcome === 'TAKEN') this.taken++
    else if (outcome === 'SKIPPED') this.skipped++
    else this.duplicates++
    this.#add({ outcome, index, place: where, what, reasons: [...reasons] })
  }

  /**
   * Notes what the inventory said about an example of a declared operation: the operation is the entry of the report,
   * and an example that was refused is a remark on it.
   */
  noteExample(item: ImportedExchange, outcome: ExchangeOutcome): void {
    if (outcome.taken || outcome.rule === 'duplicate') return
    const row = this.#byIndex.get(item.index)
    if (row === undefined) return
    row.reasons.push(`a saved response was left out: ${outcome.reason}`)
    if (row.outcome === 'TAKEN') row.outcome = 'TAKEN_WITH_WARNINGS'
  }

  /** Notes an operation that a document declares. */
  noteDeclared(operation: DeclaredOperation, isTaken: boolean): void {
    if (isTaken) this.taken++
    else this.skipped++
    this.#add({
      outcome: !isTaken ? 'SKIPPED' : operation.problems.length > 0 ? 'TAKEN_WITH_WARNINGS' : 'TAKEN',
      index: operation.index,
      place: operation.where,
      what: `${operation.path} (${operation.method})`,
      reasons: [...operation.problems],
    })
  }

  /** Adds what the importer itself skipped or found doubtful. */
  noteReport(report: ImportReport): void {
    this.skipped += report.skippedTotal
    for (const skip of report.skipped) {
      this.#add({
        outcome: 'SKIPPED',
        index: skip.index,
        place: skip.where,
        what: skip.what,
        reasons: [skip.reason],
      })
    }
    for (const warning of report.warnings) {
      const row = warning.index === undefined ? undefined : this.#byIndex.get(warning.index)
      if (row === undefined || row.reasons.includes(warning.reason)) continue
      row.reasons.push(warning.reason)
      if (row.outcome === 'TAKEN') row.outcome = 'TAKEN_WITH_WARNINGS'
    }
  }

  /** Rows in the order of the file. */
  inOrder(): ImportRow[] {
    return [...this.rows].sort((a, b) => a.index - b.index)
  }

  #add(row: ImportRow): void {
    if (this.rows.length >= MAX_ROWS) return
    row.what = this.#mask(row.what)
    this.rows.push(row)
    if (!this.#byIndex.has(row.index)) this.#byIndex.set(row.index, row)
  }
}

/** Sentences about the file as a whole. */
export function fileWarnings(report: ImportReport): string[] {
  return report.warnings
    .filter((warning) => warning.index === undefined)
    .map((warning) => (warning.where === '' ? warning.reason : `${warning.where}: ${warning.reason}`))
}

/** Why reading stopped before the end, as a sentence; null when it did not. */
export function stopReason(report: ImportReport): string | null {
  if (report.fatal === undefined) return null
  return report.fatal.where === '' ? report.fatal.reason : `${report.fatal.where}: ${report.fatal.reason}`
}
