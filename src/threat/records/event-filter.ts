import { eventUrl } from './event-text.ts'
import type { EventWindow } from './event-window.ts'
import { allOf, type Statement } from './statement.ts'

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
  /** Actors or source addresses. */
  readonly ips?: readonly string[] | null
  /** Found in filter, host or actor, without regard to case. */
  readonly searchText?: string | null
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
export function placeConditions(filter: EventFilter, statement: Statement): string[] {
  const conditions: string[] = []
  if (filter.visible !== null)
    conditions.push(
      `f.collection_id = 0 OR f.collection_id = ANY (${statement.put(filter.visible)}::integer[])`,
    )
  if (isGiven(filter.collectionIds))
    conditions.push(`f.collection_id = ANY (${statement.put(filter.collectionIds)}::integer[])`)
  if (isGiven(filter.hosts)) conditions.push(`f.host = ANY (${statement.put(filter.hosts)}::text[])`)
  if (isGiven(filter.methods)) conditions.push(`f.method = ANY (${statement.put(filter.methods)}::text[])`)
  return conditions
}

/** Condition on facets `f` of kinds `k`. */
export function facetCondition(filter: EventFilter, statement: Statement): string {
  return allOf([...kindConditions(filter, statement), ...placeConditions(filter, statement)])
}

/** Whether a filter says anything that facets do not know. */
export function asksMore({ urls, ips, searchText }: EventFilter): boolean {
  return isGiven(urls) || isGiven(ips) || !!searchText
}

/** Conditions on events `e` that facets do not know. */
export function ownConditions(filter: EventFilter, statement: Statement): string[] {
  const conditions: string[] = []
  if (isGiven(filter.urls))
    conditions.push(`e.url = ANY (${statement.put(filter.urls.map(eventUrl))}::text[])`)
  if (isGiven(filter.ips)) {
    const ips = statement.put(filter.ips)
    conditions.push(
      `e.actor_id IN (SELECT id FROM threat_actors WHERE actor = ANY (${ips}::text[])) OR (e.ip <> '' AND e.ip = ANY (${ips}::text[]))`,
    )
  }
  if (filter.searchText) {
    const like = statement.put(`%${filter.searchText.replace(/[\\%_]/g, '\\$&')}%`)
    conditions.push(
      `e.actor_id = ANY (ARRAY(SELECT id FROM threat_actors WHERE actor ILIKE ${like}))
       OR e.facet_id = ANY (ARRAY(SELECT sf.id FROM threat_facets sf JOIN threat_kinds sk ON sk.id = sf.kind_id
         WHERE sk.filter_id ILIKE ${like} OR sf.host ILIKE ${like}))`,
    )
  }
  return conditions
}
