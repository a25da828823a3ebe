import type { Exchange } from '../../http/index.ts'
import { type Lookups, MessageView } from '../../rules/index.ts'
import { isPrivate } from './private-values.ts'

/** Fields by which an entry of a list is called. */
export const IDENTITY = /^(?:_?id|uuid|guid|key|slug|code|name|title|handle)$/i
/** Fields that tell what kind of object it is. */
const TYPE = /^_?type$/i
/** Longest list that is read. */
export const MAX_LIST = 4_000_000

/** A value of a body, with the key and the path where it stands. */
export type Leaf = MessageView['responseBody']['leaves'][number]

/** Paths of objects: `notes/7`, `users/ann/notes/7`. A title with a slash in it is none. */
const RESOURCE_PATH = /^(?:[a-z][\w-]*\/[^/\s]+\/)*[a-z][\w-]*s\/[^/\s]+$/i

/** Whether a value is an identifier, or the path of an object that ends in it: `notes/7` for 7. */
export function isCalled(value: unknown, id: string): boolean {
  const text = String(value)
  return text === id || (text.endsWith(`/${id}`) && RESOURCE_PATH.test(text))
}

/** The entries of a list that are called by an identifier, each as the values in it. */
export function entriesOf(list: Exchange, id: string): Leaf[][] {
  const { status, body } = list.response
  if (status !== 200 || body.length > MAX_LIST) return []
  const leaves = leavesOf(list)
  const places = leaves.flatMap(({ key, path, value }) =>
    path.includes(']') && IDENTITY.test(key) && isCalled(value, id)
      ? [path.slice(0, path.lastIndexOf(']') + 1)]
      : [],
  )
  return [...new Set(places)].map((place) =>
    leaves.filter(
      ({ path }) => path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`),
    ),
  )
}

/**
 * The entries of a list that can be known again in another list, one text for each: what has a long identifier by that, what
 * users may count from 1 or call alike by all of its fields, if they tell enough. Objects within them are left out.
 */
export function knownEntries(list: Exchange): string[] {
  const fields = leavesOf(list).filter(({ key, path }) => OF_ENTRY.test(path) && !CHANGES.test(key))
  return [...Map.groupBy(fields, ({ path }) => parentOf(path)).values()].flatMap((own) => {
    const called = own.filter(({ key }) => IDENTITY.test(key))
    const unique = called.find((leaf) => ID.test(leaf.key) && isUniqueId(textOf(leaf)))
    const isTelling = called.length > 0 && tellsMore(own, textOf(called[0]!))
    const known = unique === undefined ? (isTelling ? own : []) : [unique]
    return known.length === 0 ? [] : [known.map((leaf) => `${leaf.key} ${textOf(leaf)}`).join('\n')]
  })
}

/** Identifiers that no two objects have: UUIDs that are not made of names, ObjectIds, ULIDs and Snowflake numbers. */
const UNIQUE =
  /^(?:[\da-f]{8}-?[\da-f]{4}-?[124678][\da-f]{3}-?[89ab][\da-f]{3}-?[\da-f]{12}|[\da-f]{24}|[0-7][\dA-HJKMNP-TV-Z]{25}|\d{17,19})$/i

/** Whether no other object has an identifier. */
export function isUniqueId(id: string): boolean {
  return UNIQUE.test(id)
}

const ID = /^(?:_?id|uuid|guid)$/i
/** Fields of when an object was last changed or seen. */
const CHANGES =
  /^(?:last_?)?(?:updated|modified|changed|edited|viewed|seen|accessed)(?:_?(?:at|on|date|time))?$/i

/** A field of an entry of the outermost list. */
const OF_ENTRY = /^[^[]*\[\d+\]\.[^.[]+$/

/**
 * Whether the entry of a list that is called by an identifier shows most values of an object, or most of its fields
 * without the objects in it and in its lists, and all that people keep to themselves.
 */
export function showsObject(entry: readonly Leaf[], id: string, object: Exchange, lookups: Lookups): boolean {
  const leaves = leavesOf(object)
  const listed = new Set(entry.map(textOf))
  const isListed = (leaf: Leaf): boolean => listed.has(textOf(leaf))
  return (
    [leaves, ownFields(leaves, id)].some((some) => isMost(some.filter(isListed).length, some.length)) &&
    !contradicts(entry, leaves) &&
    !leaves.some((leaf) => !isListed(leaf) && isPrivate(leaf, lookups))
  )
}

/**
 * Fields next to the identifier of an object, lists of values among them; none where it does not show it, or where they
 * tell little more of it than what it is called, because its values are wrapped: `{ "id", "type", "attributes": {} }`.
 */
function ownFields(leaves: readonly Leaf[], id: string): readonly Leaf[] {
  const own = leaves.find(({ key, value }) => IDENTITY.test(key) && isCalled(value, id))
  if (own === undefined) return []
  const fields = leaves.filter(({ path }) => parentOf(path) === parentOf(own.path))
  return tellsMore(fields, id) ? fields : []
}

/** Whether fields tell more of an object than what it is called and of what kind it is. */
function tellsMore(fields: readonly Leaf[], id: string): boolean {
  return tells(
    fields.filter(({ key }) => !TYPE.test(key)),
    id,
  )
}

function parentOf(path: string): string {
  const field = path.replace(/(?:\[[^\]]*\])+$/, '')
  return field.slice(0, Math.max(field.lastIndexOf('.'), field.lastIndexOf('['), 0))
}

/** Values beside its identifier by which an object is known again. */
const TELLING_VALUES = 3

/** Whether an object repeats most values of an entry of a list, and these tell more of it than what it is called. */
export function isSameObject(entry: readonly Leaf[], id: string, object: Exchange): boolean {
  if (object.response.status !== 200) return false
  const leaves = leavesOf(object)
  const known = new Set(leaves.map(textOf))
  const repeated = entry.filter((leaf) => known.has(textOf(leaf)))
  return tells(repeated, id) && isMost(repeated.length, entry.length) && !contradicts(entry, leaves)
}

/** Whether values tell more of an object than what it is called. */
function tells(leaves: readonly Leaf[], id: string): boolean {
  const telling = leaves.filter(
    ({ value }) =>
      !isCalled(value, id) && (typeof value === 'number' || (typeof value === 'string' && value !== '')),
  )
  return new Set(telling.map(textOf)).size >= TELLING_VALUES
}

/** Whether values of one name differ. */
function contradicts(one: readonly Leaf[], other: readonly Leaf[]): boolean {
  const byKey = Map.groupBy(one, ({ key }) => key)
  return [...Map.groupBy(other, ({ key }) => key)].some(([key, leaves]) => {
    const texts = byKey.get(key)?.map(textOf)
    return texts !== undefined && !leaves.some((leaf) => texts.includes(textOf(leaf)))
  })
}

/** Share of the values of an object that a list must show to show the object. */
const MOST_VALUES = 0.8

/** Whether a list shows most values of an object. */
export function showsWhole(list: Exchange, object: Exchange): boolean {
  if (list.response.status !== 200 || list.response.body.length > MAX_LIST) return false
  if (object.response.status !== 200) return false
  const values = textsOf(object)
  const listed = new Set(textsOf(list))
  return isMost(values.filter((text) => listed.has(text)).length, values.length)
}

function isMost(some: number, all: number): boolean {
  return all > 0 && some >= all * MOST_VALUES
}

function textsOf(exchange: Exchange): string[] {
  return leavesOf(exchange).map(textOf)
}

function leavesOf(exchange: Exchange): readonly Leaf[] {
  return new MessageView(exchange).responseBody.leaves
}

function textOf({ value }: Leaf): string {
  return String(value)
}
