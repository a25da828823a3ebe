import { lastSeenByCollection } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { byId } from './wire-collection.ts'

/** Tells when traffic was last seen, per collection. */
export const getLastSeenTrafficInfoForCollections: Handler<'getLastSeenTrafficInfoForCollections'> = async (
  _input,
  { app, caller },
) => {
  return byId(await lastSeenByCollection(app, { ids: caller.collectionIds }), String)
}
