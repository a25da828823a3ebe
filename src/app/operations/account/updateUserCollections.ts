import { setUserCollections } from '../../../access/index.ts'
import { requireAllCollections } from '../../../inventory/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'

const USER_ID = /^\d{1,10}$/

/** Sets which collections people may see, all of them or none. */
export const updateUserCollections: Handler<'updateUserCollections'> = async (input, { app, caller }) => {
  const grants = new Map<number, readonly number[] | null>()
  for (const [userId, collectionIds] of Object.entries(input.userCollectionMap)) {
    if (!USER_ID.test(userId)) throw new Failure('NO_SUCH_USER')
    grants.set(Number(userId), collectionIds)
  }
  const wanted = [...new Set([...grants.values()].flatMap((ids) => ids ?? []))]
  await requireAllCollections(app.store, wanted)
  await setUserCollections(app.access, grants, caller.userId)
  return { updated: grants.size }
}
