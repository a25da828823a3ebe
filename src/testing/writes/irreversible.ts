import type { RequestDraft } from '../attempts/index.ts'
import { readTree, writeTree } from '../attempts/json-tree.ts'
import { fieldsOf, innerOf, isUnseenSecret, type ObjectState } from './object-state.ts'
import { renamingField } from './renames-itself.ts'
import type { WantedWrite } from './write-guard.ts'

/** Why a change of an object that can be read could not be undone; null when it could. */
export function irreversible(
  { draft, start }: Pick<WantedWrite, 'draft' | 'start'>,
  before: ObjectState,
): string | null {
  if (before.kind !== 'object') return null
  const renaming = renamingField(draft, start)
  if (renaming !== null) return `${renaming} is also its address, where it could not be found again`
  const [body, usual] = [readTree(draft.body.text), readTree(start.body.text)]
  const shown = new Set(
    [...fieldsOf(before, usual ?? body)].filter((key) => !isUnseenSecret(before, key, usual)),
  )
  if (shown.size === 0) return 'the record has no fields to restore'
  const [fields, recorded] = [innerOf(body), innerOf(usual)]
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

/** Whether an object shows each field that a request sends. */
export function showsSent(state: ObjectState, start: RequestDraft, draft: RequestDraft): boolean {
  const body = readTree(draft.body.text)
  const shown = fieldsOf(state, readTree(start.body.text) ?? body)
  const sent = [...(innerOf(body)?.keys() ?? []), ...new URLSearchParams(draft.query).keys()]
  return sent.length > 0 && sent.every((key) => shown.has(key))
}
