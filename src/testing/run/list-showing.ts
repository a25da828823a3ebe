import { absoluteUrl, type Exchange } from '../../http/index.ts'
import { readTree } from '../attempts/json-tree.ts'
import { entryFor } from '../writes/created-object.ts'
import { scalarFields } from '../writes/object-state.ts'

/** Fewer values may be equal by chance. */
const FEWEST_VALUES = 2

/**
 * URL of the recorded list that has what a recorded write made, wherever it is: `GET /get_transfers` for `PUT /transfer`.
 * Its entry has the identifier that the answer names, and every value that was sent, under whatever names. Null without one.
 *
 * @param related recorded exchanges of the collection
 */
export function listShowing(write: Exchange, related: readonly Exchange[]): string | null {
  const list = related.find(({ request, response }) => {
    if (request.method !== 'GET' || response.status !== 200 || request.target.includes('?')) return false
    const entry = entryFor({ ...write, request, response }, write)
    return entry instanceof Map && holdsSent(scalarFields(entry), write)
  })
  return list === undefined ? null : absoluteUrl(list.request)
}

/** Whether an object has every value that a write sent, whatever they are called there. */
export function holdsSent(shown: ReadonlyMap<string, string>, { request: { body } }: Exchange): boolean {
  const sent = [...scalarFields(readTree(body)).values()].filter((value) => value !== '')
  const left = [...shown.values()]
  return (
    sent.length >= FEWEST_VALUES &&
    sent.every((value) => {
      const at = left.indexOf(value)
      if (at >= 0) left.splice(at, 1)
      return at >= 0
    })
  )
}
