import { nowSeconds } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { liveFieldsOf } from './live-fields.ts'

/** An executor that was silent for longer counts as gone. */
const SILENCE_SECONDS = 20 * 60

/** Names of the outside executors that answered lately. */
export const fetchMiniTestingServiceNames: Handler<'fetchMiniTestingServiceNames'> = async (_input, call) => {
  const { rows } = await call.app.store.pool.query<{ name: string }>(
    `SELECT DISTINCT name FROM modules WHERE kind = 'MINI_TESTING' AND seen_at > $1 ORDER BY name`,
    [nowSeconds() - SILENCE_SECONDS],
  )
  return { ...(await liveFieldsOf(call)), miniTestingServiceNames: rows.map((row) => row.name) }
}
