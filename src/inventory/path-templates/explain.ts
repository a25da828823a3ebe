import type { Evaluation } from './evaluation.ts'
import type { Factor } from './judge.ts'
import type { Observation } from './observation.ts'
import type { Position } from './position.ts'
import type { Rulebook } from './rulebook.ts'
import { isParamType, shapeText, splitPath } from './template.ts'

/** Why one segment is a parameter. */
export interface PositionExplanation {
  /** Index of the segment, from 0. */
  position: number
  /** Retained distinct values, strong ones included. */
  distinctValues: number
  examples: string[]
  /** Mean evidence of the folded words, in log-odds-like units; empty when the values are certain by themselves. */
  factors: Factor[]
  /** Static neighbours, the nearest ones first. */
  literalSiblings: { value: string; score: number; reason: string }[]
}

/** Why a template is one. */
export interface TemplateExplanation {
  template: string
  decidedBy: 'evidence' | 'person' | 'route' | 'budget'
  positions: PositionExplanation[]
}

const MAX_EXAMPLES = 5
const MAX_SIBLINGS = 10

/** Reads the evidence for a template out of an evaluation; null when nothing observed belongs to it. */
export function explainTemplate(
  shape: string,
  evaluation: Evaluation,
  rules: Rulebook,
  observed: readonly Observation[],
): TemplateExplanation | null {
  if (observed.length === 0) return null
  const segments = splitPath(shape)
  const positions: PositionExplanation[] = []
  let isByBudget = false
  for (const [position, verdicts] of evaluation.verdicts()) {
    const before = splitPath(position.text)
    if (segments[before.length] !== '{}' || !fits(before, segments)) continue
    if (evaluation.foldedByBudget.has(position.text)) isByBudget = true
    positions.push(explainPosition(before.length, position, verdicts, observed))
  }
  positions.sort((a, b) => a.position - b.position)
  const source = rules.sourceOf(shape)
  const template = observedText(shape, evaluation) ?? shape
  return { template, decidedBy: source ?? (isByBudget ? 'budget' : 'evidence'), positions }
}

function observedText(shape: string, evaluation: Evaluation): string | null {
  return evaluation.tree.ends().find((node) => shapeText(node.segments) === shape)?.text ?? null
}

function fits(before: readonly string[], segments: readonly string[]): boolean {
  return before.every((value, i) => value === segments[i] || (segments[i] === '{}' && isParamType(value)))
}

function explainPosition(
  index: number,
  position: Position,
  verdicts: readonly { token: string; folded: boolean; score: number; factors: readonly Factor[] }[],
  observed: readonly Observation[],
): PositionExplanation {
  const values = new Set(observed.map(({ segments }) => segments[index]!))
  const folded = verdicts.filter((verdict) => verdict.folded)
  const literal = verdicts.filter((verdict) => !verdict.folded && !values.has(verdict.token))
  const siblings = literal.map(({ token, score, factors }) => ({
    value: token,
    score,
    reason: worstOf(factors),
  }))
  for (const kid of position.kids) {
    if (kid.likeness === null)
      siblings.push({ value: kid.token, score: Number.NEGATIVE_INFINITY, reason: 'reserved' })
  }
  siblings.sort((a, b) => b.score - a.score)
  return {
    position: index,
    distinctValues: values.size,
    examples: [...values].sort().slice(0, MAX_EXAMPLES),
    factors: meanFactors(folded),
    literalSiblings: siblings.slice(0, MAX_SIBLINGS),
  }
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
