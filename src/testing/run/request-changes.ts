import type { RequestChangeRow } from '../../store/index.ts'
import { removeEntry, replaceLeaves, setAtPath } from '../attempts/body-edits.ts'
import { removeHeader, replaceHeader, setHeader } from '../attempts/header-edits.ts'
import { removeQueryParameter, replaceQueryParameter, setQueryParameter } from '../attempts/query-edits.ts'
import type { RequestDraft } from '../attempts/request-draft.ts'
import { insertSegment, replaceSegment, urlParts } from '../attempts/url-edits.ts'

type Change = RequestChangeRow['operationsGroupList'][number]
type Edit = (draft: RequestDraft, change: Change) => void

/** What each operation of the settings of a run does; a change of something that is not there does nothing. */
const EDITS: ReadonlyMap<string, Edit> = new Map<string, Edit>([
  ['ADD_HEADER', (draft, { key, value }) => setHeader(draft, key, value ?? '')],
  ['MODIFY_HEADER', (draft, { key, value }) => void replaceHeader(draft, key, () => value ?? '')],
  ['DELETE_HEADER', (draft, { key }) => void removeHeader(draft, key)],
  ['ADD_BODY_PARAM', (draft, { key, value }) => void setAtPath(draft, key, value ?? '')],
  ['MODIFY_BODY_PARAM', (draft, { key, value }) => void replaceLeaves(draft, key, () => value ?? '')],
  [
    'DELETE_BODY_PARAM',
    (draft, { key }) => {
      while (removeEntry(draft, key));
    },
  ],
  ['ADD_QUERY_PARAM', (draft, { key, value }) => setQueryParameter(draft, key, encoded(value))],
  [
    'MODIFY_QUERY_PARAM',
    (draft, { key, value }) => void replaceQueryParameter(draft, key, () => encoded(value)),
  ],
  ['DELETE_QUERY_PARAM', (draft, { key }) => void removeQueryParameter(draft, key)],
  ['ADD_URL_PARAM', (draft, change) => editPath(draft, change, insertSegment)],
  ['MODIFY_URL_PARAM', (draft, change) => editPath(draft, change, replaceSegment)],
  ['DELETE_URL_PARAM', deleteSegment],
])

/** Every operation that the settings of a run may name. */
export const REQUEST_CHANGES: readonly string[] = [...EDITS.keys()]

/**
 * What the settings of a run change in every request of its tests; null when they change nothing. A change with
 * `urlsList` applies only to those URLs, whole or as paths. `position` is the number of a path segment, from 1.
 */
export function requestEditor(
  changes: readonly RequestChangeRow[] | null,
): ((draft: RequestDraft) => RequestDraft) | null {
  const edits = (changes ?? []).flatMap(({ operatorType, operationsGroupList }) => {
    const edit = EDITS.get(operatorType.trim().toUpperCase())
    return edit === undefined ? [] : operationsGroupList.map((change) => ({ edit, change }))
  })
  if (edits.length === 0) return null
  return (draft) => {
    const edited = { ...draft }
    for (const { edit, change } of edits) if (isMeant(draft, change)) edit(edited, change)
    return edited
  }
}

function isMeant({ url }: RequestDraft, { urlsList }: Change): boolean {
  if (!urlsList || urlsList.length === 0) return true
  const { path } = urlParts(url)
  return urlsList.some((one) => one === url || one === path)
}

function encoded(value: string | null | undefined): string {
  return encodeURIComponent(value ?? '')
}

/** Without a position the last segment is meant, or the place behind it. */
function editPath(
  draft: RequestDraft,
  { value, position }: Change,
  edit: (url: string, location: number, text: string) => string,
): void {
  const last = segmentsOf(draft.url).length
  const location = positionOf(position) ?? (edit === insertSegment ? last + 1 : last)
  draft.url = edit(draft.url, location, encoded(value))
}

function deleteSegment(draft: RequestDraft, { key, position }: Change): void {
  const segments = segmentsOf(draft.url)
  const at = (positionOf(position) ?? segments.indexOf(key) + 1) - 1
  if (at < 0 || at >= segments.length) return
  segments.splice(at, 1)
  draft.url = `${urlParts(draft.url).origin}/${segments.join('/')}`
}

function segmentsOf(url: string): string[] {
  return urlParts(url)
    .path.split('/')
    .filter((segment) => segment !== '')
}

function positionOf(text: string | null | undefined): number | null {
  return text !== null && text !== undefined && /^\d{1,3}$/.test(text.trim()) ? Number(text) : null
}
