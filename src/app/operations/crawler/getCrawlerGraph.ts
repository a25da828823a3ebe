import { listSteps, navigationGraph } from '../../../crawler/index.ts'
import type { Handler } from '../../handler.ts'
import { requireCrawl } from './require-crawl.ts'

const MAX_STEPS = 2000

/** The navigation graph of a crawl, or the part of it that leads to one URL. */
export const getCrawlerGraph: Handler<'getCrawlerGraph'> = async ({ crawlId, url }, call) => {
  const { store } = call.app
  const crawl = await requireCrawl(call, crawlId)
  const steps = await listSteps(store, crawl.id, url === '' ? null : url, MAX_STEPS)
  return {
    navigationGraph: steps.length === 0 ? (crawl.graphText ?? '') : navigationGraph(steps),
    steps: steps.map((step) => ({ ...step, calls: [...step.calls] })),
    total: crawl.steps,
  }
}
