import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'

/** Takes a batch of live traffic; the bytes go to the engine's thread as they came. */
export const ingestData: Handler<'ingestData'> = async (_input, { app, caller, rawBody }) => {
  // Live traffic may create collections of any host, so a caller restricted to some cannot send it.
  if (caller.collectionIds !== null) throw new Failure('ROLE_DENIED', { role: caller.role })
  return app.inventory.ingest(rawBody!, { byHost: true }, 'OTHER')
}
