import type { Exchange } from '../../http/index.ts'
import { MessageView } from '../../rules/index.ts'
import { type CarriedValue, looksLikeId } from './carried-values.ts'
import type { LookupEndpoint } from './inventory-lookups.ts'
import { singular } from './known-values.ts'

/** Texts of answers kept of one collection, and the longest answer that is read for them. */
const MAX_ISSUED = 50_000
const MAX_READ_BODY = 65_536
/** Places kept of one text. */
const MAX_PLACES = 8

/** A field of an answer, and the names in the address of its request. */
interface PlaceOfText {
  readonly key: string
  readonly resources: ReadonlySet<string>
}

/** Where answers to reads had a text that may be an identifier, by collection and text. */
export type Issued = Map<number, Map<string, PlaceOfText[]>>

/** Keeps the texts of an answer to a read: a request that carries one of them later may name what the application made. */
export function noteIssued(issued: Issued, collectionId: number, sample: Exchange): void {
  const { request, response } = sample
  if (request.method !== 'GET' || response.status !== 200 || response.body.length > MAX_READ_BODY) return
  const texts = issued.get(collectionId) ?? new Map<string, PlaceOfText[]>()
  issued.set(collectionId, texts)
  const resources = resourcesOf(request.target)
  for (const { key, value } of new MessageView(sample).responseBody.leaves) {
    if (typeof value !== 'string' || !looksLikeId(value)) continue
    const places = texts.get(value)
    if (places === undefined && texts.size < MAX_ISSUED) texts.set(value, [{ key, resources }])
    else if (places !== undefined && places.length < MAX_PLACES && !has(places, key, resources))
      places.push({ key, resources })
  }
}

function has(places: readonly PlaceOfText[], key: string, resources: ReadonlySet<string>): boolean {
  return places.some((one) => one.key === key && `${[...one.resources]}` === `${[...resources]}`)
}

/**
 * Whether the application gave out what a request carries. A field of a body that answers about the same resource merely
 * repeat under its name, such as the name of the machine in an alert, is what callers chose.
 */
export function isIssued(issued: Issued, endpoint: LookupEndpoint, carried: CarriedValue): boolean {
  const places = issued.get(endpoint.collectionId)?.get(carried.value) ?? []
  if (carried.in !== 'body') return places.length > 0
  const own = resourcesOf(endpoint.url)
  return places.some(
    ({ key, resources }) => key !== carried.key || ![...own].some((name) => resources.has(name)),
  )
}

function resourcesOf(url: string): Set<string> {
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/[?#].*$/s, '')
  return new Set(
    path
      .split('/')
      .filter((segment) => /^\p{L}[\p{L}_-]+$/u.test(segment) && !OF_INTERFACE.test(segment))
      .map(singular),
  )
}

/** Segments that addresses of all resources have. */
const OF_INTERFACE = /^(?:api|rest|v\d+|[A-Z]+)$/
