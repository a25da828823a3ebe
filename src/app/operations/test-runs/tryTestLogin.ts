import type { Handler } from '../../handler.ts'
import { requireCollection } from '../../require-collection.ts'
import { readRoleName, requireRoleSeen } from './change-role.ts'

/** Signs a test role in once, and tells every step. */
export const tryTestLogin: Handler<'tryTestLogin'> = async (input, call) => {
  const { app, caller } = call
  const roleName = readRoleName(input.roleName)
  await requireRoleSeen(call, roleName)
  const collectionId = input.apiCollectionId > 0 ? input.apiCollectionId : null
  if (collectionId !== null) await requireCollection(app.store, caller, collectionId)
  const tried = await app.testRuns.tryLogin({
    roleName,
    index: input.index ?? 0,
    collectionId,
    user: caller.login,
  })
  return {
    ...tried,
    steps: [...tried.steps],
    session: [...tried.session],
    reached: tried.reached.map(({ endpoint, ...statuses }) => ({
      apiInfoKey: { apiCollectionId: endpoint.collectionId, method: endpoint.method, url: endpoint.url },
      ...statuses,
    })),
  }
}
