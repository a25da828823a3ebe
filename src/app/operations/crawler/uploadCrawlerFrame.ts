import { saveFrame } from '../../../crawler/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { requireCrawl } from './require-crawl.ts'

/** Keeps the latest picture of a crawl while somebody watches. */
export const uploadCrawlerFrame: Handler<'uploadCrawlerFrame'> = async (input, call) => {
  if (input.crawlId === '' || input.frameData === '') throw new Failure('CRAWL_FRAME_REQUIRED', {})
  const crawl = await requireCrawl(call, input.crawlId)
  await saveFrame(call.app.store, crawl.id, {
    frame: input.frameData,
    url: input.currentUrl ?? '',
  })
}
