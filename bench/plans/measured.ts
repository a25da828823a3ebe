import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A plan that the server wrote while a case was measured. */
export interface Plan {
  readonly caseName: string
  readonly ms: number
  readonly text: string
}

/** Cases that commands on a folder measured, with their plans. */
export class Measured {
  readonly #file: string
  readonly #planFile: string
  readonly #figures: Map<string, string>
  /** Of all that were measured. */
  readonly plans: Plan[]

  constructor(folder: string) {
    this.#file = join(folder, 'measured.tsv')
    this.#planFile = join(folder, 'plans.jsonl')
    this.#figures = new Map(
      linesOf(this.#file).map((line) => {
        const [name, figures] = line.split('\t')
        return [name!, figures ?? '']
      }),
    )
    this.plans = linesOf(this.#planFile)
      .map((line) => JSON.parse(line) as Plan)
      .filter(({ caseName }) => this.#figures.has(caseName))
  }

  /** What was printed of a case; null unless it was measured. */
  figuresOf(name: string): string | null {
    return this.#figures.get(name) ?? null
  }

  note(name: string, figures: string, plans: readonly Plan[]): void {
    // A case counts as measured with its plans only.
    appendFileSync(this.#planFile, plans.map((plan) => `${JSON.stringify(plan)}\n`).join(''))
    appendFileSync(this.#file, `${name}\t${figures}\n`)
    this.#figures.set(name, figures)
    this.plans.push(...plans)
  }
}

/** The 95th percentile in milliseconds that printed figures hold. */
export function p95In(figures: string): number {
  return Number(/p95\s+([\d.]+) ms/.exec(figures)?.[1])
}

/** Whole lines; the rest of one that was cut off is left out. */
function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
}
