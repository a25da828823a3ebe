import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import type { ClusterKind } from './cluster.ts'

export type Verdict = 'held' | 'failed' | 'not run'

/** A line of a file of results. */
export interface Result {
  readonly seed: number
  readonly verdict: Verdict
  readonly faults: readonly string[]
  readonly http: number
  readonly stream: number
  readonly resent: number
  readonly recoveryMs: number
  /** Why it failed or was not run. */
  readonly reasons: readonly string[]
}

/**
 * Results of schedules, a line each, with tabs between: time, commit, load of the machine, store, broker, seed, verdict,
 * messages over HTTP and by the stream, batches sent again, recovery in ms, faults, reasons.
 */
export class ResultsFile {
  readonly #file: string
  readonly #kind: ClusterKind
  readonly #commit: string

  constructor(file: string, kind: ClusterKind) {
    this.#file = file
    this.#kind = kind
    const head = ['rev-parse', '--short', 'HEAD']
    this.#commit = spawnSync('git', head, { cwd: import.meta.dirname, encoding: 'utf8' }).stdout.trim()
  }

  /** What came of the seeds of this kind of installation, the last time each. */
  read(): Result[] {
    if (!existsSync(this.#file)) return []
    const found = new Map<number, Result>()
    for (const line of readFileSync(this.#file, 'utf8').split('\n').slice(0, -1)) {
      const [, , , store, broker, seed, verdict, http, stream, resent, recoveryMs, faults, reasons] =
        line.split('\t')
      if (store !== this.#kind.store || broker !== this.#kind.broker) continue
      found.set(Number(seed), {
        seed: Number(seed),
        verdict: verdict as Verdict,
        faults: faults!.split(' '),
        http: Number(http),
        stream: Number(stream),
        resent: Number(resent),
        recoveryMs: Number(recoveryMs),
        reasons: JSON.parse(reasons!) as string[],
      })
    }
    return [...found.values()]
  }

  add({ seed, verdict, http, stream, resent, recoveryMs, faults, reasons }: Result): void {
    const { store, broker } = this.#kind
    const when = [new Date().toISOString(), this.#commit, loadavg()[0]!.toFixed(1)]
    const figures = [http, stream, resent, recoveryMs]
    const line = [
      ...when,
      store,
      broker,
      seed,
      verdict,
      ...figures,
      faults.join(' '),
      JSON.stringify(reasons),
    ]
    appendFileSync(this.#file, `${line.join('\t')}\n`)
  }
}
