import { collectionState } from '../../../inventory/index.ts'
import { openByEndpointOf } from '../../../issues/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { requireGranted } from '../../require-collection.ts'

/** Counts open issues by severity, per endpoint of a collection or group. */
export const getSeveritiesCountPerCollection: Handler<'getSeveritiesCountPerCollection'> = async (
  input,
  { app, caller },
) => {
  const id = input.apiCollectionId
  requireGranted(caller, id)
  if ((await collectionState(app.store, id))?.isDeactivated) throw new Failure('DEACTIVATED_COLLECTION', {})
  return Object.fromEntries(await openByEndpointOf(app.store, id))
}
