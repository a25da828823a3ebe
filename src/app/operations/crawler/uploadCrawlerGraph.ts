import { saveGraphText, saveSteps } from '../../../crawler/index.ts'
import { mapInSlices } from '../../../kit/in-slices.ts'
import type { Handler } from '../../handler.ts'
import { urlMask } from '../../shown-urls.ts'
import { requireCrawl } from './require-crawl.ts'

/** Keeps steps of the navigation graph of a crawl, or the whole of it as text. */
export const uploadCrawlerGraph: Handler<'uploadCrawlerGraph'> = async (input, call) => {
  const { store } = call.app
  const crawl = await requireCrawl(call, input.crawlId)
  const mask = await urlMask(store)
  await saveSteps(store, crawl.id, input.steps ?? [], mask)
  if (input.graph === null) return
  const lines = await mapInSlices(input.graph.split('\n'), mask)
  await saveGraphText(store, crawl.id, lines.join('\n'))
}
