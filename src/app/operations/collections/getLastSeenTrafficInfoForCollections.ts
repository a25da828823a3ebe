import { lastSeenByCollection } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { byId } from './wire-collection.ts'

/** Tells when traffic was last seen, per collection. */
export const getLastSeenTrafficInfoForCollections: Handler<'getLastSeenTrafficInfoForCollections'> = async (
  _input,
  { app, caller },
) => {
  await app.inventory.settle()
  return byId(await lastSeenByCollection(app.store, { ids: caller.collectionIds }), String)
}
