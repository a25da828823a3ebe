import { errorRows } from './row.ts'

/** Errors of the test runs operations. */
export const testRunErrors = errorRows({})
