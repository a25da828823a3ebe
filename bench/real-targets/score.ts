import { fits, nameless } from './operations.ts'
import type { TableChange } from './snapshot.ts'
import type { Judgement, Target, Weakness } from './target.ts'

/** A finding of a run. */
export interface Finding {
  readonly test: string
  readonly severity: string
  /** `METHOD /path`, path parameters as `{}`. */
  readonly at: string
  readonly reason: string
}

/** A finding and what a person made of it. */
export interface JudgedFinding extends Finding {
  readonly verdict: Judgement['verdict'] | 'unjudged'
  readonly why: string
}

/** What a run on one application came to. */
export interface Score {
  readonly target: string
  readonly make: string
  readonly sound: boolean
  readonly order: readonly string[]
  /** Endpoints of the inventory. */
  readonly endpoints: number
  /** Operations of the application, and those that the inventory has. */
  readonly routes: { readonly all: number; readonly seen: number }
  readonly findings: readonly JudgedFinding[]
  /** Mistakes that the findings come from: those with the same cause, such as a setting of the host, are one issue. */
  readonly issues: number
  readonly weaknesses: { readonly found: readonly Weakness[]; readonly missed: readonly Weakness[] }
  /** Threat events on the recorded use, which is nobody's attack: severity, filter and request. */
  readonly threats: readonly string[]
  /** Null when the database cannot be read. */
  readonly damage: readonly TableChange[] | null
  readonly state: string
  readonly seconds: number
}

/** The first judgement that fits a finding counts; a documented weakness needs none. */
export function judged(finding: Finding, target: Pick<Target, 'judged' | 'weaknesses'>): JudgedFinding {
  const found = target.judged.find(({ test, at }) => fits(test, finding.test) && fits(at, finding.at))
  if (found !== undefined) return { ...finding, verdict: found.verdict, why: found.why }
  const documented = target.weaknesses.find((weakness) => shows(finding, weakness))
  if (documented !== undefined) return { ...finding, verdict: 'true', why: `documented: ${documented.name}` }
  return { ...finding, verdict: 'unjudged', why: '' }
}

/** Splits what the documentation names into what a run found and what it missed. */
export function weaknessesIn(
  findings: readonly Finding[],
  weaknesses: readonly Weakness[],
): Score['weaknesses'] {
  const isFound = (weakness: Weakness): boolean => findings.some((finding) => shows(finding, weakness))
  return {
    found: weaknesses.filter(isFound),
    missed: weaknesses.filter((weakness) => !isFound(weakness)),
  }
}

function shows({ test, at }: Finding, weakness: Weakness): boolean {
  const isThere = weakness.at === '*' || fits(nameless(weakness.at), at)
  return isThere && weakness.tests.some((pattern) => fits(pattern, test))
}

/** How many of an application's operations are in an inventory. */
export function coverage(routes: readonly string[], endpoints: readonly string[]): Score['routes'] {
  const seen = new Set(endpoints.map(nameless))
  const all = new Set(routes.map(nameless))
  return { all: all.size, seen: [...all].filter((route) => seen.has(route)).length }
}

const HEAD = [
  'Application',
  'Order',
  'Endpoints',
  'Routes seen',
  'Findings (issues)',
  'True',
  'False (HIGH or above)',
  'Debatable',
  'Unjudged',
  'Weaknesses',
  'Damage',
  'Seconds',
]

/** One row of Markdown for each run, sound applications first. */
export function table(scores: readonly Score[]): string {
  const rows = [...scores.filter(({ sound }) => sound), ...scores.filter(({ sound }) => !sound)].map(rowOf)
  return [HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function rowOf(score: Score): string[] {
  const of = (verdict: JudgedFinding['verdict']): JudgedFinding[] =>
    score.findings.filter((finding) => finding.verdict === verdict)
  const grave = of('false').filter(({ severity }) => severity === 'HIGH' || severity === 'CRITICAL')
  const { found, missed } = score.weaknesses
  return [
    `${score.target} (${score.sound ? 'sound' : 'weak'}; ${score.make})`,
    score.order.map((person) => person.slice(0, 3)).join('-'),
    String(score.endpoints),
    score.routes.all === 0 ? '-' : `${score.routes.seen} of ${score.routes.all}`,
    `${score.findings.length} (${score.issues})`,
    String(of('true').length),
    `${of('false').length} (${grave.length})`,
    String(of('debatable').length),
    String(of('unjudged').length),
    found.length + missed.length === 0 ? '-' : `${found.length} of ${found.length + missed.length}`,
    damageOf(score.damage),
    `${score.seconds.toFixed(0)}${score.state === 'COMPLETED' ? '' : ` (${score.state})`}`,
  ]
}

function damageOf(damage: Score['damage']): string {
  if (damage === null) return 'unknown'
  const sum = (of: 'added' | 'changed' | 'removed' | 'marked'): number =>
    damage.reduce((total, change) => total + change[of], 0)
  const parts = (['added', 'changed', 'removed'] as const).flatMap((of) =>
    sum(of) === 0 ? [] : [`${sum(of)} ${of}`],
  )
  const marked = sum('marked') === 0 ? '' : `; ${sum('marked')} marked as deleted`
  return `${parts.join(', ') || 'none'}${marked}`
}

/** What runs that only differ in the order of recording found differently, by finding; empty when they agree. */
export function differences(scores: readonly Score[]): readonly string[] {
  const [first, ...others] = scores
  if (first === undefined) return []
  const names = ({ findings }: Score): Set<string> => new Set(findings.map(({ test, at }) => `${test} ${at}`))
  const base = names(first)
  return others.flatMap((score) => {
    const own = names(score)
    const order = score.order.join(', ')
    return [
      ...[...own].filter((name) => !base.has(name)).map((name) => `+ ${name} (${order})`),
      ...[...base].filter((name) => !own.has(name)).map((name) => `- ${name} (${order})`),
    ]
  })
}
