import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import {
  type AggregationRule,
  evaluateMessage,
  type Filter,
  type FilterSet,
  type ThreatMessage,
  type Verdict,
} from '../../src/threat/index.ts'

/** Looks at a message up to so many times: patterns are cold at first, and the limit of time is one of the clock. */
const ATTEMPTS = 5

/** The verdict on a message with time enough. */
export function verdictOf(set: FilterSet, message: ThreatMessage): Verdict {
  let verdict = evaluateMessage(set, message)
  for (let i = 1; i < ATTEMPTS && verdict.isTruncated; i++) verdict = evaluateMessage(set, message)
  return verdict
}

/** A message of a case; `{n}` in target and body is the number of its repetition. */
export interface CaseStep {
  /** Method and target. */
  readonly request: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** 200 unless told otherwise. */
  readonly status?: number
  readonly response?: string
  readonly responseHeaders?: Readonly<Record<string, string>>
  /** Letters behind the response. */
  readonly responsePad?: number
  /** How often it is sent; once unless told otherwise. */
  readonly times?: number
}

/** One message, or several in `steps`, and whether the filter is to find something. */
export interface FilterCase extends Partial<CaseStep> {
  readonly name: string
  readonly expect: 'hit' | 'quiet'
  readonly steps?: readonly CaseStep[]
}

/** The cases of a file. */
export function readFilterCases(path: string): readonly FilterCase[] {
  return (parse(readFileSync(path, 'utf8')) as { cases: FilterCase[] }).cases
}

/** The messages of a case, all of one actor, a second apart. */
export function messagesOf(filterCase: FilterCase): ThreatMessage[] {
  const steps = filterCase.steps ?? [filterCase as CaseStep]
  return steps.flatMap((step) => Array.from({ length: step.times ?? 1 }, (_, n) => messageOf(step, n)))
}

function messageOf(step: CaseStep, n: number): ThreatMessage {
  const space = step.request.indexOf(' ')
  const numbered = (text: string): string => text.replaceAll('{n}', String(n))
  return {
    exchange: {
      request: {
        method: step.request.slice(0, space),
        target: numbered(step.request.slice(space + 1)),
        version: 'HTTP/1.1',
        headers: Object.entries(step.headers ?? {}).flat(),
        body: numbered(step.body ?? ''),
      },
      response: {
        status: step.status ?? 200,
        reason: '',
        headers: Object.entries(step.responseHeaders ?? {}).flat(),
        body: (step.response ?? '') + 'x'.repeat(step.responsePad ?? 0),
      },
      at: 1_800_000_000 + n,
      clientIp: '203.0.113.7',
      serverIp: '',
      source: 'OTHER',
      direction: 1,
      vxlanId: 0,
    },
    actorAddress: '203.0.113.7',
    country: '',
    collectionId: 1,
  }
}

/**
 * Whether a filter found something in verdicts that followed each other within every window: a hit, the mark it sets, or
 * a rule that fires.
 */
export function findsSomething(filter: Filter, verdicts: readonly Verdict[]): boolean {
  if (filter.role === 'successful-exploit') return verdicts.some((verdict) => verdict.isSuccessfulExploit)
  if (filter.rules.length > 0) return filter.rules.some((rule, at) => fires(rule, at, filter, verdicts))
  return verdicts.some(({ hits }) => hits.some((hit) => hit.filter.id === filter.id))
}

function fires(rule: AggregationRule, at: number, filter: Filter, verdicts: readonly Verdict[]): boolean {
  const counted: (string | null)[] = []
  for (const { hits } of verdicts) {
    const own = hits.filter((hit) => hit.filter.id === filter.id)
    for (const hit of own)
      if (rule.countedPart === null || hit.part === rule.countedPart)
        counted.push(hit.distinctValues[at] ?? null)
    const isFiring = rule.firingPart === null || own.some(({ part }) => part === rule.firingPart)
    const reached =
      rule.distinct === null
        ? counted.length >= rule.matchCount
        : new Set(counted.filter((value) => value !== null)).size >= rule.distinct.count
    if (isFiring && own.length > 0 && reached) return true
  }
  return false
}
