import type { ThreatActor } from '../../../contract/index.ts'
import { nowSeconds } from '../../../kit/index.ts'
import { type ActorView, listActors, readWindow } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'
import { readSkip, readSort } from './read-page.ts'

/** One page of the actors. */
export const fetchThreatActors: Handler<'fetchThreatActors'> = async (input, { app, caller }) => {
  const { actors, total } = await listActors(
    app.store.pool,
    {
      visible: caller.collectionIds,
      window: readWindow(input.startTs, input.endTs),
      filterIds: input.latestAttack,
      countries: input.country,
      actors: input.actorId,
      hosts: input.host,
      statuses: input.status,
    },
    {
      ...readSort(input.sort, ['discoveredAt', 'lastSeen'], 'discoveredAt'),
      skip: readSkip(input.skip),
      limit: input.limit,
    },
  )
  return { actors: actors.map(wireActor), total, endTs: input.endTs > 0 ? input.endTs : nowSeconds() }
}

function wireActor(actor: ActorView): ThreatActor {
  return {
    id: actor.actor,
    latestAttack: actor.filterId,
    country: actor.country,
    latestApiEndpoint: actor.path,
    latestApiIp: actor.ip,
    latestApiMethod: actor.method,
    discoveredAt: actor.firstSeen,
    activity: actor.activity.map(({ severity, filterId, method, detectedAt, url }) => ({
      severity,
      subCategory: filterId,
      method,
      detectedAt,
      url,
    })),
    latestApiHost: actor.host,
    status: actor.status,
    lastSeen: actor.lastSeen,
  }
}
