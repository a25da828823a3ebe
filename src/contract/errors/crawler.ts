import { errorRows } from './row.ts'

/** Errors of the crawler operations. */
export const crawlerErrors = errorRows({})
