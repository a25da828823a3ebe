import { crawlerMessageLength } from '../../../contract/index.ts'
import { countCaptured } from '../../../crawler/index.ts'
import type { Handler } from '../../handler.ts'
import { requireCollection } from '../../require-collection.ts'
import { requireCrawl } from './require-crawl.ts'

/** Feeds many captured exchanges into the collection that is named; each good one is taken. */
export const uploadCrawlerDataBatch: Handler<'uploadCrawlerDataBatch'> = async (input, call) => {
  const { app, caller } = call
  const { apiCollectionId: collectionId, crawlerDataList: messages } = input
  await requireCollection(app.store, caller, collectionId, 'API_COLLECTION_NOT_FOUND')
  const crawl =
    input.crawlId === null || input.crawlId === '' ? null : await requireCrawl(call, input.crawlId)
  const rejected = messages.flatMap((message, index) => {
    if (message.length > crawlerMessageLength) return [{ index, reason: 'crawlerData is too large' }]
    return isJson(message) ? [] : [{ index, reason: 'the message is not JSON' }]
  })
  const refused = new Set(rejected.map(({ index }) => index))
  const places = messages.flatMap((_message, index) => (refused.has(index) ? [] : [index]))
  if (places.length === 0) return { accepted: 0, rejected }
  const outcome = await app.crawls.take(
    collectionId,
    places.map((index) => messages[index]!),
    caller.login,
  )
  for (const { index, reason } of outcome.rejected) rejected.push({ index: places[index]!, reason })
  if (crawl !== null) await countCaptured(app.store, crawl.id, outcome.accepted)
  return { accepted: outcome.accepted, rejected }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return false
  }
}
