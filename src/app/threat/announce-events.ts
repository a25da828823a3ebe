import { announceThreats } from '../../alerts/announce.ts'
import type { StoreClient } from '../../store/index.ts'
import type { NewEvent } from '../../threat/findings.ts'

/** Tells channels of new events that somebody should look at, in the transaction that stores them. */
export function announceEvents(client: StoreClient, events: readonly NewEvent[], now: number): Promise<void> {
  const told = events.flatMap(({ id, severity, status, collectionId }) =>
    status === 'ACTIVE' && severity !== '' ? [{ eventId: id, severity, collectionId }] : [],
  )
  return announceThreats(client, told, now)
}
