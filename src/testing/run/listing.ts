import type { Exchange } from '../../http/index.ts'
import { draftOf, type RequestDraft } from '../attempts/index.ts'
import { isGenerated } from './generated.ts'
import { belongsToAll, isGranted } from './granted.ts'
import { entriesOf, isSameObject, knownEntries, showsObject } from './list-entries.ts'
import type { EndpointKey } from './pair-result.ts'
import { hasPrivateValue } from './private-values.ts'
import type { RunMaterial } from './run-tools.ts'
import {
  isOwnOf,
  listedObjectsOf,
  listsAbove,
  listsNamedLike,
  listsOfContainers,
  segmentsOf,
} from './test-callers.ts'
import type { Listing } from './tools.ts'
import { leavesOut } from './whole-list.ts'

/** What a role was answered to a request about an object. */
interface ReadObject {
  readonly material: RunMaterial
  readonly role: string
  readonly endpoint: EndpointKey
  readonly recorded: Exchange
  readonly answer: Exchange
}

/**
 * What the lists that a role is shown tell about an object in the path of a recorded request. Identifiers of other lists
 * may be the same, such as those that each customer counts from 1: only the values of an entry show that it is the object.
 *
 * @param send sends a request of the role
 * @throws Failure a code of the sender
 */
export async function listingOf(
  read: ReadObject,
  send: (draft: RequestDraft) => Promise<Exchange>,
): Promise<Listing> {
  const { material, role, endpoint, recorded } = read
  const listing = await shownAs(read, send)
  if (listing === 'none') return (await isHidden(read, send)) ? 'hidden' : 'none'
  return isGranted(material, role, endpoint, recorded) ? 'granted' : listing
}

async function shownAs(read: ReadObject, send: (draft: RequestDraft) => Promise<Exchange>): Promise<Listing> {
  const { material, role, endpoint, recorded, answer } = read
  const { freshAnswers, lookups } = material
  let listing: Listing = 'none'
  for (const { draft, endpoint: list, id } of listsNamedLike(material, role, endpoint, recorded)) {
    const entries = entriesOf(await freshAnswers.of(list, asked(draft, role), () => send(draft)), id)
    if (entries.some((entry) => showsObject(entry, id, answer, lookups))) return 'shared'
    if (entries.length > 0) listing = showsBothTheSame(read, list) ? 'mutual' : 'named'
  }
  if (listing === 'none')
    for (const { draft, endpoint: list, id } of listsOfContainers(material, role, endpoint, recorded))
      if (entriesOf(await freshAnswers.of(list, asked(draft, role), () => send(draft)), id).length > 0)
        listing = showsBothTheSame(read, list) ? 'mutual' : 'named'
  if (hasPrivateValue(answer, lookups)) return listing === 'mutual' ? 'named' : listing
  if (endpoint.method === 'GET' && belongsToAll(material, role, endpoint, recorded)) return 'member'
  return (await isPartOfListed(read, send)) ? 'shared' : listing
}

/** Fewest objects, and share of the shorter list, that two people are shown alike where all of them are shared. */
const SAME_OBJECTS = 2
const MOST_OBJECTS = 0.8

/** Whether a list was recorded showing the same objects to the owner of an object and to the role. */
function showsBothTheSame({ material, role, recorded }: ReadObject, list: EndpointKey): boolean {
  const { callers, samples } = material
  const owner = callers?.ownerOf(recorded) ?? ''
  const shown = samples
    .everyOf(list.collectionId)
    .filter(({ request, response }) => request.method === 'GET' && response.status === 200)
    .filter(({ request }) => `/${segmentsOf(request.target).join('/')}` === list.url)
  const idsOf = (some: readonly Exchange[]): Set<string> => new Set(some.flatMap(knownEntries))
  const own = idsOf(shown.filter((one) => isOwnOf(material, role, list, one)))
  const others = idsOf(shown.filter((one) => owner !== '' && callers?.ownerOf(one) === owner))
  const both = [...own].filter((id) => others.has(id)).length
  return both >= SAME_OBJECTS && both >= MOST_OBJECTS * Math.min(own.size, others.size)
}

/** Whether the answer is about a part of an object, and the list above the object has it as an entry. */
async function isPartOfListed(
  { material, role, endpoint, recorded }: ReadObject,
  send: (draft: RequestDraft) => Promise<Exchange>,
): Promise<boolean> {
  const { url } = draftOf(recorded)
  for (const { id, object, list, endpoint: key } of listedObjectsOf(material, role, endpoint, recorded)) {
    if (object.url === url) continue
    const ask = (draft: RequestDraft): Promise<Exchange> =>
      material.freshAnswers.of(key, asked(draft, role), () => send(draft))
    const entries = entriesOf(await ask(list), id)
    if (entries.length === 0) continue
    const whole = await ask(object)
    if (entries.some((entry) => isSameObject(entry, id, whole))) return true
  }
  return false
}

/** What tells requests to a list apart: who asks, and for what part of it. */
export function asked({ url, query }: RequestDraft, who: string): string {
  return `${url}?${query} for ${who}`
}

/**
 * Whether the list above an object shows it to its owner, and not to the role, each asked now. People may also read by its
 * address what their lists leave out, such as what others published: what neither changes nor deletes the object counts
 * where the answer has what people keep to themselves, or where nobody was recorded and the request was made from a
 * document.
 */
async function isHidden(
  { material, role, endpoint, recorded, answer }: ReadObject,
  send: (draft: RequestDraft) => Promise<Exchange>,
): Promise<boolean> {
  const { callers, freshAnswers, lookups } = material
  const changes = /^(?:PUT|PATCH|DELETE)$/.test(endpoint.method)
  if (!changes && !isGenerated(recorded) && !hasPrivateValue(answer, lookups)) return false
  const owner = callers?.ownerOf(recorded) ?? ''
  for (const { id, draft, ofOwner, endpoint: list } of listsAbove(material, role, endpoint, recorded)) {
    const own = await freshAnswers.of(list, asked(ofOwner, `owner ${owner}`), () => send(ofOwner))
    if (entriesOf(own, id).length === 0) continue
    const shown = await freshAnswers.of(list, asked(draft, role), () => send(draft))
    if (leavesOut(shown, own, id)) return true
  }
  return false
}
