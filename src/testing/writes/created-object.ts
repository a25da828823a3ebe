import { type Exchange, headerValue } from '../../http/index.ts'
import { isScalar, type JsonTree, NumberText, readTree, scalarText } from '../attempts/json-tree.ts'
import { scalarFields } from './object-state.ts'

/** Longest answer that is searched for an identifier. */
const MAX_BODY = 1024 * 1024
/** Names of identifiers. */
const IDENTIFIER = /^(?:_?id|uuid|guid|objectid|pk)$/i
/** Names of values by which some APIs address what has them. */
const HANDLE = /^(?:slug|key|code|name|username)$/i
const SLUG = /^slug$/i
const WRAPPER = /^(?:data|result|item|payload|response)$/i
/** Values that can be a path segment. */
const PLAIN = /^[A-Za-z0-9._~-]{1,128}$/
/** A list that is shorter is shown whole by every API with pages. */
const WHOLE_LIST = 10

/**
 * URLs that what a POST or a PUT to a list made may have, the likeliest first, as its answer tells; none when it made
 * nothing that can be named.
 */
export function createdUrls(exchange: Exchange): string[] {
  const { request, response } = exchange
  if (response.status < 200 || response.status > 299 || !URL.canParse(request.target)) return []
  if (request.method === 'POST') return namedUrls(exchange)
  if (request.method !== 'PUT') return []
  // What was named before is changed: by the address, or by the body.
  const isNamed = (url: string): boolean => {
    const id = url.slice(url.lastIndexOf('/') + 1)
    return new URL(request.target).pathname.endsWith(`/${id}`) || holds(readTree(request.body), id)
  }
  return namedUrls(exchange).filter((url) => !isNamed(url))
}

function holds(tree: JsonTree | undefined, text: string): boolean {
  if (tree instanceof Map) return [...tree.values()].some((value) => holds(value, text))
  if (Array.isArray(tree)) return tree.some((value) => holds(value, text))
  return tree !== undefined && isScalar(tree) && scalarText(tree) === text
}

function namedUrls({ request, response }: Exchange): string[] {
  const made = new URL(request.target)
  const parent = made.origin + made.pathname.replace(/\/$/, '')
  const location = headerValue(response.headers, 'location')
  const urls: string[] = []
  if (location !== undefined && URL.canParse(location, made.href)) {
    const url = new URL(location, made)
    // Only what lies below the address it was posted to.
    if (`${url.origin}${url.pathname}`.startsWith(`${parent}/`)) urls.push(`${url.origin}${url.pathname}`)
  }
  const record = response.body.length <= MAX_BODY ? recordIn(readTree(response.body), parent) : null
  if (record !== null) {
    const ids = identifiersOf(record, parent)
    const handles = response.status === 201 ? handlesOf(record, request.body) : { slugs: [], names: [] }
    urls.push(...addressesOf(ids, handles).map((id) => `${parent}/${id}`))
  }
  return [...new Set(urls)]
}

/** A name is the address of what has no identifier, and beside a number it may be: `/articles/old-diary` of article 7. */
function addressesOf(ids: readonly string[], { slugs, names }: Handles): readonly string[] {
  if (ids.length === 0) return [...slugs, ...names]
  return ids.every((id) => /^\d+$/.test(id)) ? [...slugs, ...ids] : ids
}

interface Handles {
  readonly slugs: readonly string[]
  readonly names: readonly string[]
}

/** Names that the request itself gave to what it made, also as a slug of one: `old-diary` for `Old diary`. */
function handlesOf(record: Map<string, JsonTree>, sent: string): Handles {
  const fields = scalarFields(readTree(sent))
  const made = new Set([...fields.values()].map(slugOf))
  const given = [...record].flatMap(([key, value]) =>
    HANDLE.test(key) && typeof value === 'string' && PLAIN.test(value) ? [{ key, value }] : [],
  )
  return {
    slugs: given.filter(({ key, value }) => SLUG.test(key) && made.has(value)).map(({ value }) => value),
    names: given.filter(({ key, value }) => fields.get(key) === value).map(({ value }) => value),
  }
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
}

