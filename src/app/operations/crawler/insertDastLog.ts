import { saveLog } from '../../../crawler/index.ts'
import { nowSeconds } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { urlMask } from '../../shown-urls.ts'
import { requireCrawl } from './require-crawl.ts'

const WARNING = /warn|error|fatal|severe/i

/** Keeps a line that a module tells. */
export const insertDastLog: Handler<'insertDastLog'> = async ({ log, crawlId }, call) => {
  const crawl = crawlId === null || crawlId === '' ? null : await requireCrawl(call, crawlId)
  const line = {
    at: log.timestamp ?? nowSeconds(),
    level: WARNING.test(log.key ?? '') ? 'warning' : 'info',
    line: log.log,
  } as const
  await saveLog(call.app.store, crawl?.id ?? null, [line], await urlMask(call.app.store))
}
