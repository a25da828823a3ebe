import type { Evaluation } from './evaluation.ts'
import type { Factor, Verdict } from './judge.ts'
import type { Observation } from './observation.ts'
import type { Position } from './position.ts'
import type { Rulebook, RuleSource } from './rulebook.ts'
import { isParamType, shapeText, splitPath } from './template.ts'
import { type StrongForm, strongForm } from './token-form.ts'

/** Why one segment is a parameter. */
export interface PositionExplanation {
  /** Index of the segment, from 0. */
  position: number
  /** Who stated that a parameter stands here; null when the evidence alone decided. */
  statedBy: { source: RuleSource; by: string } | null
  /** There were too many static neighbours, so the least name-like were folded. */
  isByBudget: boolean
  /** Retained distinct values, strong ones included. */
  distinctValues: number
  examples: string[]
  /** How many of the values have each form; `word` for those that could be names. */
  forms: { form: StrongForm | 'word'; count: number }[]
  /** Mean evidence of the folded words, in log-odds-like units; empty when the values are certain on their own. */
  factors: Factor[]
  /** Static neighbours, the nearest ones first. */
  literalSiblings: { value: string; score: number; reason: string }[]
}

/** Why a template is one. */
export interface TemplateExplanation {
  template: string
  decidedBy: 'evidence' | 'person' | 'route' | 'budget'
  /** Who stated it, as the caller of the path engine named them; '' when nobody did. */
  by: string
  /** Paths whose answers had keys, and how many of these have at least half of the keys that all of them have together. */
  answers: { paths: number; alike: number; keys: number }
  positions: PositionExplanation[]
}

const MAX_EXAMPLES = 5
const MAX_SIBLINGS = 10

/** Reads the evidence for a template out of an evaluation; null when it is neither observed nor stated. */
export function explainTemplate(
  shape: string,
  evaluation: Evaluation,
  rules: Rulebook,
  observed: readonly Observation[],
): TemplateExplanation | null {
  const rule = rules.ruleOf(shape)
  if (observed.length === 0 && rule === null) return null
  const segments = splitPath(shape)
  const positions: PositionExplanation[] = []
  for (const [index, segment] of segments.entries()) {
    if (segment !== '{}') continue
    const prefix = segments.slice(0, index)
    const found = [...evaluation.verdicts()].filter(([{ text }]) => {
      const before = splitPath(text)
      return before.length === index && fits(before, prefix)
    })
    const stated = rules.ruleFrom(segments.slice(0, index + 1))
    positions.push({
      ...explainPosition(index, found, observed),
      statedBy: stated === null ? null : { source: stated.source, by: stated.by },
      isByBudget: found.some(([{ text }]) => evaluation.foldedByBudget.has(text)),
    })
  }
  const isByBudget = positions.some((position) => position.isByBudget)
  return {
    template: observedText(shape, evaluation) ?? shape,
    decidedBy: rule?.source ?? (isByBudget ? 'budget' : 'evidence'),
    by: rule?.by ?? '',
    answers: answersOf(observed),
    positions,
  }
}

function answersOf(observed: readonly Observation[]): TemplateExplanation['answers'] {
  const shapes = observed.map(({ shape }) => shape).filter((shape) => shape.length > 0)
  const keys = new Set(shapes.flat())
  const alike = shapes.filter((shape) => shape.length * 2 >= keys.size).length
  return { paths: shapes.length, alike, keys: keys.size }
}

function observedText(shape: string, evaluation: Evaluation): string | null {
  return evaluation.tree.ends().find((node) => shapeText(node.segments) === shape)?.text ?? null
}

function fits(before: readonly string[], segments: readonly string[]): boolean {
  return before.every((value, i) => value === segments[i] || (segments[i] === '{}' && isParamType(value)))
}

function explainPosition(
  index: number,
  found: readonly (readonly [Position, readonly Verdict[]])[],
  observed: readonly Observation[],
): Omit<PositionExplanation, 'statedBy' | 'isByBudget'> {
  const values = new Set(observed.map(({ segments }) => segments[index]!))
  const verdicts = found.flatMap(([, list]) => list)
  const siblings = verdicts
    .filter((verdict) => !verdict.folded && !values.has(verdict.token))
    .map(({ token, score, factors }) => ({ value: token.trimStart(), score, reason: worstOf(factors) }))
  for (const kid of found.flatMap(([position]) => position.kids)) {
    if (kid.likeness === null)
      siblings.push({ value: kid.token.trimStart(), score: Number.NEGATIVE_INFINITY, reason: 'reserved' })
  }
  siblings.sort((a, b) => b.score - a.score)
  return {
    position: index,
    distinctValues: values.size,
    examples: [...values].sort().slice(0, MAX_EXAMPLES),
    forms: formsOf(values),
    factors: meanFactors(verdicts.filter((verdict) => verdict.folded)),
    literalSiblings: siblings.slice(0, MAX_SIBLINGS),
  }
}

function formsOf(values: ReadonlySet<string>): PositionExplanation['forms'] {
  const counts = new Map<StrongForm | 'word', number>()
  for (const value of values) {
    const form = strongForm(value) ?? 'word'
    counts.set(form, (counts.get(form) ?? 0) + 1)
  }
  return [...counts].map(([form, count]) => ({ form, count })).sort((a, b) => b.count - a.count)
}

/** The piece of evidence that spoke most against a value. */
function worstOf(factors: readonly Factor[]): string {
  let worst: Factor | null = null
  for (const factor of factors) if (worst === null || factor.value < worst.value) worst = factor
  return worst === null ? 'too little evidence' : worst.name
}

function meanFactors(folded: readonly { factors: readonly Factor[] }[]): Factor[] {
  const sums = new Map<string, number>()
  for (const { factors } of folded) {
    for (const { name, value } of factors) sums.set(name, (sums.get(name) ?? 0) + value / folded.length)
  }
  return [...sums].map(([name, value]) => ({ name, value: Math.round(value * 100) / 100 }))
}
