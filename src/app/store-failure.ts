import { Failure } from '../kit/index.ts'

/** Network errors of the driver (errno names). */
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
])
/**
 * SQLSTATE classes and codes (PostgreSQL manual, appendix A): connection, idle in a transaction, shutdown, cancelled at its time limit, memory,
 * too many connections.
 */
const SQL_STATE = /^(08...|25P03|57P..|57014|53[02-4]00)$/
const DISK_FULL = '53100'
/** The driver gives these without a code. */
const DRIVER_TEXT =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection)/

/** The error as it is, or what is wrong with the store when it says so: STORE_FULL, STORE_UNAVAILABLE. */
export function readStoreFailure(error: unknown): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error
  const { code, severity } = error as { code?: unknown; severity?: unknown }
  if (code === DISK_FULL) return new Failure('STORE_FULL', {}, { cause: error })
  // The server ends a session with FATAL: the database is gone or takes no connections, the password was changed.
  const isLoginFailure =
    severity === 'FATAL' ||
    (typeof code === 'string' ? NETWORK.has(code) || SQL_STATE.test(code) : DRIVER_TEXT.test(error.message))
  return isLoginFailure ? new Failure('STORE_UNAVAILABLE', {}, { cause: error }) : error
}
