import type { Store } from '../store/index.ts'
import type { InventoryPort } from './engine/port.ts'

/**
 * What a query of counts reads from: the engine commits counts in a compact form, and adds them to the tables that
 * lists read in the background, or when somebody is about to read them.
 */
export interface CountSource {
  readonly store: Store
  readonly inventory: Pick<InventoryPort, 'flush'>
}

/** The store, with every count that is committed by now in the tables that lists read. */
export async function upToDate({ store, inventory }: CountSource): Promise<Store> {
  await inventory.flush()
  return store
}
