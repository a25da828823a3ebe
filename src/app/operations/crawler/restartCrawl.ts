import { hasEnded } from '../../../crawler/index.ts'
import { Failure } from '../../../kit/index.ts'
import { startCrawl } from '../../crawler/start-crawl.ts'
import type { Handler } from '../../handler.ts'
import { requireCollection } from '../../require-collection.ts'
import { requireCrawl } from './require-crawl.ts'

/** Makes a new crawl with the options of one that ended, and the credentials that are sent. */
export const restartCrawl: Handler<'restartCrawl'> = async (input, call) => {
  const crawl = await requireCrawl(call, input.crawlId)
  if (!hasEnded(crawl)) throw new Failure('CRAWL_IS_RUNNING', {})
  await requireCollection(call.app.store, call.caller, crawl.collectionId, 'API_COLLECTION_NOT_FOUND')
  const crawlId = await startCrawl(
    {
      hostname: crawl.hostname,
      crawlingTime: crawl.crawlingSeconds,
      outscopeUrls: crawl.outScopeUrls,
      urlTemplatePatterns: crawl.urlTemplatePatterns,
      applicationPages: crawl.applicationPages,
      journeys: null,
      testRoleHexId: crawl.testRoleId,
      username: input.username,
      password: input.password,
      apiKey: input.apiKey,
      dashboardUrl: crawl.dashboardUrl,
      runTestAfterCrawling: crawl.isTestedAfter,
      selectedMiniTestingService: crawl.executor,
      selectedModuleName: crawl.moduleName,
      customHeaders: input.customHeaders,
      harmfulActions: crawl.harmfulActions,
    },
    { collectionId: crawl.collectionId },
    call,
  )
  return { crawlId }
}
