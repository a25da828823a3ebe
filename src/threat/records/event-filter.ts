import type { Queryable } from '../../store/index.ts'
import { eventUrl } from './event-text.ts'
import type { EventWindow } from './event-window.ts'
import { allOf, Statement } from './statement.ts'

/** What of an event its kind says. Null and empty lists filter nothing; everything given must fit. */
export interface KindFilter {
  readonly filterIds?: readonly string[] | null
  readonly types?: readonly string[] | null
  readonly severities?: readonly string[] | null
  readonly subCategories?: readonly string[] | null
  readonly statuses?: readonly string[] | null
  readonly isExploit?: boolean | null
  readonly label?: string | null
}

/** Which events are meant. */
export interface EventFilter extends KindFilter {
  /** Collections that the caller may see, null for all; what has no known collection is always seen. */
  readonly visible: readonly number[] | null
  readonly window: EventWindow
  readonly collectionIds?: readonly number[] | null
  readonly hosts?: readonly string[] | null
  readonly methods?: readonly string[] | null
  readonly urls?: readonly string[] | null
  /** Paths of endpoints under attack: what `urls` are without their query. */
  readonly paths?: readonly string[] | null
  /** Actors or source addresses. */
  readonly ips?: readonly string[] | null
  /** Found in filter, host or actor, without regard to case. */
  readonly searchText?: string | null
  /** Only events at this endpoint of the inventory, or at those behind its template. */
  readonly endpointId?: number | null
}

const isGiven = <T>(list: readonly T[] | null | undefined): list is readonly T[] => !!list && list.length > 0

/** Conditions on kinds `k`. */
export function kindConditions(filter: KindFilter, statement: Statement): string[] {
  const conditions: string[] = []
  const oneOf = (column: string, list: readonly string[] | null | undefined): void => {
    if (isGiven(list)) conditions.push(`k.${column} = ANY (${statement.put(list)}::text[])`)
  }
  oneOf('filter_id', filter.filterIds)
  oneOf('type', filter.types)
  oneOf('severity', filter.severities)
  oneOf('sub_category', filter.subCategories)
  oneOf('status', filter.statuses)
  if (typeof filter.isExploit === 'boolean')
    conditions.push(`k.is_exploit = ${statement.put(filter.isExploit)}`)
  if (filter.label) conditions.push(`k.label = ${statement.put(filter.label)}`)
  return conditions
}

/** Whether a filter says anything of the place, so that kinds alone cannot answer. */
export function asksPlace(filter: EventFilter): boolean {
  const { visible, collectionIds, hosts, methods } = filter
  return visible !== null || isGiven(collectionIds) || isGiven(hosts) || isGiven(methods)
}

/** Conditions on facets `f`. */
function placeConditions(filter: FacetFilter, statement: Statement): string[] {
  const conditions: string[] = []
  if (filter.visible !== null)
    conditions.push(`f.collection_id = ANY (${statement.put(filter.visible)}::integer[])`)
  if (isGiven(filter.collectionIds))
    conditions.push(`f.collection_id = ANY (${statement.put(filter.collectionIds)}::integer[])`)
  if (isGiven(filter.hosts)) conditions.push(`f.host = ANY (${statement.put(filter.hosts)}::text[])`)
  if (isGiven(filter.methods)) conditions.push(`f.method = ANY (${statement.put(filter.methods)}::text[])`)
  return conditions
}

/** Condition on facets `f` of kinds `k`. */
export function facetCondition(filter: FacetFilter, statement: Statement): string {
  return allOf([...kindConditions(filter, statement), ...placeConditions(filter, statement)])
}

/** The part of a filter that facets know. */
type FacetFilter = Omit<EventFilter, 'window' | 'urls' | 'paths' | 'ips' | 'searchText' | 'endpointId'>

/**
 * Ids of the facets that fit, null when all do. They are looked up first and given as a list: of a list that is known
 * when a statement is planned a hash is made, of one that the statement itself computes every item is compared.
 */
