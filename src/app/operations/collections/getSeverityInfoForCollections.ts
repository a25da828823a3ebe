import type { Handler } from '../../handler.ts'

/** Counts open issues per collection. No room records issues yet, so there are none to count. */
export const getSeverityInfoForCollections: Handler<'getSeverityInfoForCollections'> = async () => ({})
