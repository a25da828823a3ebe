import type { Exchange } from '../../http/index.ts'
import type { RequestDraft } from '../attempts/index.ts'
import { isScalar, type JsonTree, readTree, scalarText, writeTree } from '../attempts/json-tree.ts'
import { isSecretName } from './sign-in.ts'
import { mediaTypeOf } from './write-effect.ts'

/** What an object is like, as its own URL shows it. */
export type ObjectState =
  | { readonly kind: 'object'; readonly text: string }
  /** Something that is not a JSON object: restored as a whole. */
  | { readonly kind: 'text'; readonly text: string; readonly mediaType: string }
  | { readonly kind: 'absent' }

/** Longest answer that is kept to restore an object from. */
const MAX_STATE = 1024 * 1024
/** Fields that the application itself sets with every change. */
const KEPT_BY_SERVER =
  /^_?_?(?:v|version|revision|rev|etag|(?:date_?)?(?:updated|modified|changed|edited)(?:_?(?:at|on|by|date|time|timestamp))?|(?:last|date)_?(?:updated|modified|changed|seen|access|accessed|activity|edited)(?:_?(?:at|on|by|date|time|page))?|updatedtime|timestamp)$/i

/** The state that an answer to GET shows; null when it shows none. */
export function stateOf({ response }: Exchange): ObjectState | null {
  const { status, headers, body } = response
  if (status === 404 || status === 410) return { kind: 'absent' }
  if (status < 200 || status > 299 || body === '' || body.length > MAX_STATE) return null
  const tree = readTree(body)
  if (tree instanceof Map) return { kind: 'object', text: body }
  if (tree !== undefined) return null // a list or a word: not one object
  return { kind: 'text', text: body, mediaType: mediaTypeOf(headers) }
}

/** Whether a state is that of a list in a wrapper: what a POST adds to it is not undone by its old values. */
export function isWrappedList(state: ObjectState): boolean {
  const tree = state.kind === 'object' ? readTree(state.text) : undefined
  return (
    tree instanceof Map &&
    [...tree.values()].some((value) => Array.isArray(value) && value.every((item) => item instanceof Map))
  )
}

/** The record that shows an object, the one in its answer that has most of the fields that are sent; empty where it shows none. */
export function recordOf(state: ObjectState, body: JsonTree | undefined): ReadonlyMap<string, JsonTree> {
  return state.kind === 'object' ? recordIn(state.text, innerOf(body)) : new Map()
}

/** Names of the fields of an object that its own record shows. */
function fieldsOf(state: ObjectState, body: JsonTree | undefined): ReadonlySet<string> {
  return new Set(recordOf(state, body).keys())
}

/**
 * Whether an object shows something else in place of a secret, such as its hash: anything but what the recorded request
 * sent. What is shown then is neither compared nor written back.
 */
export function isUnseenSecret(state: ObjectState, key: string, sent: JsonTree | undefined): boolean {
  if (!isSecretName(key) || state.kind !== 'object') return false
  const inner = innerOf(sent)
  return textOf(recordIn(state.text, inner).get(key)) !== textOf(inner?.get(key))
}

/**
 * Fields in which a record differs from before, without those that the application keeps itself.
 * @param sent fields that were sent: these count whatever they are called
 */
export function changedFields(
  before: ObjectState,
  now: ObjectState,
  sent: JsonTree | undefined,
): readonly string[] | 'all' {
  if (before.kind !== now.kind) return 'all'
  if (before.kind !== 'object' || now.kind !== 'object')
    return before.kind === 'text' && now.kind === 'text' && before.text !== now.text ? 'all' : []
  const inner = innerOf(sent)
  const [old, fresh] = [recordIn(before.text, inner), recordIn(now.text, inner)]
  const own = new Set(inner?.keys() ?? [])
  return [...new Set([...old.keys(), ...fresh.keys()])].filter((key) => {
    if (textOf(old.get(key)) === textOf(fresh.get(key)) || isUnseenSecret(before, key, sent)) return false
    return own.has(key) || !isKeptByServer(key, old.get(key), fresh.get(key))
  })
}

function textOf(tree: JsonTree | undefined): string {
  return tree === undefined ? '' : writeTree(tree)
}

function isKeptByServer(key: string, old: JsonTree | undefined, fresh: JsonTree | undefined): boolean {
  if (KEPT_BY_SERVER.test(key)) return true
  const [before, after] = [momentOf(old), momentOf(fresh)]
  return before !== null && after !== null && after > before
}

/** A point in time as milliseconds; null for what is none. */
function momentOf(tree: JsonTree | undefined): number | null {
  if (typeof tree !== 'string' || !/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(tree)) return null
  const moment = Date.parse(tree)
  return Number.isNaN(moment) ? null : moment
}

