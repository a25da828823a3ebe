import { randomUUID } from 'node:crypto'
import type { StoreClient } from '../../store/index.ts'
import type { AggregationRule } from '../filters/filter.ts'
import { storable } from '../records/event-text.ts'
import type { WindowRoom } from './window-room.ts'
import { spanOf, stepOf, type WindowOwner, type WindowSpan, windowKey } from './window-rule.ts'
import {
  lastUsefulStep,
  matchesOf,
  takeMatch,
  type WindowFiring,
  type WindowLimit,
  type WindowState,
} from './window-state.ts'

/** Times beside a counter are kept in steps of so many seconds, so that most changes of a row need no index. */
const TIME_GRAIN = 600

/** One hit of a filter with rules, as one of its rules counts it. `message` is whatever the caller knows it by. */
export interface WindowTouch<M> {
  readonly filterId: string
  readonly rule: AggregationRule
  /** '' where the rule counts whoever calls. */
  readonly actor: string
  /** '' where the rule counts wherever they call. */
  readonly endpoint: string
  /** Epoch seconds of the message. */
  readonly at: number
  readonly counts: boolean
  readonly mayFire: boolean
  /** Mark of its distinct value; null where there is none. */
  readonly value: number | null
  readonly message: M
}

/** A rule that fired. */
export interface FiredWindow<M> {
  /** The match on which it fired. */
  readonly touch: WindowTouch<M>
  /** Under which the messages that led to it are kept. */
  readonly refId: string
  readonly firing: WindowFiring
}

/** What a transaction did to counters. */
export interface CountedWindows<M> {
  readonly fired: readonly FiredWindow<M>[]
  /** Messages to keep under the refId of an event that may come. */
  readonly references: readonly { refId: string; touch: WindowTouch<M> }[]
  /** Matches whose window was over. */
  readonly late: number
}

interface Counter<M> {
  readonly key: string
  readonly owner: WindowOwner
  readonly limit: WindowLimit
  readonly touches: WindowTouch<M>[]
}

interface WindowRow {
  key: string
  bins: number[]
  distinct_values: number[]
  reference_steps: number[]
  ref_id: string
  fired_step: number | null
  is_new: boolean
}

/**
 * Counts matches in the caller's transaction, in the order given. Each counter is a row that is held until the
 * transaction ends, and rows are taken in the order of their keys: processes count one after the other, and none waits
 * for one that waits for it.
 */
export async function countWindows<M>(
  client: StoreClient,
  touches: readonly WindowTouch<M>[],
  room: WindowRoom,
  now: number,
): Promise<CountedWindows<M>> {
  const counters = await admitted(client, countersOf(touches), room)
  if (counters.length === 0) return { fired: [], references: [], late: 0 }
  const rows = await takeRows(client, counters, now)
  room.add(rows.filter(({ is_new }) => is_new).length)
  const byKey = new Map(rows.map((row) => [plainKey(row.key), row]))
  const fired: FiredWindow<M>[] = []
  const references: { refId: string; touch: WindowTouch<M> }[] = []
  const changes: object[] = []
  let late = 0
  for (const counter of counters) {
    const row = byKey.get(counter.key)!
    const state = stateOf(row)
    let refId = row.ref_id
    for (const touch of counter.touches) {
      const { counts, mayFire, at, value } = touch
      const step = stepOf(at, counter.limit.span, now)
      const taken = takeMatch(state, { step, at, counts, mayFire, value }, counter.limit)
      if (taken.isLate) late++
      if (taken.isReference) references.push({ refId, touch })
      if (taken.firing === null) continue
      fired.push({ touch, refId, firing: taken.firing })
      refId = randomUUID()
    }
    changes.push(changeOf(counter, state, refId, now))
  }
  await writeRows(client, changes)
  return { fired, references, late }
}

