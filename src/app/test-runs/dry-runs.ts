import { nowMs } from '../../kit/index.ts'
import { type DryCheck, type DryRun, dryRun, type PlannedRun } from './dry-run.ts'
import type { RunDeps } from './execute-run.ts'

/** How long a dry run is kept for the next pages of its list. */
const KEPT_MS = 60_000
const MOST_KEPT = 20
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

/** A dry run with one page of its checks. */
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

/** Dry runs of one process, one after the other. */
export class DryRuns {
  readonly #deps: RunDeps
  readonly #stop = new AbortController()
  readonly #kept = new Map<string, { readonly at: number; readonly run: Promise<DryRun> }>()
  #line: Promise<unknown> = Promise.resolve()

  constructor(deps: RunDeps) {
    this.#deps = deps
  }

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
    await this.#line
  }

  #dryRun(run: PlannedRun): Promise<DryRun> {
    for (const [key, { at }] of this.#kept) if (nowMs() - at > KEPT_MS) this.#kept.delete(key)
    const key = JSON.stringify(run)
    const known = this.#kept.get(key)
    if (known !== undefined) return known.run
    const made = this.#line.then(() =>
      dryRun(this.#deps, run, AbortSignal.any([this.#stop.signal, AbortSignal.timeout(LIMIT_MS)])),
    )
    this.#line = made.catch(() => this.#kept.delete(key))
    this.#kept.set(key, { at: nowMs(), run: made })
    if (this.#kept.size > MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!)
    return made
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
