import { errorRows } from './row.ts'

/** Errors of the issues operations. */
export const issueErrors = errorRows({})
