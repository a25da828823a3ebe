import type { ChangeTopic } from '../../contract/index.ts'
import type { Caller } from '../handler.ts'
import { maySee } from '../require-collection.ts'
import type { Mark } from './read-marks.ts'

/**
 * What is new or has another mark than before. What is no longer read has not changed: lists of latest rows lose old ones,
 * and the end of what was under way is a change of the lists that still have it.
 */
export function changesBetween(before: readonly Mark[], after: readonly Mark[]): Mark[] {
  const known = new Map(before.map((mark) => [`${mark.topic} ${mark.id}`, mark.mark]))
  return after.filter((mark) => known.get(`${mark.topic} ${mark.id}`) !== mark.mark)
}

/** The topics of the changes that a caller may hear of: those of things that reading operations show them. */
export function topicsFor(caller: Caller, changes: readonly Mark[]): ChangeTopic[] {
  const heard = changes.filter(
    ({ collectionIds, login }) =>
      caller.collectionIds === null ||
      login === caller.login ||
      (collectionIds?.every((id) => maySee(caller, id)) ?? false),
  )
  return [...new Set(heard.map(({ topic }) => topic))]
}
