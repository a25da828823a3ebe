import { listApis, readWindow } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'
import { readSkip, readSort } from './read-page.ts'

/** One page of the endpoints under attack. */
export const fetchThreatApis: Handler<'fetchThreatApis'> = async (input, { app, caller }) => {
  const { apis, total } = await listApis(
    app.store.pool,
    {
      visible: caller.collectionIds,
      window: readWindow(input.startTs, input.endTs),
      filterIds: input.latestAttack,
    },
    {
      ...readSort(input.sort, ['discoveredAt', 'requestsCount', 'actorsCount'], 'discoveredAt'),
      skip: readSkip(input.skip),
      limit: input.limit,
    },
  )
  return {
    apis: apis.map(({ path, method, host, events, actors, firstSeen }) => ({
      api: path,
      method,
      requestsCount: events,
      actorsCount: actors,
      discoveredAt: firstSeen,
      host,
    })),
    total,
  }
}
