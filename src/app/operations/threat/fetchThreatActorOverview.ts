import { nowSeconds } from '../../../kit/index.ts'
import { actorOverview, blockListReads } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'
import { requireText } from './read-selection.ts'

/** What an actor did, and whether a block holds. */
export const fetchThreatActorOverview: Handler<'fetchThreatActorOverview'> = async (
  input,
  { app, caller },
) => {
  const actor = requireText(input.actor, 'actor')
  const db = app.store.pool
  const found = await actorOverview(db, actor, caller.collectionIds, nowSeconds())
  // The block list is that of all collections.
  const reads = caller.collectionIds === null ? await blockListReads(db) : []
  return {
    events: found?.events ?? 0,
    endpoints: (found?.places ?? []).map(({ collectionId, filterIds, ...place }) => ({
      ...place,
      apiCollectionId: collectionId,
      filterIds: [...filterIds],
    })),
    sessions: (found?.sessions ?? []).map(({ filterIds, ...one }) => ({ ...one, filterIds: [...filterIds] })),
    block: found?.block ?? null,
    blockListReads: reads,
  }
}
