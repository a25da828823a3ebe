import { Failure } from '../../kit/index.ts'
import { WorkBudget, withinBudget } from '../../rules/index.ts'
import type { Filter } from '../filters/filter.ts'
import { VIEW_BUDGET } from '../views/leaf.ts'
import { readViews } from '../views/read-views.ts'
import { distinctValues } from './distinct-value.ts'
import type { FilterSet, PlannedFilter, PlannedPart } from './filter-set.ts'
import { type Hit, MAX_EVIDENCE, type ThreatMessage, type Verdict } from './hit.ts'
import { evidenceOf, holds, probeEvidence } from './judge.ts'
import { Look } from './look.ts'
import type { ProbeUse } from './probe.ts'

/** Longest time that one message may take, in milliseconds. */
export const MAX_MESSAGE_MS = 50

/** What was found out of messages, kept for the next one; goes with its set. */
const looks = new WeakMap<FilterSet, Look>()

/**
 * Looks at a message with all filters of a set. Waits for nothing, throws nothing for what a message holds, and takes at
 * most {@link MAX_MESSAGE_MS}; the verdict then says that it is truncated.
 *
 * @param countedEvidence pieces of evidence for hits of filters with rules: where they are counted one is enough
 */
export function evaluateMessage(
  set: FilterSet,
  message: ThreatMessage,
  countedEvidence = MAX_EVIDENCE,
): Verdict {
  const budget = new WorkBudget(MAX_MESSAGE_MS)
  const look = lookOf(set)
  const list = readViews(message.exchange, set.wanted, VIEW_BUDGET, look.known)
  look.begin(message, list, budget)
  const verdict = { hits: [] as Hit[], isSuccessfulExploit: false, isIgnored: false }
  let isCut = false
  for (const at of concerned(set, look)) {
    const planned = set.planned[at]!
    const use = look.concerns.found(at)
    try {
      const hits = withinBudget(
        () => (use === null ? hitsOf(planned, look, countedEvidence) : choiceHit(planned, use, look)),
        budget,
      )
      for (const hit of hits) note(verdict, planned.filter, hit)
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'PATTERN_OVER_BUDGET') throw error
      isCut = true
    }
  }
  return { ...verdict, isTruncated: isCut || budget.isSpent || list.truncated !== 0 }
}

function note(
  verdict: { -readonly [key in keyof Verdict]?: Verdict[key] } & { hits: Hit[] },
  filter: Filter,
  hit: Hit,
): void {
  if (filter.role === 'event') verdict.hits.push(hit)
  else if (filter.role === 'successful-exploit') verdict.isSuccessfulExploit = true
  else verdict.isIgnored = true
}

function lookOf(set: FilterSet): Look {
  let look = looks.get(set)
  if (look === undefined) {
    look = new Look(set)
    looks.set(set, look)
  }
  return look
}

/** Filters that the message may concern, in the order of the set. */
function concerned({ triggers }: FilterSet, look: Look): readonly number[] {
  const { concerns } = look
  concerns.begin()
  for (const at of triggers.always) concerns.add(at, null)
  for (const probe of look.candidates.met)
    for (const concern of triggers.byProbe[probe]!) {
      const { filter, use } = concern
      if (!concerns.has(filter) && (use === null || look.leafWith(probe, use.places) >= 0))
        concerns.add(filter, use)
    }
  return concerns.sorted()
}

function choiceHit({ filter, parts, ignore }: PlannedFilter, { probe, places }: ProbeUse, look: Look): Hit[] {
  if (ignore !== null && holds(ignore, look)) return []
  const evidence = [probeEvidence(probe, look.leafWith(probe, places), look)]
  const values = distinctValues(filter.rules, look.message)
  return [{ filter, part: parts[0]!.part, evidence, distinctValues: values }]
}

function hitsOf(
  { filter, parts, ignore }: PlannedFilter,
  look: Look,
  countedEvidence: number,
): readonly Hit[] {
  if (!someHolds(parts, look)) return NONE
  const held = parts.filter(({ plan }) => holds(plan, look))
  if (ignore !== null && holds(ignore, look)) return NONE
  const values = distinctValues(filter.rules, look.message)
  const most = filter.rules.length > 0 ? countedEvidence : MAX_EVIDENCE
  return held.map(({ part, plan }) => ({
    filter,
    part,
    evidence: evidenceOf(plan, look, most),
    distinctValues: values,
  }))
}

const NONE: readonly Hit[] = []

function someHolds(parts: readonly PlannedPart[], look: Look): boolean {
  for (const { plan } of parts) if (holds(plan, look)) return true
  return false
}
