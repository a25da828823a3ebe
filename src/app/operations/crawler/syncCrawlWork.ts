import {
  freeWork,
  leaveCrawl,
  logToCrawl,
  noteIdle,
  StoredFrontier,
  stopSharing,
} from '../../../crawler/index.ts'
import type { Handler } from '../../handler.ts'
import { requireCrawl } from './require-crawl.ts'

/** Adds, takes and ends pieces of work of a crawl for the module that has it, or a process that joined. */
export const syncCrawlWork: Handler<'syncCrawlWork'> = async (input, call) => {
  const crawl = await requireCrawl(call, input.crawlId)
  const { worker } = input
  const leaseOwner = worker ?? crawl.leaseOwner ?? crawl.moduleName ?? ''
  const { store } = call.app
  if (input.releaseAll) await freeWork(store, crawl.id, leaseOwner)
  // Before anything ends: anyone who has nothing in work any more is known to have more to say.
  if (worker !== null && input.idle === false) await noteIdle(store, crawl.id, worker, false)
  if (input.alone) await stopSharing(store, crawl.id)
  const frontier = new StoredFrontier(store, crawl.id, leaseOwner)
  for (const id of input.done ?? []) await frontier.done(id)
  const triedAgain: string[] = []
  for (const { id, reason } of input.failed ?? []) if (await frontier.fail(id, reason)) triedAgain.push(id)
  for (const { id, priority, payload } of input.putBack ?? [])
    await frontier.putBack(id, { priority, payload })
  for (const id of input.renewed ?? []) await frontier.renew(id)
  const added = await frontier.add(input.added ?? [])
  const taken = input.take === null ? null : await frontier.take(input.take)
  if (worker !== null && input.idle === true) await noteIdle(store, crawl.id, worker, true)
  if (worker !== null && input.leaves) {
    await leaveCrawl(store, crawl.id, worker)
    await logToCrawl(store, crawl.id, 'info', 'A worker left')
  }
  const { waiting, leased, helpers } = await frontier.counts()
  return { added, taken, triedAgain, waiting, leased, helpers }
}
