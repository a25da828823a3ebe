import { ciFacts } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { liveFieldsOf } from './live-fields.ts'

/** What CI jobs told of their runs. */
export const fetchMetadataFilters: Handler<'fetchMetadataFilters'> = async (_input, call) => {
  const facts = await ciFacts(call.app.store, call.caller.collectionIds)
  return { ...(await liveFieldsOf(call)), metadataFilters: Object.fromEntries(facts) }
}
