import { userPattern } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { visibleCollections, wireCollection } from './wire-collection.ts'

/** Lists the collections; both optional patterns must match. */
export const getAllCollections: Handler<'getAllCollections'> = async (input, { app, caller }) => {
  const name = userPattern(input.nameRegex)
  const host = userPattern(input.hostNameRegex)
  const views = await visibleCollections(app.store, caller)
  return {
    apiCollections: views
      .filter((view) => (name?.(view.name) ?? true) && (host?.(view.hostName ?? '') ?? true))
      .map(wireCollection),
  }
}
