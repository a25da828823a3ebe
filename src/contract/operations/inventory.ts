import { group } from '../operation.ts'

/** The operations of this group by their wire names. */
export const inventoryOperations = group('inventory', {})
