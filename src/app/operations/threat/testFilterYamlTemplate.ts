import { parseSampleMessage } from '../../../http/index.ts'
import {
  actorRules,
  evaluateMessage,
  type Filter,
  FilterSet,
  findActor,
  readWindow,
} from '../../../threat/index.ts'
import type { Call, Handler } from '../../handler.ts'
import { actorSetup } from '../../threat/actor-setup.ts'
import { readSentFilter } from './sent-filter.ts'

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

/** Tries a filter on stored messages, a portion at a time so that other calls get their turn. */
export const testFilterYamlTemplate: Handler<'testFilterYamlTemplate'> = async (input, call) => {
  const { filter, warnings } = readSentFilter(input.content)
  const look = await looker(call, filter)
  const window = readWindow(input.startTs, input.endTs)
  const until = performance.now() + MAX_MS
  const found = { checked: 0, matched: 0, truncated: 0, microseconds: 0 }
  const examples: Example[] = []
  let before = Number.MAX_SAFE_INTEGER
  while (found.checked < MAX_CHECKED && performance.now() < until) {
    const rows = await samplesBefore(call, window, before)
    if (found.checked === 0) warmUp(look, rows)
    for (const row of rows) {
      const result = look(row)
      found.checked++
      found.microseconds += result.microseconds
      if (result.isTruncated) found.truncated++
      if (result.example === null) continue
      found.matched++
      if (examples.length < MAX_EXAMPLES) examples.push(result.example)
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
  readonly example: Example | null
}

/** Looks at one sample with the filter alone. */
async function looker({ app }: Call, filter: Filter): Promise<(row: SampleRow) => Looked> {
  const rules = actorRules(await actorSetup(app.store.pool, app.settings, app.sealer))
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
    const example = hit && {
      apiCollectionId: collectionId,
      method,
      url: target,
      timestamp: exchange.at,
      location: evidence?.location ?? '',
      phrase: evidence?.phrase ?? '',
    }
    return { microseconds, isTruncated: verdict.isTruncated, example: example ?? null }
  }
}

async function samplesBefore(
  { app, caller }: Call,
  { from, to }: ReturnType<typeof readWindow>,
  before: number,
): Promise<SampleRow[]> {
  const { rows } = await app.store.pool.query<SampleRow>(
    `SELECT s.id, e.collection_id AS "collectionId", s.message FROM samples s JOIN endpoints e ON e.id = s.endpoint_id
     WHERE s.id < $1 AND s.observed_at BETWEEN $2 AND $3
       AND ($4::integer[] IS NULL OR e.collection_id = ANY ($4)) ORDER BY s.id DESC LIMIT $5`,
    [before, from, to, caller.collectionIds, PORTION],
  )
  return rows
}
