import { latestDocument } from '../../../inventory/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { requireSeen } from '../../require-collection.ts'

/** Returns the specification last uploaded into a collection, as JSON text. */
export const fetchOpenApiSchema: Handler<'fetchOpenApiSchema'> = async (input, { app, caller }) => {
  const id = input.apiCollectionId
  await requireSeen(app.store, caller, id)
  const document = await latestDocument(app.store, id)
  if (document === null) throw new Failure('NO_OPENAPI_SCHEMA', { apiCollectionId: id })
  return { openApiSchema: document }
}
