import { percentDecoded } from '../../kit/index.ts'
import type { RequestDraft } from '../attempts/index.ts'
import { isScalar, type JsonTree, readTree, scalarText, writeTree } from '../attempts/json-tree.ts'
import { isGenerated } from '../run/generated.ts'
import { innerOf, isUnseenSecret, type ObjectState, recordOf } from './object-state.ts'
import type { WantedWrite } from './wanted-write.ts'

/** Names of identifiers, which applications give themselves: they do not rename anything. */
const IDENTIFIER = /id$/i

/**
 * The field by which a change would give an object another address: the recorded request names the object by it as the
 * last part of its path does, and the draft names it otherwise. Afterwards nothing is at the old address to be restored.
 * Null where the address stays.
 */
export function renamingField(draft: RequestDraft, start: RequestDraft): string | null {
  const last = lastSegment(draft.url)
  const [sent, recorded] = [readTree(draft.body.text), innerOf(readTree(start.body.text))]
  if (last === '' || !(sent instanceof Map)) return null
  const fields = innerOf(sent)
  for (const [key, old] of recorded ?? []) {
    if (IDENTIFIER.test(key) || !isScalar(old) || scalarText(old) !== last) continue
    const value = fields?.get(key) ?? sent.get(key)
    if (value !== undefined && (!isScalar(value) || scalarText(value) !== last)) return key
  }
  return null
}

/** What applications confirm by a message to it: another value takes the confirmation away. */
const CONFIRMABLE = /e?mail|phone|mobile/i
/** Names of the mark of a confirmation, behind the name of its field or without it: `emailVerified`, `confirmed_at`. */
const CONFIRMED =
  /^(?:is)?(.*?)(?:address|number)?(?:is)?(?:verified|confirmed|validated)(?:at|on|date|time)?$/

/**
 * The mark by which a record says that the user confirmed a field that a change gives another value. Its old value may
 * be written back, but the application does not take it for confirmed any more: also where the recorded request sends the
 * mark, as clients that send the whole record do, for users may not set it. Null where the field stays.
 */
function lostConfirmation(
  record: ReadonlyMap<string, JsonTree>,
  fields: ReadonlyMap<string, JsonTree> | null,
): string | null {
  for (const [key, value] of fields ?? []) {
    const old = record.get(key)
    if (!CONFIRMABLE.test(key) || old === undefined || writeTree(old) === writeTree(value)) continue
    const name = plainName(key).replace(/(?:address|number)$/, '')
    for (const [mark, state] of record) {
      const of = CONFIRMED.exec(plainName(mark))?.[1]
      const isSet = state !== null && state !== false && state !== 0 && state !== ''
      if (isSet && (of === '' || of === name)) return mark
    }
  }
  return null
}

function plainName(key: string): string {
  return key.replace(/[^a-z0-9]/gi, '').toLowerCase()
}

function lastSegment(url: string): string {
  const segment =
    url
      .replace(/[?#].*$/s, '')
      .replace(/\/$/, '')
      .split('/')
      .at(-1) ?? ''
  return percentDecoded(segment)
}

/** Why a change could not be undone; null when it could. */
export function irreversible(
  {
    draft,
    start,
    sample = null,
  }: Pick<WantedWrite, 'draft' | 'start'> & Partial<Pick<WantedWrite, 'sample'>>,
  before: ObjectState | null,
): string | null {
  if (before === null)
    return `no request is known that reads or deletes what ${draft.method} ${draft.url} writes`
  if (before.kind !== 'object') return null
  const renaming = renamingField(draft, start)
  if (renaming !== null) return `${renaming} is also its address, where it could not be found again`
  const [body, usual] = [readTree(draft.body.text), readTree(start.body.text)]
  const record = recordOf(before, usual ?? body)
  const shown = new Set([...record.keys()].filter((key) => !isUnseenSecret(before, key, usual)))
  if (shown.size === 0) return 'the record has no fields to restore'
  // What a document's request was given is not what the object had.
  const [fields, recorded] = [innerOf(body), isGenerated(sample) ? null : innerOf(usual)]
  const lost = lostConfirmation(record, fields)
  if (lost !== null) return `the record shows ${lost}, which the application may take back with the change`
  const unseen = [...(fields ?? [])].flatMap(([key, value]) => {
    const old = recorded?.get(key)
    return shown.has(key) || (old !== undefined && writeTree(old) === writeTree(value)) ? [] : [key]
  })
  const known = new URLSearchParams(start.query)
  for (const [key, value] of new URLSearchParams(draft.query)) {
    // The query of a request without a body carries the fields.
    const isField = !known.has(key) || (draft.body.text === '' && known.get(key) !== value)
    if (isField && !shown.has(key)) unseen.push(key)
  }
  return unseen.length === 0
    ? null
    : `the record does not show ${unseen.slice(0, 3).join(', ')}, so the old value is not known`
}
