import { type EndpointName, type EndpointView, findEndpoint } from '../../../inventory/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Call } from '../../handler.ts'
import { requireCollection } from '../../require-collection.ts'

/**
 * The endpoint of a key in an active collection that the caller may see.
 *
 * @throws Failure NO_SUCH_ENDPOINT, or what {@link requireCollection} throws
 */
export async function requireEndpoint(name: EndpointName, { app, caller }: Call): Promise<EndpointView> {
  await requireCollection(app.store, caller, name.apiCollectionId)
  const endpoint = await findEndpoint(app.store, name)
  if (endpoint === undefined) throw new Failure('NO_SUCH_ENDPOINT', {})
  return endpoint
}
