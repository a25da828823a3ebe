import { templateWords } from '../../contract/vocabulary.ts'
import type { Exchange } from '../../http/index.ts'
import { MessageView, type Pattern, type RecordedField } from '../../rules/index.ts'
import type { FactKind, Store } from '../../store/index.ts'
import type { LookupEndpoint } from './inventory-lookups.ts'

/** Endpoints whose facts one query reads. */
const ENDPOINTS_A_QUERY = 500
/** Names kept of one collection, and values of one name. */
const MAX_NAMES = 20_000
const MAX_VALUES = 20
/** Longer values are not words of a list. */
const MAX_LENGTH = 64

/** What messages of a collection said of a name. */
interface Field {
  readonly values: Set<string>
  /** Resources whose answers have it, and those whose requests do. */
  readonly shown: Set<string>
  readonly sent: Map<string, Set<string>>
}

/** Names of fields that were recorded in the collections of a run, and what its own requests have shown. */
interface RecordedFields {
  fieldsOf(endpoint: LookupEndpoint, names: Pattern): RecordedField[]
  /** Learns from the answer to a request that was made from a document. */
  learn(endpoint: Pick<LookupEndpoint, 'collectionId' | 'url'>, exchange: Exchange): void
}

/** Reads what the inventory keeps of parameters: names at every place, and examples of their values. */
export async function loadRecordedFields(
  store: Store,
  endpoints: readonly LookupEndpoint[],
): Promise<RecordedFields> {
  const all = new Map<number, Map<string, Field>>()
  const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
  const kinds: FactKind[] = ['QUERY', 'REQUEST_BODY', 'RESPONSE_BODY']
  for (let at = 0; at < endpoints.length; at += ENDPOINTS_A_QUERY) {
    const ids = endpoints.slice(at, at + ENDPOINTS_A_QUERY).map(({ id }) => id)
    const { rows } = await store.pool.query<{ id: number; kind: FactKind; name: string; values: unknown }>(
      `SELECT m.root_id AS id, f.kind, f.name, f.detail -> 'examples' AS values
       FROM endpoint_facts f JOIN endpoints m ON m.id = f.endpoint_id
       WHERE m.root_id = ANY ($1::bigint[]) AND f.kind = ANY ($2::text[])
       ORDER BY f.last_seen DESC, f.id`,
      [ids, kinds],
    )
    for (const row of rows) {
      const { collectionId, url } = byId.get(row.id)!
      const field = fieldFor(all, collectionId, lastKeyOf(row.name))
      if (field === null) continue
      const resource = resourceOf(url)
      const isShown = row.kind === 'RESPONSE_BODY'
      const sent = field.sent.get(resource) ?? new Set<string>()
      if (isShown) field.shown.add(resource)
      else field.sent.set(resource, sent)
      for (const value of Array.isArray(row.values) ? row.values.map(String) : []) {
        if (value.length > MAX_LENGTH) continue
        if (field.values.size < MAX_VALUES) field.values.add(value)
        if (!isShown && sent.size < MAX_VALUES) sent.add(value)
      }
    }
  }
  return {
    learn({ collectionId, url }, exchange) {
      for (const { key, value } of new MessageView(exchange).responseBody.leaves) {
        const field = fieldFor(all, collectionId, key)
        field?.shown.add(resourceOf(url))
        const text = String(value)
        if (field != null && text.length <= MAX_LENGTH && field.values.size < MAX_VALUES)
          field.values.add(text)
      }
    },
    fieldsOf({ collectionId, url }, names) {
      const own = resourceOf(url)
      return [...(all.get(collectionId) ?? [])].flatMap(([name, { values, shown, sent }]) =>
        names.test(name)
          ? [
              {
                name,
                values: [...values],
                isShown: shown.has(own),
                isSent: sent.has(own),
                sentValues: [...(sent.get(own) ?? [])],
              },
            ]
          : [],
      )
    },
  }
}

function fieldFor(all: Map<number, Map<string, Field>>, collectionId: number, name: string): Field | null {
  const fields = all.get(collectionId) ?? new Map<string, Field>()
  all.set(collectionId, fields)
  const known = fields.get(name)
  if (known !== undefined || fields.size >= MAX_NAMES || name === '') return known ?? null
  const made: Field = { values: new Set(), shown: new Set(), sent: new Map() }
  fields.set(name, made)
  return made
}

/** Last name of a flattened key: `$` stands for an element of a list. */
function lastKeyOf(name: string): string {
  return name.split('#').findLast((part) => part !== '$' && part !== '') ?? name
}

/** The path of a list and of its objects alike: without parameters at its end. */
function resourceOf(url: string): string {
  const segments = url.replace(/\/$/, '').split('/')
  while (segments.length > 1 && (templateWords as readonly string[]).includes(segments.at(-1)!))
    segments.pop()
  return segments.join('/')
}
