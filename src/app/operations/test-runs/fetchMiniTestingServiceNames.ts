import { nowSeconds } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { liveFieldsOf } from './live-fields.ts'

/** An executor that was silent for longer counts as gone. */
const SILENCE_SECONDS = 20 * 60

/** Names of the outside executors that answered lately. */
export const fetchMiniTestingServiceNames: Handler<'fetchMiniTestingServiceNames'> = async (_input, call) => {
  const rows = await call.app.store.db
    .selectFrom('modules')
    .select('name')
    .distinct()
    .where('kind', '=', 'MINI_TESTING')
    .where('seen_at', '>', nowSeconds() - SILENCE_SECONDS)
    .orderBy('name')
    .execute()
  return { ...(await liveFieldsOf(call)), miniTestingServiceNames: rows.map((row) => row.name) }
}