/**
 * The request that gives a record its old values.
 *
 * @param draft one of the kind that changed it; its body shows the form
 * @param fields those that differ
 * @param isWhole also every other field of the old record that the request knows
 */
export function restoring(
  draft: RequestDraft,
  before: ObjectState,
  now: ObjectState,
  fields: readonly string[] | 'all',
  isWhole: boolean,
): RequestDraft {
  if (before.kind === 'text') return { ...draft, method: 'PUT', body: { ...draft.body, text: before.text } }
  if (before.kind === 'absent') return draft
  if (draft.body.text === '' && draft.query !== '') return restoringByQuery(draft, before, fields)
  const sent = readTree(draft.body.text)
  const inner = innerOf(sent)
  const old = recordIn(before.text, inner)
  const current = now.kind === 'object' ? recordIn(now.text, inner) : new Map<string, JsonTree>()
  const wanted = new Set([
    ...(fields === 'all' ? old.keys() : fields),
    ...(draft.method === 'PATCH' && !isWhole ? [] : (inner?.keys() ?? [])),
    ...(isWhole ? old.keys() : []),
  ])
  const values = new Map<string, JsonTree>()
  for (const key of wanted) {
    if (isUnseenSecret(before, key, sent)) {
      if (inner?.has(key)) values.set(key, inner.get(key)!)
      continue
    }
    const value = KEPT_BY_SERVER.test(key) ? (current.get(key) ?? old.get(key)) : old.get(key)
    // A field that the record did not have is emptied.
    if (value !== undefined) values.set(key, value)
    else if (current.has(key)) values.set(key, null)
    else if (inner?.has(key)) values.set(key, inner.get(key)!)
  }
  const body = sent instanceof Map && inner !== null && inner !== sent ? wrapped(sent, values) : values
  return { ...draft, body: { ...draft.body, text: writeTree(body) } }
}

/** The request whose query carries the fields, with their old values; a field that the record did not have goes. */
function restoringByQuery(
  draft: RequestDraft,
  before: ObjectState & { kind: 'object' },
  fields: readonly string[] | 'all',
): RequestDraft {
  const old = recordIn(before.text, null)
  const query = new URLSearchParams(draft.query)
  for (const key of new Set([...query.keys(), ...(fields === 'all' ? old.keys() : fields)])) {
    const value = isSecretName(key) ? undefined : old.get(key)
    if (value === undefined || value === null || !isScalar(value)) query.delete(key)
    else query.set(key, scalarText(value))
  }
  return { ...draft, query: query.toString() }
}

function wrapped(sent: Map<string, JsonTree>, values: Map<string, JsonTree>): JsonTree {
  return new Map([...sent].map(([key, value]) => [key, value instanceof Map ? values : value]))
}

/** The fields that a body sends: its own, or those of the one object in it (`{"user": {…}}`). */
export function innerOf(body: JsonTree | undefined): Map<string, JsonTree> | null {
  if (!(body instanceof Map)) return null
  const [only] = body.values()
  return body.size === 1 && only instanceof Map ? only : body
}

/** The record in an answer: the object itself, or the one in it that has most of the fields that are sent. */
function recordIn(text: string, sent: Map<string, JsonTree> | null): Map<string, JsonTree> {
  const tree = readTree(text)
  if (!(tree instanceof Map)) return new Map()
  const candidates = [tree, ...[...tree.values()].filter((value) => value instanceof Map)]
  const common = (record: Map<string, JsonTree>): number =>
    [...(sent?.keys() ?? [])].filter((key) => record.has(key)).length
  const [first, ...others] = candidates
  const isWrapper = tree.size === 1 && others.length === 1
  return others.reduce(
    (best, record) => (common(record) > common(best) ? record : best),
    isWrapper ? others[0]! : first!,
  )
}

/** Every scalar field of a body by its name, as text; nested ones are left out. */
export function scalarFields(body: JsonTree | undefined): Map<string, string> {
  const fields = new Map<string, string>()
  for (const [key, value] of innerOf(body) ?? []) if (isScalar(value)) fields.set(key, scalarText(value))
  return fields
}

/** Whether an object shows each field that a request sends. */
export function showsSent(state: ObjectState, start: RequestDraft, draft: RequestDraft): boolean {
  const body = readTree(draft.body.text)
  const shown = fieldsOf(state, readTree(start.body.text) ?? body)
  const sent = [...(innerOf(body)?.keys() ?? []), ...new URLSearchParams(draft.query).keys()]
  return sent.length > 0 && sent.every((key) => shown.has(key))
}
