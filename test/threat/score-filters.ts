import { type LabelledRequest, labelledRequests, messageOf } from '../../bench/threat/messages.ts'
import { type Filter, FilterSet, type Hit, type ThreatMessage } from '../../src/threat/index.ts'
import { verdictOf } from './filter-cases.ts'
import { ordinaryExchanges } from './ordinary.ts'

/** Of how many requests how many raised an event. */
export interface Share {
  flagged: number
  total: number
}

/** What filters make of labelled requests. */
export interface FilterScore {
  readonly sets: ReadonlyMap<string, Share>
  /** Attacks of `gtw-attack`, by class. */
  readonly classes: ReadonlyMap<string, Share>
  /** Attacks of `evasion`, by the way they were encoded. */
  readonly techniques: ReadonlyMap<string, Share>
  readonly ordinary: Share
  /** Hits of severity HIGH or CRITICAL on ordinary messages: filter and match. */
  readonly grave: readonly string[]
  /** Requests judged wrongly: set, class, encoding, id. */
  readonly wrong: readonly string[]
}

/**
 * Judges the labelled requests and our own ordinary traffic by filters, one message at a time. Filters that count over
 * many messages are left out.
 */
export function scoreFilters(filters: readonly Filter[], requests = labelledRequests()): FilterScore {
  const set = new FilterSet(filters.filter(({ rules }) => rules.length === 0))
  const sets = new Map<string, Share>()
  const classes = new Map<string, Share>()
  const techniques = new Map<string, Share>()
  const wrong: string[] = []
  for (const request of requests) {
    const isFlagged = hitsOf(set, messageOf(request)).length > 0
    count(sets, request.set, isFlagged)
    if (request.set === 'gtw-attack') count(classes, request.category, isFlagged)
    if (request.set === 'evasion') count(techniques, request.encoder, isFlagged)
    if (isFlagged !== (request.label === 'malicious')) wrong.push(nameOf(request))
  }
  return { sets, classes, techniques, wrong, ...scoreOrdinary(set) }
}

function nameOf({ set, category, encoder, id }: LabelledRequest): string {
  return `${set} ${category} ${encoder} ${id}`
}

function scoreOrdinary(set: FilterSet): Pick<FilterScore, 'ordinary' | 'grave'> {
  const ordinary = { flagged: 0, total: 0 }
  const grave: string[] = []
  for (const exchange of ordinaryExchanges()) {
    const hits = hitsOf(set, { exchange, actorAddress: '203.0.113.7', country: '', collectionId: 1 })
    ordinary.total++
    if (hits.length > 0) ordinary.flagged++
    for (const { filter, evidence } of hits)
      if (filter.info.severity === 'HIGH' || filter.info.severity === 'CRITICAL')
        grave.push(`${filter.id}: ${evidence[0]?.phrase ?? ''}`)
  }
  return { ordinary, grave }
}

function hitsOf(set: FilterSet, message: ThreatMessage): readonly Hit[] {
  return verdictOf(set, message).hits
}

function count(shares: Map<string, Share>, key: string, isFlagged: boolean): void {
  const share = shares.get(key) ?? { flagged: 0, total: 0 }
  shares.set(key, share)
  share.total++
  if (isFlagged) share.flagged++
}

/** Share in percent; 0 of nothing. */
export function percentOf({ flagged, total }: Share): number {
  return total === 0 ? 0 : (100 * flagged) / total
}

/** The score as a text that can be compared: figures alone, no times. */
export function filterScoreText(score: FilterScore): string {
  const lines = (title: string, shares: ReadonlyMap<string, Share>): string[] => [
    title,
    ...[...shares]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(
        ([name, share]) =>
          `  ${name.padEnd(14)} ${share.flagged} of ${share.total}  ${percentOf(share).toFixed(1)} %`,
      ),
    '',
  ]
  return [
    'What the shipped filters find and flag (node bench/threat/quality.ts)',
    '',
    ...lines('requests flagged, by set', score.sets),
    ...lines('gtw-attack found, by class', score.classes),
    ...lines('evasion found, by technique', score.techniques),
    `ordinary traffic of our own: ${score.ordinary.flagged} of ${score.ordinary.total} flagged, ${score.grave.length} hits of severity HIGH or CRITICAL`,
    '',
  ].join('\n')
}
