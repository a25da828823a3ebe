import { freeWork, StoredFrontier } from '../../../crawler/index.ts'
import type { Handler } from '../../handler.ts'
import { requireCrawl } from './require-crawl.ts'

/** Adds, takes and ends pieces of work of a crawl for the module that has it. */
export const syncCrawlWork: Handler<'syncCrawlWork'> = async (input, call) => {
  const crawl = await requireCrawl(call, input.crawlId)
  const holder = crawl.holder ?? crawl.moduleName ?? ''
  if (input.releaseAll) await freeWork(call.app.store, crawl.id, holder)
  const frontier = new StoredFrontier(call.app.store, crawl.id, holder)
  for (const id of input.done ?? []) await frontier.done(id)
  const triedAgain: string[] = []
  for (const { id, reason } of input.failed ?? []) if (await frontier.fail(id, reason)) triedAgain.push(id)
  for (const { id, priority, payload } of input.putBack ?? [])
    await frontier.putBack(id, { priority, payload })
  for (const id of input.renewed ?? []) await frontier.renew(id)
  const added = await frontier.add(input.added ?? [])
  const taken = input.take === null ? null : await frontier.take(input.take)
  const { waiting, leased } = await frontier.counts()
  return { added, taken, triedAgain, waiting, leased }
}
