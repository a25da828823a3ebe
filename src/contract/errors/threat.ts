import { errorRows } from './row.ts'

/** Errors of the threat operations. */
export const threatErrors = errorRows({})
