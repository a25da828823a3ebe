import type { SearchBudget } from '../../rules/index.ts'
import { readViews } from '../views/read-views.ts'
import { distinctValues } from './distinct-value.ts'
import type { FilterSet, PlannedFilter } from './filter-set.ts'
import type { Hit, ThreatMessage, Verdict } from './hit.ts'
import { evidenceOf, holds } from './judge.ts'
import { Look } from './look.ts'

/** Longest time that one message may take, in milliseconds. */
export const MAX_MESSAGE_MS = 50

/** What was found out of messages, kept for the next one; goes with its set. */
const looks = new WeakMap<FilterSet, Look>()

/**
 * Looks at a message with all filters of a set. Waits for nothing, throws nothing for what a message holds, and takes at
 * most {@link MAX_MESSAGE_MS}; the verdict then says that it is truncated.
 */
export function evaluateMessage(set: FilterSet, message: ThreatMessage): Verdict {
  const budget: SearchBudget = { deadline: performance.now() + MAX_MESSAGE_MS, isSpent: false }
  const list = readViews(message.exchange, set.wanted)
  const look = lookOf(set)
  look.begin(message, list, budget)
  const hits: Hit[] = []
  let isSuccessfulExploit = false
  let isIgnored = false
  for (const at of concerned(set, look)) {
    const planned = set.planned[at]!
    const { role } = planned.filter
    for (const hit of hitsOf(planned, look)) {
      if (role === 'event') hits.push(hit)
      isSuccessfulExploit ||= role === 'successful-exploit'
      isIgnored ||= role === 'ignored-event'
    }
  }
  return { hits, isSuccessfulExploit, isIgnored, isTruncated: budget.isSpent || list.truncated !== 0 }
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
function concerned({ triggers }: FilterSet, { candidates }: Look): readonly number[] {
  if (candidates.met.length === 0) return triggers.always
  const all = new Set(triggers.always)
  for (const probe of candidates.met) for (const at of triggers.byProbe[probe]!) all.add(at)
  return [...all].sort((a, b) => a - b)
}

function hitsOf({ filter, parts, ignore }: PlannedFilter, look: Look): Hit[] {
  const held = parts.filter(({ plan }) => holds(plan, look))
  if (held.length === 0 || (ignore !== null && holds(ignore, look))) return []
  const values = distinctValues(filter.rules, look.message)
  return held.map(({ part, plan }) => ({
    filter,
    part,
    evidence: evidenceOf(plan, look),
    distinctValues: values,
  }))
}
