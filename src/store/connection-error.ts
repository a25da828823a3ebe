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
/** SQLSTATE classes of connections and of a server that shuts down or starts (PostgreSQL manual, appendix A). */
const SQL_STATE = /^(08...|57P..)$/
/** The driver gives these without a code. */
const DRIVER_TEXT =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection)/

/** SQLSTATE of a full disk, and of too many connections, as after a fail-over. */
const NO_ROOM = new Set<unknown>(['53100', '53300'])

/**
 * Whether an error says that the database cannot serve for a while, its connection lost or no room for more, and not that a
 * statement took too long; it may be another server's.
 */
export function isUnavailable(error: unknown): boolean {
  if (NO_ROOM.has((error as { code?: unknown } | null)?.code)) return true
  return isConnectionError(error) && !(error as Error).message.startsWith('Query read timeout')
}

/** Whether an error says that the connection to the database is lost or cannot be made, not that a statement failed. */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  return typeof code === 'string'
    ? NETWORK.has(code) || SQL_STATE.test(code)
    : DRIVER_TEXT.test(error.message)
}