function countersOf<M>(touches: readonly WindowTouch<M>[]): Counter<M>[] {
  const spans = new Map<AggregationRule, WindowSpan>()
  const counters = new Map<string, Counter<M>>()
  for (const touch of touches) {
    const { filterId, rule, actor, endpoint } = touch
    const span = spans.get(rule) ?? spanOf(rule)
    spans.set(rule, span)
    const owner = { filterId, rule: rule.name, actor, endpoint }
    const key = windowKey(owner, span)
    const known = counters.get(key)
    if (known !== undefined) {
      known.touches.push(touch)
      continue
    }
    const limit = {
      span,
      limit: rule.distinct?.count ?? rule.matchCount,
      countsValues: rule.distinct !== null,
    }
    counters.set(key, { key, owner, limit, touches: [touch] })
  }
  return [...counters.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** Those that have a counter or get one. Asks the store first only when room is short. */
async function admitted<M>(
  client: StoreClient,
  counters: Counter<M>[],
  room: WindowRoom,
): Promise<Counter<M>[]> {
  if (counters.length <= room.free) return counters
  const { rows } = await client.query<{ key: string }>(
    'SELECT key FROM threat_windows WHERE key = ANY ($1::uuid[])',
    [counters.map(({ key }) => key)],
  )
  const known = new Set(rows.map(({ key }) => plainKey(key)))
  const strangers = counters.filter(({ key }) => !known.has(key))
  const first = strangers.slice(0, room.free)
  const familiar = strangers
    .slice(room.free)
    .filter(({ key, touches }) => room.isFamiliar(key, touches.length))
  const made = familiar.length === 0 ? 0 : await evict(client, familiar.length)
  room.evicted += made
  room.add(-made)
  const taken = new Set([...first, ...familiar.slice(0, made)])
  return counters.filter((counter) => {
    const isIn = known.has(counter.key) || taken.has(counter)
    if (!isIn) room.refused += counter.touches.length
    return isIn
  })
}

/** Removes the counters that rested longest among those that are less than half full. */
async function evict(client: StoreClient, count: number): Promise<number> {
  const { rowCount } = await client.query(
    `DELETE FROM threat_windows WHERE key IN (
       SELECT key FROM threat_windows WHERE NOT is_near ORDER BY touched_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    [count],
  )
  return rowCount ?? 0
}

/** Makes missing rows and locks all, in the order of keys. */
async function takeRows<M>(client: StoreClient, counters: readonly Counter<M>[], now: number) {
  const { rows } = await client.query<WindowRow>(
    `INSERT INTO threat_windows (key, filter_id, rule, actor, endpoint, ref_id, touched_at, expires_at)
     SELECT key, filter_id, rule, actor, endpoint, ref_id, $7, $7 FROM unnest($1::uuid[], $2::text[], $3::text[],
       $4::text[], $5::text[], $6::uuid[]) AS t (key, filter_id, rule, actor, endpoint, ref_id) ORDER BY key
     ON CONFLICT (key) DO UPDATE SET ref_id = threat_windows.ref_id
     RETURNING key, bins, distinct_values, reference_steps, ref_id, fired_step, (xmax = 0) AS is_new`,
    [
      counters.map(({ key }) => key),
      counters.map(({ owner }) => owner.filterId),
      counters.map(({ owner }) => owner.rule),
      counters.map(({ owner }) => ownerText(owner.actor)),
      counters.map(({ owner }) => ownerText(owner.endpoint)),
      counters.map(() => randomUUID()),
      now,
    ],
  )
  return rows
}

async function writeRows(client: StoreClient, changes: readonly object[]): Promise<void> {
  await client.query(
    `UPDATE threat_windows w SET bins = c.bins, distinct_values = c.distinct_values,
       reference_steps = c.reference_steps, ref_id = c.ref_id, fired_step = c.fired_step, is_near = c.is_near,
       touched_at = c.touched_at, expires_at = c.expires_at
     FROM json_to_recordset($1) AS c (key uuid, bins integer[], distinct_values bigint[], reference_steps integer[],
       ref_id uuid, fired_step integer, is_near boolean, touched_at integer, expires_at integer)
     WHERE w.key = c.key`,
    [JSON.stringify(changes)],
  )
}

function stateOf(row: WindowRow): WindowState {
  return {
    bins: row.bins,
    values: row.distinct_values.map(Number),
    references: row.reference_steps,
    firedStep: row.fired_step,
  }
}

function changeOf<M>({ key, limit }: Counter<M>, state: WindowState, refId: string, now: number): object {
  const ends = (lastUsefulStep(state, limit.span) + 1) * 60 * limit.span.stepMinutes
  const held = limit.countsValues ? state.values.length / 2 : matchesOf(state)
  return {
    key,
    bins: state.bins,
    distinct_values: state.values,
    reference_steps: state.references,
    ref_id: refId,
    fired_step: state.firedStep,
    is_near: state.firedStep !== null || held * 2 >= limit.limit,
    touched_at: now - (now % TIME_GRAIN),
    // Of times long past the end is past as well: what is imported is compared with what is imported soon after.
    expires_at: roundUp(Math.max(ends, now + 2 * limit.span.steps * 60 * limit.span.stepMinutes)),
  }
}

/** For people who look into the store; the key tells owners apart. */
function ownerText(text: string): string {
  return storable(text.slice(0, 512))
}

function roundUp(at: number): number {
  return Math.ceil(at / TIME_GRAIN) * TIME_GRAIN
}

/** As PostgreSQL writes it, without dashes. */
function plainKey(uuid: string): string {
  return uuid.replaceAll('-', '')
}
