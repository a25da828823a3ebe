import { type EndpointName, type EndpointView, findEndpoint } from '../../../inventory/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Call } from '../../handler.ts'
import { maySee, requireCollection, requireGranted } from '../../require-collection.ts'

/**
 * The endpoint of a key in an active collection, for reading: the grant of a group covers its members, under the
 * group's id and under their own. Undefined when a collection that was granted has none of the key.
 *
 * @throws Failure COLLECTION_MINUS_ONE, COLLECTION_DENIED, NO_SUCH_COLLECTION, DEACTIVATED_COLLECTION
 */
export async function readEndpoint(
  name: EndpointName,
  { app, caller }: Call,
): Promise<EndpointView | undefined> {
  const id = name.apiCollectionId
  if (maySee(caller, id) || id === -1) {
    await requireCollection(app.store, caller, id)
    const found = await findEndpoint(app.store, name)
    // A member of a group: its own collection may be deactivated.
    if (found !== undefined && found.collectionId !== id)
      await requireCollection(app.store, { ...caller, collectionIds: null }, found.collectionId)
    return found
  }
  const endpoint = await findEndpoint(app.store, name)
  const group = endpoint?.collectionIds.find((one) => maySee(caller, one))
  if (endpoint === undefined || group === undefined) throw new Failure('COLLECTION_DENIED', {})
  await requireCollection(app.store, { ...caller, collectionIds: null }, endpoint.collectionId)
  return endpoint
}

/**
 * As {@link readEndpoint}, for operations that need one.
 *
 * @throws Failure NO_SUCH_ENDPOINT, or what {@link readEndpoint} throws
 */
export async function requireEndpoint(name: EndpointName, call: Call): Promise<EndpointView> {
  const endpoint = await readEndpoint(name, call)
  if (endpoint === undefined) throw new Failure('NO_SUCH_ENDPOINT', {})
  return endpoint
}

/**
 * As {@link requireEndpoint}, for operations that change the endpoint: its own collection must have been granted.
 *
 * @throws Failure COLLECTION_DENIED, or what {@link requireEndpoint} throws
 */
export async function requireOwnEndpoint(name: EndpointName, call: Call): Promise<EndpointView> {
  const endpoint = await requireEndpoint(name, call)
  requireGranted(call.caller, endpoint.collectionId)
  return endpoint
}
