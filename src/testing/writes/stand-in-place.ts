import { absoluteUrl, type Exchange } from '../../http/index.ts'
import { percentDecoded } from '../../kit/index.ts'
import { draftOf, type RequestDraft } from '../attempts/index.ts'
import { readTree } from '../attempts/json-tree.ts'
import type { EndpointKey } from '../run/pair-result.ts'
import { type ChosenName, fieldsOf, isAddress } from './chosen-name.ts'
import { createdUrls, issuedName } from './created-object.ts'
import { isSignedIn, isWelcome } from './sign-in.ts'

/** Last segment of an address that makes objects of the list in front of it. */
const MAKES = /^(?:create|add|new|insert|register|store)(?:[-_]?([a-z]+))?$/i
/** Lists are cut at such numbers of entries. */
const FEWEST_OF_PAGE = 10
const STEP_OF_PAGES = 5
/** Segments that say who may use an address, and nothing about what it has. */
const OF_STAFF = /\/(?:admin|administration|manage|management|staff|internal)(?=\/)/gi
/** Identifiers that objects of any kind may share: numbers and words. */
const COMMON = /^(?:\d+|\D+)$/
/** Segments that say nothing about what is below them. */
const OF_INTERFACE = /^(?:api|rest|public|internal|service|app|v\d+)?$/i
/** Segments of addresses that make users. */
const SIGN_UP = /^(?:users?|register|registration|sign-?up)$/i
/** Words of what is only done with users. */
const OF_USERS = /^(?:user|promote|demote|ban|unban|suspend|impersonate)$/
/** Names of lists: `notes`, but not `process` or `address`. */
const PLURAL = /[^s]s$/i
/** Methods that write what is at an address. */
const CHANGES = /^(?:PUT|PATCH)$/i
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
export interface StandInPlace {
  readonly recorded: string
  readonly creation: Exchange
  /** List that an object made at another address belongs to; absent where the recorded one is not of a known list. */
  readonly list?: string
  /** The creation has the address of the list and a verb. */
  readonly isByVerb?: boolean
  /** The creation chose the name by which the object is addressed. */
  readonly name?: ChosenName
  /** Names that recorded creations gave out: a new object has another one, in a field called as one of the list. */
  readonly names?: readonly string[]
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

/**
 * The object whose identifier one recorded request gave out, and no other: `POST /users` for `/admin/promote/7`. An object
 * of a list is only made by that of its name, or by a verb below it, and a function with a number acts on what its address
 * and that of the creation say alike: comment 7 says nothing about article 7, nor about the user that is promoted. What is
 * below the address of a list is another list where it is known to be added to, or where its numbers are sent fields to keep.
 *
 * @param request the recorded request that needs the object
 * @param isKnown whether an endpoint is known
 */
export function issuedPlace(
  { url, method, body }: Pick<RequestDraft, 'url' | 'method' | 'body'>,
  endpoint: EndpointKey,
  related: readonly Exchange[],
  isKnown: (method: string, url: string) => boolean,
): StandInPlace | null {
  for (const { parent, id } of objectsIn(url, endpoint)) {
    const recorded = `${parent}/${id}`
    const creations = related.filter((one) => createdUrls(one).some((made) => made.endsWith(`/${id}`)))
    const [creation] = creations
    if (creation === undefined) {
      const named = namedPlace({ parent, id }, related)
      if (named !== null) return named
    }
    if (creation === undefined || new Set(creations.map(addressOf)).size !== 1) continue
    if (!isKnown('GET', recorded) && !isKnown('DELETE', recorded) && !isKnown('GET', parent)) {
      const isList = isKnown('POST', parent) || (CHANGES.test(method) && readTree(body.text) instanceof Map)
      const paths = [pathOf(addressOf(creation)), pathOf(parent)] as const
      if (COMMON.test(id) && !isBeside(...paths) && (isList || !isBelowList(...paths))) continue
      return { recorded, creation }
    }
    const isByVerb = isMadeByVerb(addressOf(creation), parent)
    if (isByVerb || withoutStaff(addressOf(creation)) === withoutStaff(parent))
      return { recorded, creation, list: parent, isByVerb }
  }
  return null
}

/**
 * The object of a deletion whose name one recorded POST at another address chose, and that can be read: `POST /register`
 * of `ann` for `DELETE /user/ann`. Requests that sign somebody in name what was there before. That a name says the same by
 * chance shows when nothing is found under a new one. Other requests need the recorded object: a new account is not that
 * of who sends them.
 *
 * @param isKnown whether an endpoint is known
 */
export function chosenPlace(
  start: RequestDraft,
  endpoint: EndpointKey,
  related: readonly Exchange[],
  isKnown: (method: string, url: string) => boolean,
): StandInPlace | null {
  if (start.method !== 'DELETE') return null
  for (const { parent, id } of objectsIn(start.url, endpoint)) {
    const recorded = `${parent}/${id}`
    if (!isKnown('GET', recorded) || !isKnown('DELETE', recorded)) continue
    const found = related.flatMap((creation) => {
      const field = fieldNaming(creation, percentDecoded(id))
      return field === null ? [] : [{ creation, field }]
    })
    const [first] = found
    if (first === undefined || new Set(found.map(({ creation }) => addressOf(creation))).size !== 1) continue
    const name = { field: first.field, parent, deleter: start, isDeletedByName: true }
    return { recorded, creation: first.creation, name }
  }
  return null
}

/** The field by which a POST chose a name for what it made; null where it did not. */
function fieldNaming(exchange: Exchange, name: string): string | null {
  if (exchange.request.method !== 'POST' || !isWelcome(exchange)) return null
  if (isSignedIn(exchange) && !SIGN_UP.test(lastSegmentOf(addressOf(exchange)))) return null
  const fields = [...fieldsOf(draftOf(exchange))]
  return fields.find(([field, value]) => value === name && isAddress(field, value))?.[0] ?? null
}

/**
 * An object whose name only the answer to a recorded POST gave out: `POST /new_token` for `DELETE /token/x6oi…`. It must
 * be called as the list is, and have given one caller two names: what is answered alike each time is not made by it.
 */
function namedPlace(
  { parent, id }: { readonly parent: string; readonly id: string },
  related: readonly Exchange[],
): StandInPlace | null {
  const named = related.filter((one) => issuedName(one, parent) !== null)
  const creation = named.find((one) => issuedName(one, parent) === id)
  if (creation === undefined || new Set(named.map(addressOf)).size !== 1) return null
  if (!isNewOneOf(addressOf(creation), parent)) return null
  const ofCaller = named.filter((one) => callerOf(one) === callerOf(creation))
  if (new Set(ofCaller.map((one) => issuedName(one, parent))).size < 2) return null
  return {
    ...{ recorded: `${parent}/${id}`, creation, list: parent },
    names: named.flatMap((one) => issuedName(one, parent) ?? []),
  }
}

/** The list whose objects a request makes and names only in its answer, by what was recorded being deleted; null if none. */
export function listOfIssued(
  { method, url }: Pick<RequestDraft, 'method' | 'url'>,
  related: readonly Exchange[],
): Required<Pick<StandInPlace, 'list' | 'names'>> | null {
  if (method !== 'POST') return null
  for (const deletion of related) {
    if (deletion.request.method !== 'DELETE' || !isWelcome(deletion)) continue
    const [parent, id] = [aboveOf(addressOf(deletion)), lastSegmentOf(addressOf(deletion))]
    const place = namedPlace({ parent, id }, related)
    if (place !== null && addressOf(place.creation) === url.replace(/\/$/, ''))
      return { list: parent, names: place.names ?? [] }
  }
  return null
}

/** Whether an address is a list's, or beside it with a word for making in front: `/new_token` for `/token`. */
function isNewOneOf(address: string, list: string): boolean {
  const [words, of] = [wordsOf(lastSegmentOf(address)), wordsOf(lastSegmentOf(list))]
  const verb = words.slice(0, -of.length)
  return (
    aboveOf(address) === aboveOf(list) &&
    words.slice(-of.length).join(' ') === of.join(' ') &&
    verb.every((word) => MAKES.test(word))
  )
}

/** Headers of a request without those of its body: requests of one caller have the same. */
function callerOf(exchange: Exchange): string {
  return draftOf(exchange)
    .headers.filter(({ name }) => !/^content-/i.test(name))
    .map(lineOf)
    .join('\n')
}

/** Whether what a creation made is what a function below its list acts on: `/orders/cancel` for `/orders` or `/orders/new`. */
function isBelowList(creation: string, action: string): boolean {
  const above = aboveOf(action)
  if (creation !== above && !isMadeByVerb(creation, above)) return false
  return !OF_INTERFACE.test(lastSegmentOf(above)) && !PLURAL.test(lastSegmentOf(action))
}

/**
 * Whether what a creation made is what a function beside it acts on, by their names: `/approve_loan` for `/request_loan`
 * and `/promote` for `/users`. Another creation says nothing: the address 7 of `/users/addresses` is not the user 7 of
 * `/users/ban`.
 */
function isBeside(creation: string, action: string): boolean {
  if (aboveOf(creation) !== aboveOf(action)) return false
  const [made, words] = [lastSegmentOf(creation), wordsOf(lastSegmentOf(action))]
  const isOfUsers = words.some((word) => word !== 'user') && words.every((word) => OF_USERS.test(word))
  return SIGN_UP.test(made) ? isOfUsers : words.length > 1 && wordsOf(made).at(-1) === words.at(-1)
}

function aboveOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

function pathOf(address: string): string {
  return withoutStaff(address.replace(ORIGIN, ''))
}

function lastSegmentOf(address: string): string {
  return address.slice(address.lastIndexOf('/') + 1)
}

/** Words of a segment, in the singular. */
function wordsOf(segment: string): string[] {
  return segment
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .split(/[^\p{L}\p{N}]+/u)
    .map(singularOf)
    .filter((word) => word !== '')
}

function isMadeByVerb(address: string, list: string): boolean {
  if (!address.startsWith(`${list}/`)) return false
  const found = MAKES.exec(address.slice(list.length + 1))
  const thing = found?.[1]?.toLowerCase() ?? ''
  // `add-comment` below a list of articles makes no article.
  return found !== null && (thing === '' || singularOf(list.split('/').at(-1)!) === singularOf(thing))
}

function singularOf(word: string): string {
  return word.toLowerCase().replace(/ies$/, 'y').replace(/s$/, '')
}

/** Whether a URL names an object or something of it. */
export function isBelow(url: string, object: string): boolean {
  return url === object || url.startsWith(`${object}/`)
}

/** Whether a list may have further entries on other pages. */
export function mayBePage(ids: readonly string[]): boolean {
  return ids.length >= FEWEST_OF_PAGE && ids.length % STEP_OF_PAGES === 0
}

function withoutStaff(address: string): string {
  return address.replaceAll(OF_STAFF, '')
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
