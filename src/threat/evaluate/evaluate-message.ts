import type { Filter } from '../filters/filter.ts'
import { readViews } from '../views/read-views.ts'
import { distinctValues } from './distinct-value.ts'
import type { FilterSet, PlannedFilter } from './filter-set.ts'
import { type Hit, MAX_EVIDENCE, type ThreatMessage, type Verdict } from './hit.ts'
import { evidenceOf, holds, probeEvidence } from './judge.ts'
import { Look } from './look.ts'
import { MessageBudget } from './message-budget.ts'
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
  const budget = new MessageBudget(MAX_MESSAGE_MS)
  const list = readViews(message.exchange, set.wanted)
  const look = lookOf(set)
  look.begin(message, list, budget)
  const verdict = { hits: [] as Hit[], isSuccessfulExploit: false, isIgnored: false }
  for (const [at, use] of concerned(set, look)) {
    const planned = set.planned[at]!
    for (const hit of use === null ? hitsOf(planned, look, countedEvidence) : choiceHit(planned, use, look))
      note(verdict, planned.filter, hit)
  }
  return { ...verdict, isTruncated: budget.isSpent || list.truncated !== 0 }
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

/**
 * Filters that the message may concern, in the order of the set: with what was found of those that are mere choices, and
 * null for those that have to be evaluated.
 */
function concerned({ triggers }: FilterSet, look: Look): readonly (readonly [number, ProbeUse | null])[] {
  const { concerns } = look
  const found: (readonly [number, ProbeUse | null])[] = []
  concerns.begin()
  for (const at of triggers.always) if (concerns.add(at)) found.push([at, null])
  for (const probe of look.candidates.met)
    for (const { filter, places } of triggers.byProbe[probe]!) {
      if (concerns.has(filter)) continue
      if (places !== 0 && look.leafWith(probe, places) < 0) continue
      concerns.add(filter)
      found.push([filter, places === 0 ? null : { probe, places }])
    }
  return found.length < 2 ? found : found.sort(([a], [b]) => a - b)
}

function choiceHit({ filter, parts, ignore }: PlannedFilter, { probe, places }: ProbeUse, look: Look): Hit[] {
  if (ignore !== null && holds(ignore, look)) return []
  const evidence = [probeEvidence(probe, look.leafWith(probe, places), look)]
  const values = distinctValues(filter.rules, look.message)
  return [{ filter, part: parts[0]!.part, evidence, distinctValues: values }]
}

function hitsOf({ filter, parts, ignore }: PlannedFilter, look: Look, countedEvidence: number): Hit[] {
  const held = parts.filter(({ plan }) => holds(plan, look))
  if (held.length === 0 || (ignore !== null && holds(ignore, look))) return []
  const values = distinctValues(filter.rules, look.message)
  const most = filter.rules.length > 0 ? countedEvidence : MAX_EVIDENCE
  return held.map(({ part, plan }) => ({
    filter,
    part,
    evidence: evidenceOf(plan, look, most),
    distinctValues: values,
  }))
}
