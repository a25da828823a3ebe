import { careForEndpoints } from '../../../inventory/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { requireGranted } from '../../require-collection.ts'

/** Sets tags, owner and state of endpoints. */
export const updateEndpoints: Handler<'updateEndpoints'> = async (input, { app, caller }) => {
  if (input.apiList.length === 0) throw new Failure('NO_APIS_GIVEN', {})
  for (const key of input.apiList) requireGranted(caller, key.apiCollectionId)
  const clean = (tags: readonly string[]): string[] =>
    tags.map((one) => one.trim()).filter((one) => one !== '')
  const updatedCount = await careForEndpoints(app.store, input.apiList, {
    addTags: clean(input.addTags),
    removeTags: clean(input.removeTags),
    owner: input.owner?.trim() ?? null,
    state: input.state,
  })
  if (updatedCount === 0) throw new Failure('NO_SUCH_ENDPOINT', {})
  return { updatedCount }
}
