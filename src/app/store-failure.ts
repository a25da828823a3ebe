import { Failure } from '../kit/index.ts'
import { isConnectionError } from '../store/connection-error.ts'

/**
 * SQLSTATE codes (PostgreSQL manual, appendix A): idle in a transaction, cancelled at its time limit, out of resources or
 * memory, too many connections.
 */
const REFUSED = /^(25P03|57014|53[02-4]00)$/
const DISK_FULL = '53100'

/** The error as it is, or what is wrong with the store when it says so: STORE_FULL, STORE_UNAVAILABLE. */
export function readStoreFailure(error: unknown): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error
  const { code, severity } = error as { code?: unknown; severity?: unknown }
  if (code === DISK_FULL) return new Failure('STORE_FULL', {}, { cause: error })
  // The server ends a session with FATAL: the database is gone or takes no connections, the password was changed.
  const isAway =
    severity === 'FATAL' || isConnectionError(error) || (typeof code === 'string' && REFUSED.test(code))
  return isAway ? new Failure('STORE_UNAVAILABLE', {}, { cause: error }) : error
}
