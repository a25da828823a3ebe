import type { Handler } from '../../handler.ts'
import { requireCollection } from '../../require-collection.ts'

/** Keeps a path literal, whatever template would cover it. */
export const pinLiteralApi: Handler<'pinLiteralApi'> = async (input, { app, caller }) => {
  await requireCollection(app.store, caller, input.apiCollectionId)
  const moves = await app.inventory.decide({
    kind: 'PIN',
    collectionId: input.apiCollectionId,
    url: input.url,
    decidedBy: caller.login,
  })
  return { moves }
}
