import { countActorsByCountry, readWindow } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'

/** Numbers of actors by country. */
export const getActorsCountPerCounty: Handler<'getActorsCountPerCounty'> = async (input, { app, caller }) => {
  const window = readWindow(input.startTs, input.endTs)
  return {
    actorsCountPerCountry: await countActorsByCountry(app.store.pool, {
      visible: caller.collectionIds,
      window,
    }),
  }
}
