import { setCollectionFlag } from '../../../inventory/index.ts'
import type { Call } from '../../handler.ts'
import { requireSeen } from '../../require-collection.ts'

/** Switches collections on or off, and tells the engine. */
export async function setActive(
  collections: readonly { id: number }[],
  isActive: boolean,
  { app, caller }: Call,
): Promise<Record<string, never>> {
  const ids = collections.map(({ id }) => id)
  for (const id of ids) await requireSeen(app.store, caller, id)
  await setCollectionFlag(app.store, ids, 'is_deactivated', !isActive)
  await app.inventory.forget(ids)
  return {}
}
