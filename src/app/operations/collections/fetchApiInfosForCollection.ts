import { collectionState, listEndpoints } from '../../../inventory/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Call, Handler } from '../../handler.ts'
import { maySee, requireGranted } from '../../require-collection.ts'
import { wireApiInfo } from './wire-endpoint.ts'

/** Collections of one batch at the most. */
const MAX_BATCH = 300

async function infosOf(id: number, { app, caller }: Call) {
  return (await listEndpoints(app, id)).map((view) => wireApiInfo(view, caller))
}

/** Lists what is known of the endpoints of one collection, or of several. */
export const fetchApiInfosForCollection: Handler<'fetchApiInfosForCollection'> = async (input, call) => {
  const { app, caller } = call
  if (input.apiCollectionIds !== null) {
    const ids = input.apiCollectionIds.slice(0, MAX_BATCH).filter((id) => maySee(caller, id))
    const lists = await Promise.all(ids.map(async (id) => [String(id), await infosOf(id, call)] as const))
    return { apiInfoListByCollection: Object.fromEntries(lists) }
  }
  const id = input.apiCollectionId ?? 0
  requireGranted(caller, id)
  const state = await collectionState(app.store, id)
  if (state?.isDeactivated) throw new Failure('DEACTIVATED_COLLECTION', {})
  return { apiInfoList: await infosOf(id, call), redacted: state?.isRedacted ?? false }
}
