import {
  freeWork,
  goOnAlone,
  leaveCrawl,
  noteIdle,
  StoredFrontier,
  tellCrawl,
} from '../../../crawler/index.ts'
import type { Handler } from '../../handler.ts'
import { requireCrawl } from './require-crawl.ts'

/** Adds, takes and ends pieces of work of a crawl for the module that has it, or a process that joined. */
export const syncCrawlWork: Handler<'syncCrawlWork'> = async (input, call) => {
  const crawl = await requireCrawl(call, input.crawlId)
  const { worker } = input
  const holder = worker ?? crawl.holder ?? crawl.moduleName ?? ''
  const { store } = call.app
  if (input.releaseAll) await freeWork(store, crawl.id, holder)
  // Before anything ends: anyone who has nothing in work any more is known to have more to say.
  if (worker !== null && input.idle === false) await noteIdle(store, crawl.id, worker, false)
  if (input.alone) await goOnAlone(store, crawl.id)
  const frontier = new StoredFrontier(store, crawl.id, holder)
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
    await tellCrawl(store, crawl.id, 'info', 'A worker left')
  }
  const { waiting, leased, companions } = await frontier.counts()
  return { added, taken, triedAgain, waiting, leased, companions }
}