export async function facetsOf(db: Queryable, filter: FacetFilter): Promise<number[] | null> {
  const statement = new Statement()
  const condition = facetCondition(filter, statement)
  if (condition === 'TRUE') return null
  const { rows } = await db.query<{ id: number }>(
    `SELECT f.id FROM threat_facets f JOIN threat_kinds k ON k.id = f.kind_id WHERE ${condition}`,
    statement.values,
  )
  return rows.map(({ id }) => id)
}

/** Whether a filter says anything that facets do not know. */
export function asksMore({ urls, paths, ips, searchText, endpointId }: EventFilter): boolean {
  return [urls, paths, ips].some(isGiven) || !!searchText || typeof endpointId === 'number'
}

/** A filter whose names were looked up: every list is known when a statement is planned, so that indexes serve. */
interface LookedUpFilter {
  readonly window: EventWindow
  /** Null: all. */
  readonly facets: readonly number[] | null
  readonly urls: readonly string[] | null
  /** Ids of endpoints under attack; null for all. */
  readonly apis: readonly number[] | null
  /** Events of any of these actors, or from any of these addresses. */
  readonly sources: { readonly actors: readonly number[]; readonly ips: readonly string[] } | null
  /** Events of any of these actors or facets. */
  readonly searched: { readonly actors: readonly number[]; readonly facets: readonly number[] } | null
  readonly endpointId: number | null
}

/** Looks up what a filter names. */
export async function lookUp(db: Queryable, filter: EventFilter): Promise<LookedUpFilter> {
  return {
    window: filter.window,
    facets: await facetsOf(db, filter),
    urls: isGiven(filter.urls) ? filter.urls.map(eventUrl) : null,
    apis: isGiven(filter.paths)
      ? await idsOf(db, 'SELECT id FROM threat_apis WHERE path = ANY ($1::text[])', filter.paths)
      : null,
    sources: isGiven(filter.ips)
      ? {
          actors: await idsOf(db, 'SELECT id FROM threat_actors WHERE actor = ANY ($1::text[])', filter.ips),
          ips: filter.ips,
        }
      : null,
    searched: filter.searchText ? await search(db, filter.searchText) : null,
    endpointId: filter.endpointId ?? null,
  }
}

async function search(db: Queryable, text: string): Promise<NonNullable<LookedUpFilter['searched']>> {
  const like = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return {
    actors: await idsOf(db, 'SELECT id FROM threat_actors WHERE actor ILIKE $1', like),
    facets: await idsOf(
      db,
      `SELECT f.id FROM threat_facets f JOIN threat_kinds k ON k.id = f.kind_id
       WHERE k.filter_id ILIKE $1 OR f.host ILIKE $1`,
      like,
    ),
  }
}

async function idsOf(db: Queryable, statement: string, value: unknown): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(statement, [value])
  return rows.map(({ id }) => id)
}

/** Condition on events `e`. */
export function eventCondition(filter: LookedUpFilter, statement: Statement): string {
  const { window, facets, urls, apis, sources, searched, endpointId } = filter
  const numbers = (list: readonly number[]): string => `${statement.put(list)}::integer[]`
  const conditions = [`e.detected_at BETWEEN ${statement.put(window.from)} AND ${statement.put(window.to)}`]
  if (facets !== null) conditions.push(`e.facet_id = ANY (${numbers(facets)})`)
  if (urls !== null) conditions.push(`e.url = ANY (${statement.put(urls)}::text[])`)
  if (apis !== null) conditions.push(`e.api_id = ANY (${numbers(apis)})`)
  if (sources !== null)
    conditions.push(
      `e.actor_id = ANY (${numbers(sources.actors)}) OR (e.ip <> '' AND e.ip = ANY (${statement.put(sources.ips)}::text[]))`,
    )
  if (searched !== null)
    conditions.push(
      `e.actor_id = ANY (${numbers(searched.actors)}) OR e.facet_id = ANY (${numbers(searched.facets)})`,
    )
  if (endpointId !== null)
    conditions.push(
      `e.id IN (SELECT n.event_id FROM endpoint_attack_events n JOIN endpoints m ON m.id = n.endpoint_id
        WHERE m.root_id = ${statement.put(endpointId)})`,
    )
  return allOf(conditions)
}
