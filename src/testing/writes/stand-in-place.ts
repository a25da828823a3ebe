import { absoluteUrl, type Exchange } from '../../http/index.ts'
import { draftOf, type RequestDraft } from '../attempts/index.ts'
import type { EndpointKey } from '../run/pair-result.ts'
import { createdUrls } from './created-object.ts'

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i

function addressOf({ request }: Exchange): string {
  return absoluteUrl(request)
    .replace(/[?#].*$/s, '')
    .replace(/\/$/, '')
}

/** Whether a recorded request made something: a POST, or a PUT that was answered with a new identifier. */
function isCreation(exchange: Exchange): boolean {
  const { request, response } = exchange
  return request.method === 'POST' ? response.status < 300 : createdUrls(exchange).length > 0
}

/** A recorded object that a URL names or stands below, and a recorded request that makes such objects. */
interface StandInPlace {
  readonly recorded: string
  readonly creation: Exchange
}

/**
 * The object of a list that recorded requests add to: `POST /users` for `/users/7/orders`. Of several, the request with
 * most headers of the one that needs the object: its body may name the user whom the new object belongs to.
 */
export function standInPlace(
  start: RequestDraft,
  endpoint: EndpointKey,
  related: readonly Exchange[],
): StandInPlace | null {
  const own = new Set(start.headers.map(lineOf))
  const common = (one: Exchange): number =>
    draftOf(one).headers.filter((header) => own.has(lineOf(header))).length
  for (const { parent, id } of objectsIn(start.url, endpoint)) {
    const creations = related.filter((one) => addressOf(one) === parent && isCreation(one))
    const [creation] = creations.sort((a, b) => common(b) - common(a))
    if (creation !== undefined) return { recorded: `${parent}/${id}`, creation }
  }
  return null
}

function lineOf({ name, value }: RequestDraft['headers'][number]): string {
  return `${name.toLowerCase()}: ${value}`
}

/** The object whose identifier one recorded request gave out, and no other: `POST /users` for `/admin/promote/7`. */
export function issuedPlace(
  url: string,
  endpoint: EndpointKey,
  related: readonly Exchange[],
): StandInPlace | null {
  for (const { parent, id } of objectsIn(url, endpoint)) {
    const creations = related.filter((one) => createdUrls(one).some((made) => made.endsWith(`/${id}`)))
    const [creation] = creations
    if (creation !== undefined && new Set(creations.map(addressOf)).size === 1)
      return { recorded: `${parent}/${id}`, creation }
  }
  return null
}

/** Objects in a path, the last first: only what the inventory takes for a parameter names one, `me` does not. */
function objectsIn(url: string, endpoint: EndpointKey): { parent: string; id: string }[] {
  const origin = ORIGIN.exec(url)?.[0] ?? ''
  // A slash at the end names nothing.
  const segments = url.slice(origin.length).replace(/\/$/, '').split('/')
  const template = endpoint.url.replace(ORIGIN, '').split('/')
  const offset = segments.length - template.length
  const found: { parent: string; id: string }[] = []
  for (let at = segments.length - 1; at > 1; at--)
    if (segments[at] !== template[at - offset])
      found.push({ parent: origin + segments.slice(0, at).join('/'), id: segments[at]! })
  return found
}
