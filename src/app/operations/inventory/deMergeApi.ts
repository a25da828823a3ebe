import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { requireOwnEndpoint } from './require-endpoint.ts'

/** Splits a path template into the paths behind it. */
export const deMergeApi: Handler<'deMergeApi'> = async (input, call) => {
  const endpoint = await requireOwnEndpoint(input, call)
  if (!endpoint.isTemplate) throw new Failure('NOT_A_TEMPLATE', { url: input.url })
  const moves = await call.app.inventory.decide({
    kind: 'SPLIT',
    collectionId: endpoint.collectionId,
    method: endpoint.method,
    url: endpoint.url,
    decidedBy: call.caller.login,
  })
  return {
    deMergedApis: moves.map(({ method, to }) => ({
      method,
      apiCollectionId: endpoint.collectionId,
      url: to,
    })),
  }
}
