import { type TypeRules, typeRulesOf } from '../../../data-types/index.ts'
import { readSampleMessage } from '../../../http/index.ts'
import type { Store } from '../../../store/index.ts'
import { checkedDataType, type DataTypeSettings, listDataTypes } from '../../data-type-records.ts'
import { visibleTo } from '../../endpoints/endpoint-view.ts'
import type { TypeImpact, TypePlace } from '../port.ts'
import { factsOf } from './type-changes.ts'

/** Samples read at once; between two of them the engine does other work. */
const CHUNK = 50
/** Samples that are looked at, the newest first. */
const MOST_SAMPLES = 1_000

interface SampleRow {
  readonly id: number
  readonly collectionId: number
  readonly method: string
  readonly url: string
  readonly message: string
}

/**
 * Judges the newest samples by a data type as it is and as it would be, and stores nothing. Samples of redacted
 * collections hold no values and are left out.
 *
 * @param visible collections and groups the asker was granted; null = all
 * @throws Failure INVALID_DATA_TYPE_NAME, INVALID_DATA_TYPE, DATA_TYPE_FIXED
 */
export async function previewType(
  store: Store,
  settings: DataTypeSettings,
  visible: readonly number[] | null,
): Promise<TypeImpact> {
  const records = await listDataTypes(store)
  const { name } = settings
  const draft = { ...checkedDataType(settings, 'preview'), updatedAt: 0 }
  const rules = {
    before: typeRulesOf(records),
    after: typeRulesOf([...records.filter((record) => record.name !== name), draft]),
  }
  const places = new Map<string, TypePlace>()
  let samples = 0
  let before: number | null = null
  while (samples < MOST_SAMPLES) {
    const rows = await newestSamples(store, visible, before, CHUNK)
    for (const row of rows) judge(row, name, rules, places)
    samples += rows.length
    before = rows.at(-1)?.id ?? null
    if (rows.length < CHUNK) break
  }
  const isCut = samples >= MOST_SAMPLES && (await newestSamples(store, visible, before, 1)).length > 0
  return { samples, isCut, places: [...places.values()] }
}

async function newestSamples(
  store: Store,
  visible: readonly number[] | null,
  before: number | null,
  limit: number,
): Promise<SampleRow[]> {
  const { rows } = await store.pool.query<SampleRow>(
    `SELECT s.id, r.collection_id AS "collectionId", r.method, r.url, s.message
     FROM samples s JOIN endpoints m ON m.id = s.endpoint_id JOIN endpoints r ON r.id = m.root_id
     JOIN collections c ON c.id = r.collection_id
     WHERE ($1::bigint IS NULL OR s.id < $1) AND NOT c.is_redacted AND ${visibleTo('$2').replaceAll('e.', 'r.')}
     ORDER BY s.id DESC LIMIT $3`,
    [before, visible, limit],
  )
  return rows
}

function judge(
  row: SampleRow,
  name: string,
  rules: Record<'before' | 'after', TypeRules>,
  places: Map<string, TypePlace>,
): void {
  const exchange = readSampleMessage(JSON.parse(row.message))
  if (typeof exchange === 'string') return
  const { collectionId, method, url } = row
  for (const side of ['before', 'after'] as const) {
    for (const fact of factsOf(exchange, row, rules[side]).facts) {
      if (fact.type !== name || fact.kind === 'AUTH' || fact.kind === 'ACCESS') continue
      const key = [collectionId, method, url, fact.kind, fact.code, fact.name].join(' ')
      const place = places.get(key) ?? {
        ...{ collectionId, method, url, kind: fact.kind, responseCode: fact.code, name: fact.name },
        before: 'NONE',
        after: 'NONE',
      }
      place[side] = fact.isSensitive ? 'SENSITIVE' : 'FOUND'
      places.set(key, place)
    }
  }
}
