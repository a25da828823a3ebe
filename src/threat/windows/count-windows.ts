import { randomUUID } from 'node:crypto'
import { storable } from '../../kit/index.ts'
import type { StoreClient } from '../../store/index.ts'
import type { AggregationRule } from '../filters/filter.ts'
import { packWindow, unpackWindow } from './pack-window.ts'
import { logStaged, type StagedValue, type ValueStage } from './value-stage.ts'
import type { WindowRoom } from './window-room.ts'
import { spanOf, stepOf, type WindowOwner, windowKey } from './window-rule.ts'
import {
  lastUsefulStep,
  matchesOf,
  mergeValues,
  takeMatch,
  type WindowFiring,
  type WindowLimit,
  type WindowState,
} from './window-state.ts'

/** Times beside a counter are kept in steps of this many seconds, so that most changes of a row need no index. */
const TIME_GRAIN = 600

/** One hit of a filter with rules, as one of its rules counts it. `message` is whatever the caller knows it by. */
export interface WindowTouch<M> {
  readonly filterId: string
  readonly rule: AggregationRule
  /** '' where the rule counts all callers together. */
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
interface CountedWindows<M> {
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
  /** Values that were counted in memory; null for a counter that never was there. */
  staged: readonly (readonly [mark: number, step: number])[] | null
}

interface WindowRow {
  key: string
  state: Buffer
  ref_id: string
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
  const counters = await admitted(client, await unstaged(client, countersOf(touches), room, now), room)
  if (counters.length === 0) return { fired: [], references: [], late: 0 }
  const rows = await takeRows(client, counters, room, now)
  const fired: FiredWindow<M>[] = []
  const references: { refId: string; touch: WindowTouch<M> }[] = []
  const changes: Change[] = []
  let late = 0
  for (const counter of counters) {
    const row = rows.get(counter.key)!
    const state = unpackWindow(row.state)
    if (counter.staged !== null) mergeValues(state, counter.staged, counter.limit)
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
  const counters = new Map<string, Counter<M>>()
  for (const touch of touches) {
    const { filterId, rule, actor, endpoint } = touch
    const span = spanOf(rule)
    // Quicker than the key; two rules of one name differ in their span at most.
    const name = `${filterId}\0${rule.name}\0${span.steps} ${span.stepMinutes}\0${actor}\0${endpoint}`
    const known = counters.get(name)
    if (known !== undefined) {
      known.touches.push(touch)
      continue
    }
    const owner = { filterId, rule: rule.name, actor, endpoint }
    const key = windowKey(owner, span)
    const limit = {
      span,
      limit: rule.distinct?.count ?? rule.matchCount,
      countsValues: rule.distinct !== null,
    }
    counters.set(name, { key, owner, limit, touches: [touch], staged: null })
  }
  return [...counters.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** Those that are counted in the store: the others are less than half full and stay in memory, and in the log. */
async function unstaged<M>(
  client: StoreClient,
  counters: Counter<M>[],
  { stage }: WindowRoom,
  now: number,
): Promise<Counter<M>[]> {
  if (!counters.some(({ limit }) => stage.fits(limit))) return counters
  await stage.load(client, now)
  const fitting = counters.filter(({ limit }) => stage.fits(limit))
  const newest = new Map(fitting.map((counter) => [counter.key, newestStepOf(counter, now)]))
  for (const { key, limit } of fitting) stage.rest(key, newest.get(key)!, limit.span.steps)
  await findPromoted(
    client,
    stage,
    fitting.filter(({ key }) => stage.isUnsure(key, newest.get(key)!)),
    newest,
  )
  const logged: StagedValue[] = []
  for (const counter of fitting)
    if (!stage.isPromoted(counter.key)) logged.push(...noted(counter, stage, now))
  await logStaged(client, logged, now)
  return counters.filter((counter) => {
    const { key, limit } = counter
    if (!newest.has(key)) return true
    if (!stage.isPromoted(key) && stage.count(key, limit.span.steps) * 2 < limit.limit) return false
    counter.staged = stage.promote(key)
    return true
  })
}

function newestStepOf<M>({ touches, limit }: Counter<M>, now: number): number {
  return touches.reduce((newest, { at }) => Math.max(newest, stepOf(at, limit.span, now)), 0)
}

/** Once a step it is asked whether another process, or this one before it was started, has a row. */
async function findPromoted<M>(
  client: StoreClient,
  stage: ValueStage,
  counters: readonly Counter<M>[],
  newest: ReadonlyMap<string, number>,
): Promise<void> {
  if (counters.length === 0) return
  const { rows } = await client.query<{ key: string }>(
    'SELECT key FROM threat_windows WHERE key = ANY ($1::uuid[])',
    [counters.map(({ key }) => key)],
  )
  const stored = new Set(rows.map(({ key }) => plainKey(key)))
  for (const { key } of counters) stage.settle(key, newest.get(key)!, stored.has(key))
}

/**
 * Stages the values of a counter. Also what is known there goes to the log: an earlier attempt at this transaction may
 * have staged it.
 */
function noted<M>({ key, limit, touches }: Counter<M>, stage: ValueStage, now: number): StagedValue[] {
  const { span } = limit
  const steps = new Map<number, number>()
  for (const { counts, value, at } of touches)
    if (counts && value !== null) steps.set(value, Math.max(steps.get(value) ?? 0, stepOf(at, span, now)))
  return Array.from(steps, ([mark, step]) => {
    stage.add(key, step, mark, span.steps)
    return { key, step, mark }
  })
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

/**
 * Makes missing rows, then locks all in the order of keys. Rows are made first, so that nobody who holds a row waits
 * for one that is being made; only where a row vanished in between the others are held already.
 */
async function takeRows<M>(
  client: StoreClient,
  counters: readonly Counter<M>[],
  room: WindowRoom,
  now: number,
): Promise<Map<string, WindowRow>> {
  await makeRows(
    client,
    counters.filter(({ key }) => !room.isKnown(key)),
    room,
    now,
  )
  const rows = await lockRows(client, counters)
  const missing = counters.filter(({ key }) => !rows.has(key))
  if (missing.length > 0) {
    await makeRows(client, missing, room, now)
    for (const [key, row] of await lockRows(client, missing)) rows.set(key, row)
  }
  for (const { key } of counters) room.know(key)
  return rows
}

async function makeRows<M>(
  client: StoreClient,
  counters: readonly Counter<M>[],
  room: WindowRoom,
  now: number,
): Promise<void> {
  if (counters.length === 0) return
  const { rowCount } = await client.query(
    `INSERT INTO threat_windows (key, filter_id, rule, actor, endpoint, ref_id, touched_at, expires_at)
     SELECT key, filter_id, rule, actor, endpoint, ref_id, $7, $7 FROM unnest($1::uuid[], $2::text[], $3::text[],
       $4::text[], $5::text[], $6::uuid[]) AS t (key, filter_id, rule, actor, endpoint, ref_id) ORDER BY key
     ON CONFLICT (key) DO NOTHING`,
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
  room.add(rowCount ?? 0)
}

async function lockRows<M>(
  client: StoreClient,
  counters: readonly Counter<M>[],
): Promise<Map<string, WindowRow>> {
  const { rows } = await client.query<WindowRow>(
    'SELECT key, state, ref_id FROM threat_windows WHERE key = ANY ($1::uuid[]) ORDER BY key FOR NO KEY UPDATE',
    [counters.map(({ key }) => key)],
  )
  return new Map(rows.map((row) => [plainKey(row.key), row]))
}

async function writeRows(client: StoreClient, changes: readonly Change[]): Promise<void> {
  await client.query(
    `UPDATE threat_windows w SET state = c.state, ref_id = c.ref_id, is_near = c.is_near, touched_at = c.touched_at,
       expires_at = c.expires_at
     FROM unnest($1::uuid[], $2::bytea[], $3::uuid[], $4::boolean[], $5::integer[], $6::integer[])
       AS c (key, state, ref_id, is_near, touched_at, expires_at)
     WHERE w.key = c.key`,
    [
      changes.map(({ key }) => key),
      changes.map(({ state }) => state),
      changes.map(({ refId }) => refId),
      changes.map(({ isNear }) => isNear),
      changes.map(({ touchedAt }) => touchedAt),
      changes.map(({ expiresAt }) => expiresAt),
    ],
  )
}

interface Change {
  readonly key: string
  readonly state: Buffer
  readonly refId: string
  readonly isNear: boolean
  readonly touchedAt: number
  readonly expiresAt: number
}

function changeOf<M>({ key, limit }: Counter<M>, state: WindowState, refId: string, now: number): Change {
  const stepSeconds = 60 * limit.span.stepMinutes
  const ends = (lastUsefulStep(state, limit.span) + 1) * stepSeconds
  const held = limit.countsValues ? state.values.length / 2 : matchesOf(state)
  return {
    key,
    state: packWindow(state),
    refId,
    isNear: state.firedStep !== null || held * 2 >= limit.limit,
    touchedAt: now - (now % TIME_GRAIN),
    // Of times long past the end is past as well: what is imported is compared with what is imported soon after.
    expiresAt: roundUp(Math.max(ends, now + 2 * limit.span.steps * stepSeconds)),
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
