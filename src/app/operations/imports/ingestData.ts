import type { Handler } from '../../handler.ts'

/** Takes a batch of live traffic; the bytes go to the engine's thread as they came. */
export const ingestData: Handler<'ingestData'> = (_input, { app, caller, rawBody }) =>
  app.inventory.ingest(rawBody!, { byHost: true }, 'OTHER', caller.collectionIds)
