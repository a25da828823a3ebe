import { group } from '../operation.ts'

/** The operations of this group by their wire names. */
export const testRunOperations = group('test-runs', {})
