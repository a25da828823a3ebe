import { type Access, grantCollection } from '../access/index.ts'
import { createManualCollection } from '../inventory/index.ts'
import { nowSeconds } from '../kit/index.ts'
import { usingTransaction } from '../store/index.ts'
import type { Caller } from './handler.ts'

/**
 * Makes a collection for files, crawls and edits by hand. A caller restricted to some collections is granted it in the same
 * transaction: what one makes one can see.
 *
 * @param name one that `checkedName` returned, or a host with its port
 * @throws Failure COLLECTION_NAME_TAKEN
 */
export async function newCollection(access: Access, caller: Caller, name: string): Promise<number> {
  const id = await usingTransaction(access.store.pool, async (client) => {
    const made = await createManualCollection(client, name, nowSeconds())
    if (caller.collectionIds !== null) await grantCollection(client, caller.userId, made.id)
    return made.id
  })
  if (caller.collectionIds !== null) access.callers.clear()
  return id
}
