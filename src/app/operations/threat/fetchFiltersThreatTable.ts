import { eventChoices, readWindow } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'

/** What malicious events can be filtered by. */
export const fetchFiltersThreatTable: Handler<'fetchFiltersThreatTable'> = async (input, { app, caller }) => {
  const window = readWindow(input.startTimestamp, input.endTimestamp)
  const { actors, filterIds, urls, hosts } = await eventChoices(app.store.pool, caller.collectionIds, window)
  return { subCategory: [...filterIds], ips: [...actors], urls: [...urls], hosts: [...hosts] }
}
