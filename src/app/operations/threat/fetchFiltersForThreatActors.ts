import { nowSeconds } from '../../../kit/index.ts'
import { actorChoices } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'

/** What actors can be filtered by. */
export const fetchFiltersForThreatActors: Handler<'fetchFiltersForThreatActors'> = async (
  _input,
  { app, caller },
) => {
  const { actors, filterIds, countries, hosts } = await actorChoices(app.store.pool, caller.collectionIds)
  return {
    country: [...countries],
    latestAttack: [...filterIds],
    actorId: [...actors],
    host: [...hosts],
    endTs: nowSeconds(),
  }
}
