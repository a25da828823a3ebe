import { cutText } from './untrusted-value.ts'

/** An entry that was not taken, and why. */
interface ImportSkip {
  /** Number of the entry in the file, from 0. */
  readonly index: number
  /** JSON pointer or line. */
  readonly where: string
  /** Method and URL without its query; '' when not even that is known. */
  readonly what: string
  readonly reason: string
}

/** Something doubtful in what was taken. Without `index` it concerns the whole file. */
interface ImportWarning {
  readonly index?: number
  readonly where: string
  readonly what: string
  readonly reason: string
}

/** Why reading stopped before the end of the file; what stands before that place has been taken. */
interface ImportStop {
  readonly where: string
  readonly reason: string
}

/** What became of every entry of a file: taken + skippedTotal = total. */
export interface ImportReport {
  readonly title: string
  readonly total: number
  readonly taken: number
  /** Details of the first {@link MAX_DETAILS}; `skippedTotal` counts all. */
  readonly skipped: readonly ImportSkip[]
  readonly skippedTotal: number
  /** Details of the first {@link MAX_DETAILS}; `warningsTotal` counts all. */
  readonly warnings: readonly ImportWarning[]
  readonly warningsTotal: number
  /** Taken entries that carry at least one warning. */
  readonly takenWithWarnings: number
  readonly fatal?: ImportStop
}

/** Most skips, and most warnings, kept with their details. */
const MAX_DETAILS = 1000

/** A report while it is being written. */
export class ImportReportWriter implements ImportReport {
  title: string
  taken = 0
  skippedTotal = 0
  warningsTotal = 0
  takenWithWarnings = 0
  fatal: ImportStop | undefined
  readonly skipped: ImportSkip[] = []
  readonly warnings: ImportWarning[] = []

  constructor(title: string) {
    this.title = title
  }

  get total(): number {
    return this.taken + this.skippedTotal
  }

  /** Counts an entry as taken, with what was doubtful about it. */
  take(index: number, where: string, what: string, reasons: readonly string[] = []): void {
    this.taken++
    if (reasons.length > 0) this.takenWithWarnings++
    for (const reason of reasons) this.#addWarning({ index, where, what, reason })
  }

  /** Counts an entry as not taken. */
  skip(index: number, where: string, what: string, reason: string): void {
    this.skippedTotal++
    if (this.skipped.length >= MAX_DETAILS) return
    this.skipped.push({ index, where: tidy(where), what: tidy(what), reason: tidy(reason) })
  }

  /** A warning about the file as a whole. */
  warn(where: string, reason: string): void {
    this.#addWarning({ where, what: '', reason })
  }

  /** Notes that reading ends here; the first such note stays. */
  stop(where: string, reason: string): void {
    this.fatal ??= { where: tidy(where), reason: tidy(reason) }
  }

  #addWarning(warning: ImportWarning): void {
    this.warningsTotal++
    if (this.warnings.length >= MAX_DETAILS) return
    const { index, where, what, reason } = warning
    this.warnings.push({ index, where: tidy(where), what: tidy(what), reason: tidy(reason) })
  }
}

/** A report as a plain object, fit for messages between threads and for JSON. */
export function plainReport(report: ImportReport): ImportReport {
  const { title, total, taken, skipped, skippedTotal, warnings, warningsTotal, takenWithWarnings, fatal } =
    report
  return { title, total, taken, skipped, skippedTotal, warnings, warningsTotal, takenWithWarnings, fatal }
}

/** Names in a report come from the file: bounded, well-formed, without NUL. */
function tidy(text: string): string {
  return cutText(text, 500)
}

/** How reports name a request: method and URL, without query and user information, which may hold secrets. */
export function describeRequest(method: unknown, url: unknown): string {
  const target =
    typeof url === 'string'
      ? url
          .slice(0, 2000)
          .replace(/[?#].*$/s, '')
          .replace(/\/\/[^/@]*@/, '//')
      : ''
  return `${typeof method === 'string' ? method.slice(0, 32) : '?'} ${target.slice(0, 300)}`
    .toWellFormed()
    .trim()
}
