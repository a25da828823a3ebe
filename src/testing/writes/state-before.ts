import { percentDecoded } from '../../kit/index.ts'
import type { Lookups } from '../../rules/index.ts'
import type { RequestDraft } from '../attempts/index.ts'
import { readTree } from '../attempts/json-tree.ts'
import { innerOf, type ObjectState, showsSent } from './object-state.ts'
import { readState, type SendDraft } from './undo-write.ts'
import { urlAbove } from './url-above.ts'
import type { WantedWrite } from './wanted-write.ts'

/**
 * What an object is like before a write: at its own URL, or as the object shows it that it is a part of.
 *
 * @returns its state, null where it cannot be read, and the URL that was read
 * @throws Failure a code of the sender
 */
export async function stateBefore(
  { draft, endpoint, start }: WantedWrite,
  lookups: Lookups,
  send: SendDraft,
): Promise<{ before: ObjectState | null; readUrl: string }> {
  const isKnown = (url: string): boolean => lookups.isKnownEndpoint(endpoint.collectionId, 'GET', url)
  // Reading what only takes POST might be an action as well.
  const isReadable = draft.method !== 'POST' || isKnown(draft.url)
  const own = isReadable ? await readState(draft.url, [start, draft], send) : null
  const above = isKnown(draft.url) ? null : urlAbove(draft.url, endpoint.url)
  const isPart = (own === null || own.kind === 'absent') && !addsToList(draft)
  if (isPart && above !== null && isKnown(above)) {
    const state = await readState(above, [start, draft], send)
    if (state?.kind === 'object' && showsSent(state, start, draft)) return { before: state, readUrl: above }
  }
  return { before: own, readUrl: draft.url }
}

/**
 * Whether a request adds to a list of an object (`POST /groups/7/users`): the old list does not take it out again. What
 * it sets instead is named by its address (`POST /users/7/email` with an `email`).
 */
function addsToList({ method, url, body }: RequestDraft): boolean {
  if (method !== 'POST') return false
  const fields = [...(innerOf(readTree(body.text)) ?? new Map())]
  const part = percentDecoded(url.replace(/\/$/, '').split('/').at(-1) ?? '').toLowerCase()
  return (
    fields.some(([, value]) => Array.isArray(value)) || !fields.some(([key]) => key.toLowerCase() === part)
  )
}
