import type { TestRunSummary } from '../../contract/index.ts'

const BAR_WIDTH = 24
const LINE_EVERY_MS = 5_000

/** Where progress is shown. */
interface ProgressOutput {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** Shows how far a run is: a bar that moves on a terminal, a line every few seconds elsewhere. */
export class Progress {
  readonly #out: ProgressOutput
  readonly #now: () => number
  #startedMs: number | null = null
  #saidMs = Number.NEGATIVE_INFINITY
  #isDrawn = false

  /** @param now milliseconds of a clock that only goes forward */
  constructor(out: ProgressOutput, now: () => number = () => performance.now()) {
    this.#out = out
    this.#now = now
  }

  /** Shows the state of a run. */
  show({ testResultsCount, totalApis, testInitiatedCount }: TestRunSummary, found: number): void {
    const total = totalApis * testInitiatedCount
    const now = this.#now()
    if (total === 0) return
    this.#startedMs ??= now
    const seconds = (now - this.#startedMs) / 1000
    const rate = seconds > 0 ? testResultsCount / seconds : 0
    const text = progressText({ done: testResultsCount, total, rate, found })
    if (this.#out.isTTY) this.#draw(`${bar(testResultsCount / total)} ${text}`)
    else if (now - this.#saidMs >= LINE_EVERY_MS) {
      this.#saidMs = now
      this.#out.write(`${text}\n`)
    }
  }

  /** Takes the bar away, so that something else can be written. */
  clear(): void {
    if (this.#isDrawn) this.#out.write('\r\u001b[2K')
    this.#isDrawn = false
  }

  #draw(line: string): void {
    this.#out.write(`\r\u001b[2K${line.slice(0, (this.#out.columns ?? 80) - 1)}`)
    this.#isDrawn = true
  }
}

interface State {
  readonly done: number
  readonly total: number
  /** Checks a second. */
  readonly rate: number
  readonly found: number
}

function progressText({ done, total, rate, found }: State): string {
  const left = rate > 0 ? `, ${durationText((total - done) / rate)} left` : ''
  return `${number(done)} of ${number(total)} checks, ${number(Math.round(rate))}/s${left}, ${number(found)} found`
}

function bar(share: number): string {
  const filled = Math.round(Math.min(1, share) * BAR_WIDTH)
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] ${String(Math.floor(share * 100)).padStart(3)} %`
}

function number(value: number): string {
  return value.toLocaleString('en-US')
}

/** `42 s`, `3 min 5 s` or `1 h 2 min`. */
export function durationText(seconds: number): string {
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}