/**
 * The object in an answer, or the one that `data` or the like wraps, or for a list of comments `comment`. One that stands
 * deeper may be something else, which must stay.
 */
function recordIn(tree: JsonTree | undefined, parent: string): Map<string, JsonTree> | null {
  if (!(tree instanceof Map)) return null
  if (identifiersOf(tree, parent).length > 0) return tree
  const singulars = singularsOf(lastWordsOf(parent).join(''))
  const isWrapper = (key: string): boolean => WRAPPER.test(key) || singulars.includes(plainName(key))
  const inner = [...tree].find(([key, value]) => value instanceof Map && isWrapper(key))?.[1]
  return inner instanceof Map ? inner : tree
}

/**
 * Values of the object's own identifier: `id`, or for a list of orders `orderId`; without one, `card_id` for a list of
 * credit cards, or for `versions` all that `{"version": "2"}` says, unless it is a word. That of another object is none.
 */
function identifiersOf(record: Map<string, JsonTree>, parent: string): string[] {
  const words = lastWordsOf(parent)
  const own = valuesOf(record, (key) => IDENTIFIER.test(key) || namesIdOf(key, words.join('')))
  if (own.length > 0) return own
  const ids = valuesOf(record, (key) => namesIdOf(key, words.at(-1)!))
  if (ids.length > 0 || record.size > 1) return ids
  const named = valuesOf(record, (key) => singularsOf(words.join('')).includes(plainName(key)))
  // `{"message": "sent"}` and `{"backup": "daily"}` say what became of it.
  return named.filter((value) => /\d/.test(value))
}

