import { findCollection } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { maySee } from '../../require-collection.ts'
import { wireCollection } from './wire-collection.ts'

/** Shows one collection, or an empty list. */
export const getCollection: Handler<'getCollection'> = async (input, { app, caller }) => {
  if (!maySee(caller, input.apiCollectionId)) return []
  const view = await findCollection(app.store, input.apiCollectionId)
  return view === undefined ? [] : [wireCollection(view)]
}
