import { setCollectionFlag } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { requireSeen } from '../../require-collection.ts'

/** Takes collections out of testing scope, or back into it. */
export const toggleCollectionsOutOfTestScope: Handler<'toggleCollectionsOutOfTestScope'> = async (
  input,
  { app, caller },
) => {
  for (const id of input.apiCollectionIds) await requireSeen(app.store, caller, id)
  await setCollectionFlag(
    app.store,
    input.apiCollectionIds,
    'is_out_of_testing_scope',
    !input.currentIsOutOfTestingScopeVal,
  )
  return {}
}
