import { createHash } from 'node:crypto'
import { Failure } from '../../kit/index.ts'
import { type DryCheck, type DryRun, dryRun, type PlannedRun } from './dry-run.ts'
import type { RunDeps } from './execute-run.ts'

/** How long a dry run is kept for the next pages of its list. */
const KEPT_MS = 60_000
/** Ended ones that are kept; each has every check. */
const MOST_KEPT = 3
/** Dry runs that wait, of all people; of one person, only the newest waits. */
const MOST_WAITING = 5
/** Longest time of one, with everything it reads. */
const LIMIT_MS = 60_000

/** A dry run, and which of its checks are listed. */
export interface DryRunQuestion {
  readonly run: PlannedRun
  /** Checks of one test; null for all. */
  readonly testId: string | null
  /** Only those that would be skipped, or carried out; null for both. */
  readonly isSkipped: boolean | null
  readonly skip: number
  readonly limit: number
}

/** What the checks of one test come to. */
interface DryTest {
  readonly testId: string
  readonly checks: number
  readonly skipped: number
  readonly requests: number
  readonly writes: number
  readonly seconds: number
}

/** Checks that would be skipped for the same reason. */
interface DryReason {
  readonly outcome: string
  readonly reason: string
  readonly checks: number
  readonly tests: number
}

export interface DryRunPage extends Omit<DryRun, 'checks'> {
  readonly planned: number
  readonly skipped: number
  /** Those that send most first. */
  readonly byTest: readonly DryTest[]
  /** The most frequent first. */
  readonly reasons: readonly DryReason[]
  /** Checks that act as each role, the most first. */
  readonly roles: readonly { readonly role: string; readonly checks: number }[]
  readonly checks: readonly DryCheck[]
  readonly checksCount: number
}

/** A dry run that is asked for and has not ended. */
interface Unfinished {
  readonly key: string
  readonly run: PlannedRun
  readonly ended: Promise<DryRun>
  readonly resolve: (done: DryRun) => void
  readonly reject: (error: unknown) => void
}

/** Dry runs of one process, one after the other. */
export class DryRuns {
  readonly #deps: RunDeps
  readonly #stop = new AbortController()
  readonly #kept = new Map<string, DryRun>()
  /** The first one is under way. */
  readonly #unfinished: Unfinished[] = []
  #work: Promise<void> | null = null

  constructor(deps: RunDeps) {
    this.#deps = deps
  }

  /** @throws Failure TOO_MANY_REQUESTS when too many wait, or the same person asked for a newer one meanwhile */
  async page(question: DryRunQuestion): Promise<DryRunPage> {
    const { checks, ...run } = await this.#dryRun(question.run)
    const wanted = checks.filter(
      (check) =>
        (question.testId === null || check.testId === question.testId) &&
        (question.isSkipped === null || check.isSkipped === question.isSkipped),
    )
    const planned = checks.filter(({ isSkipped }) => !isSkipped).length
    return {
      ...run,
      planned,
      skipped: checks.length - planned,
      byTest: byTest(checks),
      reasons: reasonsOf(checks),
      roles: rolesOf(checks),
      checks: wanted.slice(question.skip, question.skip + question.limit),
      checksCount: wanted.length,
    }
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await this.#work
  }

  async #dryRun(run: PlannedRun): Promise<DryRun> {
    const key = createHash('sha256').update(JSON.stringify(run)).digest('base64')
    const known = this.#kept.get(key) ?? this.#unfinished.find((one) => one.key === key)?.ended
    if (known !== undefined) return known
    // Somebody who changes a plan no longer wants to know what it was before.
    const older = this.#unfinished.findIndex((one, at) => at > 0 && one.run.userLogin === run.userLogin)
    if (older > 0) this.#unfinished.splice(older, 1)[0]!.reject(new Failure('TOO_MANY_REQUESTS'))
    if (this.#unfinished.length > MOST_WAITING) throw new Failure('TOO_MANY_REQUESTS')
    const { promise: ended, resolve, reject } = Promise.withResolvers<DryRun>()
    this.#unfinished.push({ key, run, ended, resolve, reject })
    this.#work ??= this.#workOff()
    return ended
  }

  async #workOff(): Promise<void> {
    for (let next = this.#unfinished[0]; next !== undefined; next = this.#unfinished[0]) {
      const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(LIMIT_MS)])
      try {
        const done = await dryRun(this.#deps, next.run, signal)
        this.#keep(next.key, done)
        next.resolve(done)
      } catch (error) {
        next.reject(error)
      }
      this.#unfinished.shift()
    }
    this.#work = null
  }

  #keep(key: string, done: DryRun): void {
    this.#kept.set(key, done)
    if (this.#kept.size > MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!)
    setTimeout(() => {
      if (this.#kept.get(key) === done) this.#kept.delete(key)
    }, KEPT_MS).unref()
  }
}

function byTest(checks: readonly DryCheck[]): DryTest[] {
  const tests = new Map<string, { -readonly [Key in keyof DryTest]: DryTest[Key] }>()
  for (const { testId, isSkipped, requests, writes, seconds } of checks) {
    const known = tests.get(testId) ?? { testId, checks: 0, skipped: 0, requests: 0, writes: 0, seconds: 0 }
    tests.set(testId, known)
    known.checks++
    if (isSkipped) known.skipped++
    known.requests += requests
    known.writes += writes
    known.seconds += seconds
  }
  return [...tests.values()].sort((a, b) => b.requests - a.requests || (a.testId < b.testId ? -1 : 1))
}

function reasonsOf(checks: readonly DryCheck[]): DryReason[] {
  const reasons = new Map<string, { outcome: string; reason: string; checks: number; tests: Set<string> }>()
  for (const { outcome, reason, testId } of checks) {
    if (outcome === null || reason === null) continue
    const told = withoutAddresses(reason)
    const key = `${outcome} ${told}`
    const known = reasons.get(key) ?? { outcome, reason: told, checks: 0, tests: new Set<string>() }
    reasons.set(key, known)
    known.checks++
    known.tests.add(testId)
  }
  return [...reasons.values()]
    .map((one) => ({ ...one, tests: one.tests.size }))
    .sort((a, b) => b.checks - a.checks || (a.reason < b.reason ? -1 : 1))
}

/** A reason without the requests that it names, so that the same reason is one. */
function withoutAddresses(reason: string): string {
  const told = reason.replace(/\b[A-Z]{3,7} https?:\/\/\S+/g, 'the request')
  return told.charAt(0).toUpperCase() + told.slice(1)
}

function rolesOf(checks: readonly DryCheck[]): { role: string; checks: number }[] {
  const roles = new Map<string, number>()
  for (const { roles: acting } of checks)
    for (const role of acting) roles.set(role, (roles.get(role) ?? 0) + 1)
  return [...roles]
    .map(([role, count]) => ({ role, checks: count }))
    .sort((a, b) => b.checks - a.checks || (a.role < b.role ? -1 : 1))
}
