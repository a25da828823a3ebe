import { parseSampleMessage, writeSampleMessage } from '../src/http/index.ts'
import type { Store } from '../src/store/index.ts'

/** A message of an endpoint, as a collector sends it. */
export interface RecordedMessage {
  path: string
  method?: string
  headers?: Record<string, string>
  request?: unknown
  response?: unknown
  status?: number
  at?: number
}

/** Makes a collection; a host makes it one of a host. Returns its id. */
export async function addCollection(store: Store, id: number, name: string, host: string | null = null) {
  await store.pool.query(
    `INSERT INTO collections (id, name, host_name, kind, tags, created_at) VALUES ($1, $2, $3, $4, $5, 1)`,
    [
      id,
      name,
      host,
      host === null ? 'MANUAL' : 'HOST',
      JSON.stringify([{ keyName: 'team', value: 'agents', source: 'USER', lastUpdatedTs: 1 }]),
    ],
  )
  return id
}

/** Makes an endpoint with samples, the first one the oldest. Returns its row id. */
export async function addEndpoint(
  store: Store,
  endpoint: {
    collectionId: number
    method?: string
    url: string
    origin?: string
    isTemplate?: boolean
    accessTypes?: string[]
    mergedInto?: number
  },
  samples: RecordedMessage[] = [],
): Promise<number> {
  const { rows } = await store.pool.query<{ id: number }>(
    `INSERT INTO endpoints (collection_id, method, url, origin, is_template, access_types, merged_into, root_id,
       first_seen, last_seen, discovered_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7::bigint, coalesce($7::bigint, 0), 1, 1, 1) RETURNING id`,
    [
      endpoint.collectionId,
      endpoint.method ?? 'GET',
      endpoint.url,
      endpoint.origin ?? '',
      endpoint.isTemplate ?? false,
      endpoint.accessTypes ?? [],
      endpoint.mergedInto ?? null,
    ],
  )
  const { id } = rows[0]!
  await store.pool.query('UPDATE endpoints SET root_id = id WHERE id = $1 AND root_id = 0', [id])
  for (const [i, sample] of samples.entries()) {
    const at = sample.at ?? 1_795_000_000 + i
    const message = parseSampleMessage(
      JSON.stringify({
        method: sample.method ?? endpoint.method ?? 'GET',
        path: sample.path,
        requestHeaders: sample.headers ?? { host: 'shop.example' },
        requestPayload: sample.request === undefined ? '' : JSON.stringify(sample.request),
        statusCode: String(sample.status ?? 200),
        responseHeaders: { 'content-type': 'application/json' },
        responsePayload: JSON.stringify(sample.response ?? {}),
        time: String(at),
      }),
    )
    await store.pool.query(
      'INSERT INTO samples (endpoint_id, slot, observed_at, status, message) VALUES ($1, $2, $3, $4, $5)',
      [id, `recent:${i}`, at, sample.status ?? 200, writeSampleMessage(message)],
    )
  }
  return id
}
