import { openApiOf } from '../../../inventory/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { requireCollection } from '../../require-collection.ts'

/** Writes an OpenAPI document of the discovered endpoints, one page at a time. */
export const generateOpenApiFile: Handler<'generateOpenApiFile'> = async (input, { app, caller }) => {
  const { lastFetchedUrl: url, lastFetchedMethod: method } = input
  await requireCollection(app.store, caller, input.apiCollectionId)
  if ((url === null) !== (method === null)) throw new Failure('INVALID_CURSOR', {})
  const page = await openApiOf(app, {
    collectionId: input.apiCollectionId,
    after: url === null || method === null ? null : { url, method },
    keys: input.apiInfoKeyList ?? [],
    hasHeaders: input.includeHeaders,
  })
  return {
    openAPIString: page.document,
    lastFetchedUrl: page.next?.url ?? null,
    lastFetchedMethod: page.next?.method ?? null,
  }
}
