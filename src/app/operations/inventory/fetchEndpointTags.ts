import { listEndpointTags } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'

/** Lists tags and owners of endpoints. */
export const fetchEndpointTags: Handler<'fetchEndpointTags'> = async (_input, { app, caller }) => {
  const { tags, owners } = await listEndpointTags(app.store, caller.collectionIds)
  const wire = (names: readonly { name: string; count: number }[]) =>
    names.map(({ name, count }) => ({ name, endpoints: count }))
  return { tags: wire(tags), owners: wire(owners) }
}
