import { burpPageSize } from '../../../contract/index.ts'
import {
  absoluteUrl,
  type Exchange,
  parseSampleMessage,
  writeRawRequest,
  writeRawResponse,
} from '../../../http/index.ts'
import { idOfCollection, sampledEndpoints } from '../../../inventory/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { requireCollection } from '../../require-collection.ts'
import { shownMessages } from '../../shown-messages.ts'

/** Characters of the messages of a page, but for its last one. */
const MAX_PAGE_CHARS = 4 * 1024 * 1024

/** How many messages of a list make a page: at least one. */
function countWithin(page: readonly { readonly message: string | null }[]): number {
  let chars = 0
  const over = page.findIndex(({ message }) => {
    chars += message?.length ?? 0
    return chars >= MAX_PAGE_CHARS
  })
  return over < 0 ? page.length : over + 1
}

function entryOf({ request, response }: Exchange): { url: string; req: string; res: string } {
  return {
    url: absoluteUrl(request),
    req: writeRawRequest(request, { target: 'absolute', contentLength: true }),
    res: writeRawResponse(response, request.version),
  }
}

/**
 * Pages through the endpoints of a collection as raw requests and responses: whole for the Burp extension of members and
 * administrators, which sends them again and which is logged, and masked for everyone else.
 */
export const importInBurp: Handler<'importInBurp'> = async (input, call) => {
  const { app, caller } = call
  const id = await idOfCollection(app.store, input.collectionName)
  if (id === undefined) throw new Failure('INVALID_COLLECTION', {})
  await requireCollection(app.store, caller, id, 'INVALID_COLLECTION')
  const limit = input.limit <= 0 || input.limit > burpPageSize ? burpPageSize : input.limit
  const { lastUrlFetched: url, lastMethodFetched: method } = input
  const after = url !== null && method !== null ? { url, method } : null
  const page = await sampledEndpoints(app.store, id, after, limit + 1)
  const rows = page.slice(0, Math.min(limit, countWithin(page)))
  const last = page.length > rows.length ? rows.at(-1) : undefined
  const shown = await shownMessages(call, {
    operation: 'importInBurp',
    isUnmasked: caller.via === 'BURP' && caller.role !== 'GUEST',
    of: `collection ${id}`,
  })
  const messages = await shown.samples(rows.flatMap(({ message }) => message ?? []))
  return {
    importInBurpResult: messages.map((message) => entryOf(parseSampleMessage(message))),
    lastUrlFetched: last?.url ?? null,
    lastMethodFetched: last?.method ?? null,
    actionErrors: [],
  }
}