/** Words of the last segment of a path. */
function lastWordsOf(path: string): string[] {
  return (path.split('/').at(-1) ?? '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
}

/** Whether a field is named for the identifier of what a list has. */
function namesIdOf(key: string, list: string): boolean {
  return singularsOf(list).some((word) => plainName(key) === `${word}id`)
}

/** Whether a field is called as one of what a list has: `orderLine` of `order-lines`. */
export function isNamedForOneOf(key: string, list: string): boolean {
  return singularsOf(plainName(list)).includes(plainName(key))
}

/** What the name of a list may be for one of it. */
function singularsOf(list: string): string[] {
  return [list, list.replace(/s$/, ''), list.replace(/ies$/, 'y'), list.replace(/es$/, '')]
}

function plainName(key: string): string {
  return key.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/** A text that no two objects have. */
const UNIQUE = /^(?=.*\d)(?=.*[a-z])[\w~-]{16,128}$/i

/**
 * What the answer to a POST calls what it made, in a field called as one of a list: `{"token": …}` for `/token`. Null where
 * the request named it already, or others may have the same name.
 */
export function issuedName({ request, response }: Exchange, list: string): string | null {
  if (request.method !== 'POST' || response.status > 299 || response.body.length > MAX_BODY) return null
  const record = recordIn(readTree(response.body), list) ?? new Map<string, JsonTree>()
  const isNamed = (key: string): boolean => isNamedForOneOf(key, list.split('/').at(-1) ?? '')
  const [name] = valuesOf(record, isNamed)
  if (name === undefined || !UNIQUE.test(name)) return null
  return `${request.target} ${request.body}`.includes(name) ? null : name
}

/** Values of chosen fields that can be a path segment. */
function valuesOf(record: Map<string, JsonTree>, isChosen: (key: string) => boolean): string[] {
  return [...record].flatMap(([key, value]) => {
    const isText = typeof value === 'string' || typeof value === 'number' || value instanceof NumberText
    const text = isText && isChosen(key) ? scalarText(value) : ''
    return PLAIN.test(text) ? [text] : []
  })
}

/** An entry of a list, by its likeliest identifier. */
interface ListedItem {
  readonly id: string
  readonly record: Map<string, JsonTree>
}

/** Identifiers in the answer of a list; null when it is not a list of objects that have some. */
export function listedIds(exchange: Exchange): string[] | null {
  return itemsIn(exchange)?.map(({ id }) => id) ?? null
}

/** How deep an answer is searched for identifiers. */
const MAX_DEPTH = 3

/**
 * The entry of a list for what a request wrote, by the identifiers in its answer; null where the list has none of them,
 * 'not named' where the answer or the list has no identifiers.
 *
 * @param list the answer to the read
 */
export function entryFor(list: Exchange, write: Exchange): Map<string, JsonTree> | 'not named' | null {
  const items = isOneObject(readTree(list.response.body)) ? null : itemsIn(list)
  if (items === null || items.length === 0) return 'not named'
  const ids = write.response.body.length <= MAX_BODY ? outermostIds(readTree(write.response.body)) : []
  if (ids.length === 0) return 'not named'
  return items.find(({ id }) => ids.includes(id))?.record ?? null
}

/** Whether an answer is one object, possibly wrapped: lists in it are parts of the object. */
function isOneObject(tree: JsonTree | undefined): boolean {
  const hasId = (value: JsonTree | undefined): boolean =>
    value instanceof Map && [...value.keys()].some((key) => IDENTIFIER.test(key))
  if (!(tree instanceof Map) || hasId(tree)) return hasId(tree)
  const hasList = [...tree.values()].some(Array.isArray)
  return [...tree].some(([key, value]) => hasId(value) && (!hasList || WRAPPER.test(key)))
}

/** Identifiers that an answer has at the level where it has any: deeper ones are those of other objects. */
function outermostIds(tree: JsonTree | undefined): string[] {
  let level = [tree]
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    const records = level.filter((value) => value instanceof Map)
    const ids = records.flatMap((record) => valuesOf(record, (key) => IDENTIFIER.test(key)))
    if (ids.length > 0) return ids
    level = records.flatMap((record) => [...record.values()])
  }
  return []
}

function itemsIn({ request, response }: Exchange): ListedItem[] | null {
  if (response.status < 200 || response.status > 299 || response.body.length > MAX_BODY) return null
  const tree = readTree(response.body)
  const lists = Array.isArray(tree)
    ? [tree]
    : tree instanceof Map
      ? [...tree.values()].flatMap((value) =>
          value instanceof Map
            ? [...value.values()].filter(Array.isArray)
            : Array.isArray(value)
              ? [value]
              : [],
        )
      : []
  const [list] = lists
  if (list === undefined) return null
  const parent = request.target.replace(/[?#].*$/s, '').replace(/\/$/, '')
  const items = list.flatMap((item) => {
    const [id] = item instanceof Map ? identifiersOf(item, parent) : []
    return id === undefined ? [] : [{ id, record: item as Map<string, JsonTree> }]
  })
  return items.length === 0 && list.length > 0 ? null : items
}

/** What a lost answer left unknown: the request that made something, and the list before it. */
interface LostCreation {
  /** Body that was sent, and that of the recorded request, in JSON form. */
  readonly sent: string
  readonly recorded: string
  readonly listed: readonly string[]
  /** Milliseconds. */
  readonly sentAtMs: number
}

/**
 * Identifiers of what a list has now, had not before, and shows with the values that were sent. Nothing else may be
 * deleted, so an entry must also be new on its own: by a value that only the test sent, by its date, or because the list
 * was short enough to have been seen whole.
 */
export function createdIn(list: Exchange, { sent, recorded, listed, sentAtMs }: LostCreation): string[] {
  const known = new Set(listed)
  const fields = scalarFields(readTree(sent))
  const usual = scalarFields(readTree(recorded))
  return (itemsIn(list) ?? []).flatMap(({ id, record }) => {
    if (known.has(id)) return []
    const shown = [...fields].filter(([key]) => record.has(key))
    if (shown.length === 0 || shown.some(([key, value]) => textOf(record.get(key)) !== value)) return []
    const isMarked = shown.some(([key, value]) => value !== '' && usual.get(key) !== value)
    const isNew = [...record.values()].some((value) => momentOf(value) >= sentAtMs - 60_000)
    return isMarked || isNew || listed.length < WHOLE_LIST ? [id] : []
  })
}

function textOf(value: JsonTree | undefined): string {
  return value === undefined || !isScalar(value) ? '' : scalarText(value)
}

function momentOf(value: JsonTree): number {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ]/.test(value) ? Date.parse(value) : Number.NaN
}
