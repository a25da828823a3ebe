import type { Filter, FilterPart } from '../filters/filter.ts'
import { PLACES_OF } from '../views/leaf.ts'
import { compilePlan } from './compile-plan.ts'
import { HEADER_PLACES, leafPlacesOf, RAW_HEADERS } from './places.ts'
import { asksForMatches, choiceOf, type Plan, placesIn, triggersOf } from './plan.ts'
import { type Probe, ProbeTable, type ProbeUse } from './probe.ts'
import { QuietText } from './quiet-text.ts'
import { WordAutomaton } from './word-automaton.ts'

/** A condition of a filter, ready to be evaluated. */
export interface PlannedPart {
  readonly part: FilterPart
  readonly plan: Plan
}

/** A filter of a set. */
export interface PlannedFilter {
  readonly filter: Filter
  readonly parts: readonly PlannedPart[]
  readonly ignore: Plan | null
}

/** A filter that a probe concerns. */
interface Concern {
  /** Its position in the set. */
  readonly filter: number
  /** Where it looks for the probe; null where the filter has to be evaluated. */
  readonly use: ProbeUse | null
}

/** Which filters a message may concern, by what was met in it. */
interface Triggers {
  /** For each probe, the filters to look at where it is met. */
  readonly byProbe: readonly (readonly Concern[])[]
  /** Filters to look at on every message. */
  readonly always: readonly number[]
}

/**
 * Filters compiled together, so that one pass over a message serves them all. A set never changes: a new one is built
 * aside and takes its place by one assignment. States of patterns grow while it is used, within bounds.
 */
export class FilterSet {
  readonly planned: readonly PlannedFilter[]
  /** For the evaluator only, like everything below. */
  readonly probes: readonly Probe[]
  readonly triggers: Triggers
  readonly automaton: WordAutomaton
  /** Places that some probe looks at. */
  readonly places: number
  /** What has to be read of a message. */
  readonly wanted: number
  /** Headers in which no probe is met make no difference to any filter. */
  readonly isBlindToOtherHeaders: boolean
  /** A JSON body of a response in which it holds makes no difference to any filter; null where each has to be read. */
  readonly quietResponse: QuietText | null

  constructor(filters: readonly Filter[]) {
    const table = new ProbeTable()
    this.planned = filters.map((filter) => plannedOf(filter, table))
    this.probes = table.probes
    this.triggers = triggersFor(this.planned, this.probes)
    this.automaton = new WordAutomaton(wordsOf(this.probes))
    const named = this.planned.reduce((all, one) => all | namedPlaces(one), 0)
    this.places = this.probes.reduce((all, { places }) => all | places, 0)
    this.wanted = leafPlacesOf(this.places) | named
    this.isBlindToOtherHeaders = isBlind(this, HEADER_PLACES, RAW_HEADERS)
    this.quietResponse = quietResponseOf(this)
  }

  get filters(): readonly Filter[] {
    return this.planned.map(({ filter }) => filter)
  }
}

function plannedOf(filter: Filter, table: ProbeTable): PlannedFilter {
  const conditions = [
    ['filter', filter.condition],
    ['success', filter.successCondition],
    ['failure', filter.failureCondition],
  ] as const
  const parts = conditions.flatMap(([part, condition]): PlannedPart[] =>
    condition === null ? [] : [{ part, plan: compilePlan(condition, table) }],
  )
  const ignore = filter.ignoreCondition === null ? null : compilePlan(filter.ignoreCondition, table)
  return { filter, parts, ignore }
}

function triggersFor(planned: readonly PlannedFilter[], probes: readonly Probe[]): Triggers {
  const byProbe: Concern[][] = probes.map(() => [])
  const always: number[] = []
  for (const [at, { parts }] of planned.entries()) {
    const choice = parts.length === 1 ? choiceOf(parts[0]!.plan, probes) : null
    if (choice !== null) {
      for (const use of choice) byProbe[use.probe]!.push({ filter: at, use })
      continue
    }
    const triggers = parts.map(({ plan }) => triggersOf(plan, probes))
    if (triggers.some((one) => one === null)) {
      always.push(at)
      continue
    }
    for (const probe of new Set(triggers.flatMap((one) => one!)))
      byProbe[probe]!.push({ filter: at, use: null })
  }
  return { byProbe, always }
}

/**
 * Every word with the probes that it is in the first clause of, the rarest: only where that is met the others are looked
 * at, whose words are found as well and stand for nothing.
 */
function wordsOf(probes: readonly Probe[]): Map<string, number[]> {
  const words = new Map<string, number[]>()
  for (const { id, clauses } of probes)
    for (const [clause, alternatives] of clauses.entries())
      for (const word of alternatives) {
        const values = words.get(word) ?? []
        if (clause === 0) values.push(id)
        words.set(word, values)
      }
  return words
}

/**
 * Whether leaves of some places in which no probe is met make no difference: no probe there goes without words, the raw
 * text is not looked at as a whole, and what is asked of named values is that something is met.
 */
function isBlind(set: FilterSet, places: number, raw: number): boolean {
  const { planned, probes } = set
  if ((set.places & raw) !== 0) return false
  if (probes.some((probe) => probe.clauses.length === 0 && (probe.places & places) !== 0)) return false
  return planned.every(({ parts, ignore }) =>
    [...parts.map(({ plan }) => plan), ...(ignore === null ? [] : [ignore])].every(
      (plan) => (placesIn(plan) & places) === 0 || asksForMatches(plan, places),
    ),
  )
}

/** Its words are those of all probes for bodies of responses, and the backslash, behind which JSON may hide any of them. */
function quietResponseOf(set: FilterSet): QuietText | null {
  const places = PLACES_OF.RESPONSE_PAYLOAD_DECODED
  if (!isBlind(set, places, PLACES_OF.RESPONSE_PAYLOAD_RAW)) return null
  const looking = set.probes.filter((probe) => (probe.places & places) !== 0)
  return new QuietText(new Set(['\\', ...looking.flatMap(({ clauses }) => clauses[0]!)]))
}

/** Places that questions to named values look at, whether or not a probe does. */
function namedPlaces({ parts, ignore }: PlannedFilter): number {
  const plans = [...parts.map(({ plan }) => plan), ...(ignore === null ? [] : [ignore])]
  return plans.reduce((all, plan) => all | placesIn(plan), 0)
}
