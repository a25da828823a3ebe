import { collectionState } from '../../../inventory/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { requireGranted } from '../../require-collection.ts'

/** Counts open issues per endpoint of a collection. No room records issues yet, so there are none to count. */
export const getSeveritiesCountPerCollection: Handler<'getSeveritiesCountPerCollection'> = async (
  input,
  { app, caller },
) => {
  const id = input.apiCollectionId
  requireGranted(caller, id)
  if ((await collectionState(app.store, id))?.isDeactivated) throw new Failure('DEACTIVATED_COLLECTION', {})
  return {}
}
