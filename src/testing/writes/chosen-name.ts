import { absoluteUrl, type Exchange } from '../../http/index.ts'
import { percentDecoded } from '../../kit/index.ts'
import type { Lookups } from '../../rules/index.ts'
import { replaceLeaves } from '../attempts/body-edits.ts'
import { draftOf, type RequestDraft } from '../attempts/index.ts'
import { type JsonTree, readTree } from '../attempts/json-tree.ts'
import { replaceQueryParameter } from '../attempts/query-edits.ts'
import { freshText } from './fresh-values.ts'
import { scalarFields } from './object-state.ts'
import { ACCOUNT } from './sign-in.ts'
import type { WantedWrite } from './wanted-write.ts'

/** A field whose value becomes the last path segment of what a request makes. */
export interface ChosenName {
  readonly field: string
  /** URL of what is above it. */
  readonly parent: string
  /** Somebody who was recorded deleting such an object; null where nobody was. */
  readonly deleter: RequestDraft | null
  /** A recorded deletion has a recorded value of the field in its path. */
  readonly isDeletedByName: boolean
}

/** Fields whose values may be the address of what they name. */
const NAME = new RegExp(`(?:${ACCOUNT.source})|(?:slug|handle|key|code)$`, 'i')
/** Values that can be a path segment, and are not in another path by chance. */
const PLAIN = /^[A-Za-z0-9._~@-]{3,128}$/
const SECRET = /pass|pwd|secret|token|pin$/i

/**
 * The fields by which callers name what a POST makes: recorded requests below the same parent have the value that the
 * recorded POST sent in their path (`POST /users/register` with the name `ann`, and `GET /users/ann`).
 *
 * @param related recorded exchanges of the collection
 * @param isElsewhere whether a recorded deletion of that name may be below any address: `DELETE /user/ann`
 */
function chosenNames(draft: RequestDraft, related: readonly Exchange[], isElsewhere: boolean): ChosenName[] {
  const address = addressOf(draft.url)
  const found = new Map<string, ChosenName>()
  for (const creation of related) {
    if (creation.request.method !== draft.method || !isWelcome(creation)) continue
    if (addressOf(absoluteUrl(creation.request)) !== address) continue
    for (const [field, value] of fieldsOf(draftOf(creation))) {
      if (!PLAIN.test(value) || SECRET.test(field)) continue
      const parent =
        parentOf(value, address, related) ??
        (isElsewhere && isAddress(field, value) ? deletedBelow(value, related) : null)
      if (parent === null) continue
      const deletions = deletionsBelow(parent, related)
      const own = deletions.find((one) => lastSegment(one) === value)
      const deleter = own ?? deletions[0]
      const isDeletedByName = own !== undefined || found.get(`${field} ${parent}`)?.isDeletedByName === true
      found.set(`${field} ${parent}`, {
        field,
        parent,
        deleter: deleter === undefined ? null : draftOf(deleter),
        isDeletedByName,
      })
    }
  }
  return [...found.values()]
}

/** Whether the value of a field may be the address of what it names. */
export function isAddress(field: string, value: string): boolean {
  return NAME.test(field) && /\p{L}/u.test(value)
}

/** The URL above a recorded deletion of a name. */
function deletedBelow(name: string, related: readonly Exchange[]): string | null {
  const deletion = related.find(
    (one) => one.request.method === 'DELETE' && isWelcome(one) && lastSegment(one) === name,
  )
  return deletion === undefined ? null : addressOf(absoluteUrl(deletion.request)).replace(/\/[^/]*$/, '')
}

/**
 * How what a request makes gets a name, where somebody was recorded deleting such objects by it.
 * @param isElsewhere whether also below an address that is not above that of the request
 */
export function deletableName(
  { draft, endpoint, related }: Pick<WantedWrite, 'draft' | 'endpoint' | 'related'>,
  lookups: Lookups,
  isElsewhere = false,
): ChosenName | null {
  const isDeletable = (one: ChosenName): boolean => {
    const value = valueIn(draft, one)
    const url = `${one.parent}/${encodeURIComponent(`${value}-other`)}`
    return (
      value !== null &&
      one.deleter !== null &&
      (one.isDeletedByName || lookups.isKnownEndpoint(endpoint.collectionId, one.deleter.method, url))
    )
  }
  return chosenNames(draft, related, isElsewhere).find(isDeletable) ?? null
}

/** The value that a request has in a field; null when it has none that can be a path segment. */
export function valueIn(draft: RequestDraft, { field }: ChosenName): string | null {
  const value = fieldsOf(draft).get(field) ?? ''
  return PLAIN.test(value) ? value : null
}

/** The request with a value in the field that nobody has; null where its value is not the recorded one. */
export function freshlyNamed(
  draft: RequestDraft,
  start: RequestDraft,
  name: ChosenName,
): RequestDraft | null {
  const value = valueIn(draft, name)
  if (value === null || valueIn(start, name) !== value) return null
  const fresh = { ...draft }
  const text = freshText(value)
  replaceQueryParameter(fresh, name.field, () => encodeURIComponent(text))
  replaceLeaves(fresh, name.field, (old: JsonTree) => (old === value ? text : (old as never)))
  return fresh
}

/** Scalar fields of a request's query and body. */
export function fieldsOf({ body, query }: RequestDraft): Map<string, string> {
  return new Map([...new URLSearchParams(query), ...scalarFields(readTree(body.text))])
}

/** The URL above a recorded path segment with a value, where it is above the address of a creation, too. */
function parentOf(value: string, address: string, related: readonly Exchange[]): string | null {
  for (const exchange of related) {
    if (!isWelcome(exchange)) continue
    const segments = addressOf(absoluteUrl(exchange.request)).split('/')
    const at = segments.findIndex((segment, index) => index > 2 && percentDecoded(segment) === value)
    const parent = segments.slice(0, at).join('/')
    if (at > 0 && (address === parent || address.startsWith(`${parent}/`))) return parent
  }
  return null
}

function deletionsBelow(parent: string, related: readonly Exchange[]): Exchange[] {
  return related.filter(
    (one) =>
      one.request.method === 'DELETE' &&
      isWelcome(one) &&
      addressOf(absoluteUrl(one.request)).replace(/\/[^/]*$/, '') === parent,
  )
}

function lastSegment({ request }: Exchange): string {
  return percentDecoded(addressOf(absoluteUrl(request)).split('/').at(-1) ?? '')
}

function isWelcome({ response: { status } }: Exchange): boolean {
  return status >= 200 && status < 300
}

function addressOf(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/\/$/, '')
}
