import type { InventoryPort } from '../../inventory/index.ts'
import { inSpan } from '../../kit/index.ts'
import type { Detection } from './detection.ts'

/**
 * The inventory behind detection: messages are looked at by detection threads first, and reach the engine with what
 * was found in them. Where no filter is on they go straight there.
 */
export function watchedInventory(inventory: InventoryPort, detection: Detection): InventoryPort {
  return {
    ...inventory,
    async ingest(...[bytes, placement, source, allowed = null, , deliveries = null]) {
      const findings = await inSpan('threat detection', {}, () => detection.find({ bytes, source }))
      return inventory.ingest(bytes, placement, source, allowed, findings, deliveries)
    },
    async observe(exchanges, placement, importId) {
      const collectionId = 'collectionId' in placement ? placement.collectionId : 0
      const findings = await detection.find({ exchanges, collectionId })
      return inventory.observe(exchanges, placement, importId, findings)
    },
  }
}
