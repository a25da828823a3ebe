import { burpPageSize } from '../../../contract/index.ts'
import { absoluteUrl, parseSampleMessage, writeRawRequest, writeRawResponse } from '../../../http/index.ts'
import { sampledEndpoints } from '../../../inventory/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { requireCollection } from '../../require-collection.ts'

function entryOf(message: string): { url: string; req: string; res: string } {
  const { request, response } = parseSampleMessage(message)
  return {
    url: absoluteUrl(request),
    req: writeRawRequest(request, { target: 'absolute', contentLength: true }),
    res: writeRawResponse(response, request.version),
  }
}

/** Pages through the endpoints of a collection as raw requests and responses. */
export const importInBurp: Handler<'importInBurp'> = async (input, { app, caller }) => {
  const collection = await app.store.db
    .selectFrom('collections')
    .select('id')
    .where('name', '=', input.collectionName)
    .executeTakeFirst()
  if (collection === undefined) throw new Failure('INVALID_COLLECTION', {})
  await requireCollection(app.store, caller, collection.id, 'INVALID_COLLECTION')
  const limit = input.limit <= 0 || input.limit > burpPageSize ? burpPageSize : input.limit
  const { lastUrlFetched: url, lastMethodFetched: method } = input
  const after = url !== null && method !== null ? { url, method } : null
  const page = await sampledEndpoints(app.store, collection.id, after, limit + 1)
  const rows = page.slice(0, limit)
  const last = page.length > limit ? rows.at(-1) : undefined
  return {
    importInBurpResult: rows.flatMap((row) => (row.message === null ? [] : [entryOf(row.message)])),
    lastUrlFetched: last?.url ?? null,
    lastMethodFetched: last?.method ?? null,
    actionErrors: [],
  }
}
