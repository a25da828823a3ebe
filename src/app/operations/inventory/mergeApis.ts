import type { Handler } from '../../handler.ts'
import { requireCollection } from '../../require-collection.ts'

/** States a path template. */
export const mergeApis: Handler<'mergeApis'> = async (input, { app, caller }) => {
  await requireCollection(app.store, caller, input.apiCollectionId)
  const moves = await app.inventory.decide({
    kind: 'MERGE',
    collectionId: input.apiCollectionId,
    template: input.template,
    decidedBy: caller.login,
  })
  return { moves }
}
