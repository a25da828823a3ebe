import type { Queryable } from '../../store/index.ts'
import { seenCountries } from '../actors/count-actors.ts'
import { facetsOf } from './event-filter.ts'
import { ALWAYS, cutWindow, type EventWindow } from './event-window.ts'
import { Statement } from './statement.ts'

/** Values of each kind that people choose from. */
const MAX_CHOICES = 1_000

/** What malicious events can be filtered by: distinct values, ascending. */
interface EventChoices {
  readonly actors: readonly string[]
  /** Of filters that still exist. */
  readonly filterIds: readonly string[]
  readonly urls: readonly string[]
  readonly hosts: readonly string[]
}

/** What actors can be filtered by. */
interface ActorChoices {
  readonly actors: readonly string[]
  readonly filterIds: readonly string[]
  readonly countries: readonly string[]
  readonly hosts: readonly string[]
}

async function valuesOf(db: Queryable, statement: Statement, text: string): Promise<string[]> {
  const { rows } = await db.query<{ value: string }>(
    `${text} ORDER BY value LIMIT ${statement.put(MAX_CHOICES)}`,
    statement.values,
  )
  return rows.map(({ value }) => value)
}

/** Facets that the caller may see, as a list of ids. */
function seenFacets(visible: readonly number[], statement: Statement): string {
  return `ARRAY(SELECT f.id FROM threat_facets f
    WHERE f.collection_id = ANY (${statement.put(visible)}::integer[]))`
}

/** Choices for a list of events. A value whose first and last event enclose the window may have none inside it. */
export async function eventChoices(
  db: Queryable,
  visible: readonly number[] | null,
  window: EventWindow,
): Promise<EventChoices> {
  const [actors, filterIds, urls, hosts] = await Promise.all([
    actorChoicesOf(db, visible, window),
    filterChoices(db, visible, window),
    urlChoices(db, visible, window),
    hostChoices(db, visible, window),
  ])
  return { actors, filterIds, urls, hosts }
}

/** Choices for a list of actors, of all times. */
export async function actorChoices(db: Queryable, visible: readonly number[] | null): Promise<ActorChoices> {
  const [actors, filterIds, countries, hosts] = await Promise.all([
    actorChoicesOf(db, visible, ALWAYS),
    filterChoices(db, visible, ALWAYS),
    countryChoices(db, visible),
    hostChoices(db, visible, ALWAYS),
  ])
  return { actors, filterIds, countries, hosts }
}

function actorChoicesOf(
  db: Queryable,
  visible: readonly number[] | null,
  { from, to }: EventWindow,
): Promise<string[]> {
  const statement = new Statement()
  const within = (row: string): string =>
    `${row}.last_seen >= ${statement.put(from)} AND ${row}.first_seen <= ${statement.put(to)}`
  if (visible === null)
    return valuesOf(
      db,
      statement,
      `SELECT a.actor AS value FROM threat_actors a WHERE a.events > 0 AND ${within('a')}`,
    )
  return valuesOf(
    db,
    statement,
    `SELECT a.actor AS value FROM threat_actors a WHERE a.id IN (SELECT t.actor_id FROM threat_actor_traces t
       WHERE (t.collection_id = ANY (${statement.put(visible)}::integer[])) AND ${within('t')})`,
  )
}

function filterChoices(
  db: Queryable,
  visible: readonly number[] | null,
  window: EventWindow,
): Promise<string[]> {
  const statement = new Statement()
  const exists = 'EXISTS (SELECT FROM filter_templates t WHERE t.id = k.filter_id AND NOT t.is_removed)'
  // Whole days are exact enough for a choice.
  const { days, seconds } = cutWindow(window, false)
  const first = Math.floor(window.from / 86_400)
  const last = days[0]?.[1] ?? Math.floor((seconds[0]?.[1] ?? window.to) / 86_400)
  const between = `BETWEEN ${statement.put(first)} AND ${statement.put(Math.max(first, last))}`
  const kinds =
    visible === null
      ? `SELECT c.kind_id FROM threat_daily_kinds c WHERE c.events > 0 AND c.day ${between}`
      : `SELECT f.kind_id FROM threat_daily_counts c JOIN threat_facets f ON f.id = c.facet_id
         WHERE c.events > 0 AND c.day ${between}
           AND (f.collection_id = ANY (${statement.put(visible)}::integer[]))`
  return valuesOf(
    db,
    statement,
    `SELECT DISTINCT k.filter_id AS value FROM threat_kinds k WHERE k.id IN (${kinds}) AND ${exists}`,
  )
}

async function urlChoices(
  db: Queryable,
  visible: readonly number[] | null,
  { from, to }: EventWindow,
): Promise<string[]> {
  if (visible !== null && from === 0) {
    const first = await firstUrls(db, visible, to)
    if (first.length === MAX_CHOICES) return first
  }
  const statement = new Statement()
  const seen = visible === null ? '' : `AND e.facet_id = ANY (${seenFacets(visible, statement)})`
  return valuesOf(
    db,
    statement,
    `SELECT DISTINCT e.url AS value FROM threat_events e
     WHERE e.detected_at BETWEEN ${statement.put(from)} AND ${statement.put(to)} AND e.url <> '' ${seen}`,
  )
}

/** This many events, in the order of their URLs, show all choices of somebody who sees a good part of them. */
const EVENTS_TRIED = 20_000

/** URLs of those events that the caller may see: the first of all, where they are as many as are asked for. */
async function firstUrls(db: Queryable, visible: readonly number[], to: number): Promise<string[]> {
  const facets = (await facetsOf(db, { visible })) ?? []
  const statement = new Statement()
  return valuesOf(
    db,
    statement,
    `SELECT DISTINCT e.url AS value FROM (SELECT url, facet_id FROM threat_events
       WHERE url <> '' AND detected_at <= ${statement.put(to)} ORDER BY url LIMIT ${statement.put(EVENTS_TRIED)}) e
     WHERE e.facet_id = ANY (${statement.put(facets)}::integer[])`,
  )
}

function hostChoices(
  db: Queryable,
  visible: readonly number[] | null,
  { from, to }: EventWindow,
): Promise<string[]> {
  const statement = new Statement()
  if (visible === null)
    return valuesOf(
      db,
      statement,
      `SELECT DISTINCT p.host AS value FROM threat_apis p WHERE p.events > 0 AND p.host <> ''
         AND p.last_seen >= ${statement.put(from)} AND p.first_seen <= ${statement.put(to)}`,
    )
  return valuesOf(
    db,
    statement,
    `SELECT DISTINCT f.host AS value FROM threat_facets f WHERE f.host <> '' AND f.id = ANY (${seenFacets(visible, statement)})
       AND EXISTS (SELECT FROM threat_events e WHERE e.facet_id = f.id
         AND e.detected_at BETWEEN ${statement.put(from)} AND ${statement.put(to)})`,
  )
}

async function countryChoices(db: Queryable, visible: readonly number[] | null): Promise<string[]> {
  const statement = new Statement()
  if (visible === null)
    return valuesOf(
      db,
      statement,
      'SELECT DISTINCT latest_country AS value FROM threat_actors WHERE events > 0',
    )
  const facets = (await facetsOf(db, { visible })) ?? []
  const countries = seenCountries({ visible, window: ALWAYS }, facets, statement)
  return valuesOf(db, statement, `SELECT DISTINCT country AS value FROM (${countries}) c`)
}
