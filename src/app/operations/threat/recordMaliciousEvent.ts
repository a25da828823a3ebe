import { Failure, nowSeconds } from '../../../kit/index.ts'
import { usingTransaction } from '../../../store/index.ts'
import { noteAttacks, readThreatConfiguration, storeEvents } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'
import { requireGranted, requireUnrestricted } from '../../require-collection.ts'
import { shownUrl } from '../../shown-urls.ts'
import { announceEvents } from '../../threat/announce-events.ts'
import { readSentEvent } from './sent-event.ts'

const DAY_SECONDS = 86_400

/** Takes an event that another detector found. */
export const recordMaliciousEvent: Handler<'recordMaliciousEvent'> = async (input, { app, caller }) => {
  const now = nowSeconds()
  const event = readSentEvent(input.maliciousEvent, now)
  if (event.collectionId === 0) requireUnrestricted(caller)
  else requireGranted(caller, event.collectionId)
  const { isPurging, keptDays } = await readThreatConfiguration(app.store.pool)
  if (isPurging && event.detectedAt < now - keptDays * DAY_SECONDS)
    throw new Failure('EVENT_TOO_OLD', { days: keptDays })
  const url = await shownUrl(app.store, event.url)
  await usingTransaction(app.store.pool, async (client) => {
    const { stored } = await storeEvents(client, [{ ...event, url }], now)
    await noteAttacks(
      client,
      stored.map((one) => ({ ...one, url: event.url.replace(/[?#].*$/s, '') })),
    )
    await announceEvents(client, stored, now)
  })
}
