import { crawlerMessageLength } from '../../../contract/index.ts'
import { parseSampleMessage } from '../../../http/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { requireCollection } from '../../require-collection.ts'

/** Feeds one exchange that a crawler captured into the collection it names. */
export const uploadCrawlerData: Handler<'uploadCrawlerData'> = async (input, { app, caller }) => {
  if (input.crawlerData.length > crawlerMessageLength) throw new Failure('CRAWLER_DATA_TOO_LARGE', {})
  const collectionId = input.apiCollectionId
  await requireCollection(app.store, caller, collectionId, 'API_COLLECTION_NOT_FOUND')
  const exchange = readMessage(input.crawlerData)
  const observed = await app.inventory.observe([{ ...exchange, source: 'CRAWLER' }], { collectionId })
  const outcome = observed.outcomes[0]!
  if (!outcome.taken && outcome.rule === 'rejected') throw new Failure('API_COLLECTION_NOT_FOUND', {})
}

function readMessage(text: string) {
  try {
    return parseSampleMessage(text, { source: 'CRAWLER' })
  } catch (error) {
    throw new Failure('CRAWLER_DATA_INVALID', {}, { cause: error })
  }
}
