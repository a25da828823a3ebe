import { userPattern } from '../../../inventory/index.ts'
import { filterInSlices } from '../../../kit/in-slices.ts'
import type { Handler } from '../../handler.ts'
import { visibleCollections, wireCollection } from './wire-collection.ts'

/** Lists the collections; both optional patterns must match. */
export const getAllCollections: Handler<'getAllCollections'> = async (input, { app, caller }) => {
  const name = userPattern(input.nameRegex)
  const host = userPattern(input.hostNameRegex)
  const views = await visibleCollections(app.store, caller)
  const met = await filterInSlices(
    views,
    (view) => (name?.(view.name) ?? true) && (host?.(view.hostName ?? '') ?? true),
  )
  return { apiCollections: met.map(wireCollection) }
}
