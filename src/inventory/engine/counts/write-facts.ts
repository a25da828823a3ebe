import type { StoreClient } from '../../../store/index.ts'
import type { Fact } from '../state/index.ts'
import { type MessageHash, packHashes } from './packed-hashes.ts'

/** Rows of one statement; larger sets are written in several. */
const CHUNK = 2000

/** Writes facts that are new or changed beside their count, with their fresh counts, and gives each its id. */
export async function writeFacts(client: StoreClient, facts: readonly Fact[]): Promise<void> {
  const sorted = [...facts].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  for (let at = 0; at < sorted.length; at += CHUNK) await writeChunk(client, sorted.slice(at, at + CHUNK))
}

async function writeChunk(client: StoreClient, facts: readonly Fact[]): Promise<void> {
  const { rows } = await client.query<{
    id: number
    endpoint_id: number
    kind: string
    response_code: number
    name: string
    value_type: string
  }>(
    `INSERT INTO endpoint_facts (endpoint_id, kind, response_code, name, value_type, count, first_seen, last_seen,
       is_sensitive, detail)
     SELECT * FROM jsonb_to_recordset($1::jsonb) AS d (endpoint_id bigint, kind text, response_code integer,
       name text, value_type text, count bigint, first_seen integer, last_seen integer, is_sensitive boolean,
       detail jsonb)
     ON CONFLICT (endpoint_id, kind, response_code, name, value_type) DO UPDATE SET
       count = endpoint_facts.count + excluded.count,
       first_seen = CASE WHEN endpoint_facts.count = 0 THEN excluded.first_seen
         ELSE least(endpoint_facts.first_seen, excluded.first_seen) END,
       last_seen = greatest(endpoint_facts.last_seen, excluded.last_seen),
       is_sensitive = endpoint_facts.is_sensitive OR excluded.is_sensitive,
       detail = coalesce(excluded.detail, endpoint_facts.detail)
     RETURNING id, endpoint_id, kind, response_code, name, value_type`,
    [
      JSON.stringify(
        facts.map((fact) => ({
          endpoint_id: fact.endpointId(),
          kind: fact.kind,
          response_code: fact.code,
          name: fact.name,
          value_type: fact.type,
          count: fact.fresh,
          first_seen: fact.firstSeen,
          last_seen: fact.lastSeen,
          is_sensitive: fact.isSensitive,
          detail: fact.detail,
        })),
      ),
    ],
  )
  const byKey = new Map(
    rows.map((row) => [
      `${row.endpoint_id} ${row.kind} ${row.response_code} ${row.value_type} ${row.name}`,
      row.id,
    ]),
  )
  for (const fact of facts) {
    const id = byKey.get(keyOf(fact))
    if (id === undefined) throw new Error(`fact was not written: ${keyOf(fact)}`)
    fact.id = id
  }
}

function keyOf(fact: Fact): string {
  return `${fact.endpointId()} ${fact.kind} ${fact.code} ${fact.type} ${fact.name}`
}

/** Writes changed examples and bounds of stored facts. */
export async function writeDetails(client: StoreClient, facts: readonly Fact[]): Promise<void> {
  for (let at = 0; at < facts.length; at += CHUNK) {
    const chunk = facts.slice(at, at + CHUNK)
    await client.query(
      `UPDATE endpoint_facts f SET detail = d.detail::jsonb
       FROM unnest($1::bigint[], $2::text[]) AS d (id, detail) WHERE f.id = d.id`,
      [chunk.map((fact) => fact.id), chunk.map((fact) => JSON.stringify(fact.detail))],
    )
  }
}

/** A message to keep in a slot of an endpoint. */
export interface SampleWrite {
  endpointId: () => number
  slot: string
  at: number
  status: number
  message: string
  isSensitive: boolean
}

/** Puts samples into their slots; the newest message of a batch wins a slot. */
export async function writeSamples(client: StoreClient, samples: readonly SampleWrite[]): Promise<void> {
  if (samples.length === 0) return
  const bySlot = new Map<string, SampleWrite>()
  for (const sample of samples) bySlot.set(`${sample.endpointId()} ${sample.slot}`, sample)
  const rows = Array.from(bySlot.entries()).sort((a, b) => (a[0] < b[0] ? -1 : 1))
  await client.query(
    `INSERT INTO samples (endpoint_id, slot, observed_at, status, message, is_sensitive)
     SELECT * FROM jsonb_to_recordset($1::jsonb) AS d (endpoint_id bigint, slot text, observed_at integer,
       status integer, message text, is_sensitive boolean)
     ON CONFLICT (endpoint_id, slot) DO UPDATE SET observed_at = excluded.observed_at,
       status = excluded.status, message = excluded.message, is_sensitive = excluded.is_sensitive, stored_at = excluded.stored_at`,
    [
      JSON.stringify(
        rows.map(([, sample]) => ({
          endpoint_id: sample.endpointId(),
          slot: sample.slot,
          observed_at: sample.at,
          status: sample.status,
          message: sample.message,
          is_sensitive: sample.isSensitive,
        })),
      ),
    ],
  )
}

/** A request to an unknown path that was refused by the server. */
export interface Probe {
  collectionId: number
  method: string
  path: string
  status: number
  count: number
  at: number
  ip: string
}

/** Adds to the ledger of probes. */
export async function writeProbes(client: StoreClient, probes: readonly Probe[]): Promise<void> {
  if (probes.length === 0) return
  await client.query(
    `INSERT INTO probes (collection_id, method, path, status, count, first_seen, last_seen, last_ip)
     SELECT d.collection_id, d.method, d.path, d.status, d.count, d.at, d.at, d.ip
     FROM jsonb_to_recordset($1::jsonb) AS d (collection_id integer, method text, path text, status integer,
       count bigint, at integer, ip text)
     ORDER BY 1, 2, 3, 4
     ON CONFLICT (collection_id, method, path, status) DO UPDATE SET count = probes.count + excluded.count,
       last_seen = greatest(probes.last_seen, excluded.last_seen), last_ip = excluded.last_ip`,
    [
      JSON.stringify(
        probes.map((probe) => ({
          collection_id: probe.collectionId,
          method: probe.method,
          path: probe.path,
          status: probe.status,
          count: probe.count,
          at: probe.at,
          ip: probe.ip,
        })),
      ),
    ],
  )
}

/** Remembers the messages of a transaction, so that a redelivery after a crash counts once. @returns the row */
export async function insertHashes(
  client: StoreClient,
  hashes: readonly MessageHash[],
  at: number,
): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    'INSERT INTO recent_messages (written_at, hashes) VALUES ($1, $2) RETURNING id',
    [at, packHashes(hashes)],
  )
  return rows[0]!.id
}
