import type { FindingsHook } from '../../inventory/index.ts'
import { nowSeconds } from '../../kit/index.ts'
import { type DetectedMessage, unpackFindings, WindowRoom, writeFindings } from '../../threat/findings.ts'
import { announceEvents } from './announce-events.ts'

/** How often the counters in the store are counted, in seconds; between, each process counts its own changes. */
const RECOUNT_SECONDS = 600

/** Writes what detection found in the transaction that keeps the messages. Runs in the thread of the inventory. */
export function detectionHook(room = new WindowRoom()): FindingsHook {
  let countedAt = 0
  return {
    read: unpackFindings,
    async write(client, messages) {
      const now = nowSeconds()
      if (now - countedAt > RECOUNT_SECONDS) {
        const { rows } = await client.query<{ used: number }>(
          'SELECT count(*)::integer AS used FROM (SELECT FROM threat_windows LIMIT $1) AS w',
          [room.max],
        )
        room.recount(rows[0]!.used)
        countedAt = now
      }
      // Each finding is what `read` made of it.
      const detected = messages as readonly DetectedMessage[]
      const { stored } = await writeFindings(client, detected, room, now)
      await announceEvents(client, stored, now)
    },
  }
}
