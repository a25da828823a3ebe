import type { FilterWarning } from '../../contract/index.ts'
import { parseSampleMessage } from '../../http/index.ts'
import { loadTypeRules, maskUrl } from '../../inventory/index.ts'
import type { Sealer, Settings } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import {
  actorRules,
  type EventWindow,
  evaluateMessage,
  type Filter,
  FilterSet,
  findActor,
} from '../../threat/index.ts'
import { messageMask } from '../message-mask.ts'
import { actorSetup } from './actor-setup.ts'
import { readSentFilter } from './sent-filter.ts'

/** What trying needs of the installation. */
interface FilterDeps {
  readonly store: Store
  readonly settings: Settings
  readonly sealer: Sealer
}

/** Samples that are looked at, in portions, and for how long. */
const MAX_CHECKED = 5_000
const PORTION = 100
const MAX_MS = 10_000
const MAX_EXAMPLES = 20
/** Looks before the first one that is measured, and for how long: the first compile what live traffic finds compiled. */
const WARMING_LOOKS = 40
const WARMING_MS = 250

interface SampleRow {
  readonly id: number
  readonly collectionId: number
  readonly message: string
}

/** A filter to be tried, and the stored messages that it is tried on. */
export interface FilterTrial {
  readonly content: string
  readonly window: EventWindow
  /** Collections that the caller may see; null for all. */
  readonly collectionIds: readonly number[] | null
}

/** What a filter would have found. */
export interface TriedFilter {
  readonly checked: number
  readonly matched: number
  readonly missed: number
  readonly truncated: number
  readonly microsecondsPerMessage: number
  readonly examples: Example[]
  readonly warnings: FilterWarning[]
}

/**
 * Tries a filter on stored messages. To be called in the thread of test runs: it works for seconds.
 *
 * @throws Failure as `readSentFilter` does
 */
export async function tryFilter(deps: FilterDeps, trial: FilterTrial): Promise<TriedFilter> {
  const { filter, warnings } = readSentFilter(trial.content)
  const look = await looker(deps, filter)
  const until = performance.now() + MAX_MS
  const found = { checked: 0, matched: 0, truncated: 0, microseconds: 0 }
  const examples: Example[] = []
  let before = Number.MAX_SAFE_INTEGER
  while (found.checked < MAX_CHECKED && performance.now() < until) {
    const rows = await samplesBefore(deps.store, trial, before)
    if (found.checked === 0) warmUp(look, rows)
    for (const row of rows) {
      const result = look(row)
      found.checked++
      found.microseconds += result.microseconds
      if (result.isTruncated) found.truncated++
      if (result.example === null) continue
      found.matched++
      if (examples.length < MAX_EXAMPLES) examples.push(result.example())
    }
    if (rows.length < PORTION) break
    before = rows.at(-1)!.id
  }
  const { checked, matched, truncated, microseconds } = found
  return {
    checked,
    matched,
    missed: checked - matched,
    truncated,
    microsecondsPerMessage: checked === 0 ? 0 : Math.round(microseconds / checked),
    examples,
    warnings,
  }
}

function warmUp(look: (row: SampleRow) => Looked, rows: readonly SampleRow[]): void {
  const until = performance.now() + WARMING_MS
  for (let i = 0; i < WARMING_LOOKS && rows.length > 0 && performance.now() < until; i++)
    look(rows[i % rows.length]!)
}

interface Example {
  apiCollectionId: number
  method: string
  url: string
  timestamp: number
  location: string
  phrase: string
}

interface Looked {
  readonly microseconds: number
  readonly isTruncated: boolean
  readonly example: (() => Example) | null
}

/** Looks at one sample with this filter only. */
async function looker(
  { store, settings, sealer }: FilterDeps,
  filter: Filter,
): Promise<(row: SampleRow) => Looked> {
  const rules = actorRules(await actorSetup(store.pool, settings, sealer))
  const types = await loadTypeRules(store)
  const masked = await messageMask(store)
  // What labels other filters' events is tried like one that makes events.
  const set = new FilterSet([{ ...filter, role: 'event' }])
  return ({ message, collectionId }) => {
    const exchange = parseSampleMessage(message)
    const actor = findActor(exchange, rules)
    const begun = performance.now()
    const verdict = evaluateMessage(set, {
      exchange,
      actorAddress: actor?.ip ?? '',
      country: actor?.country ?? '',
      collectionId,
    })
    const microseconds = (performance.now() - begun) * 1000
    const [hit] = verdict.hits
    const evidence = hit?.evidence[0]
    const { method, target } = exchange.request
    const example = () => ({
      apiCollectionId: collectionId,
      method,
      url: maskUrl(target, types),
      timestamp: exchange.at,
      location: evidence?.location ?? '',
      phrase: masked({ message, phrases: [evidence?.phrase ?? ''] }).phrases[0]!,
    })
    return { microseconds, isTruncated: verdict.isTruncated, example: hit === undefined ? null : example }
  }
}

async function samplesBefore(
  store: Store,
  { window: { from, to }, collectionIds }: FilterTrial,
  before: number,
): Promise<SampleRow[]> {
  const { rows } = await store.pool.query<SampleRow>(
    `SELECT s.id, e.collection_id AS "collectionId", s.message FROM samples s JOIN endpoints e ON e.id = s.endpoint_id
     WHERE s.id < $1 AND s.observed_at BETWEEN $2 AND $3
       AND ($4::integer[] IS NULL OR e.collection_id = ANY ($4)) ORDER BY s.id DESC LIMIT $5`,
    [before, from, to, collectionIds, PORTION],
  )
  return rows
}
