import type { OperationName } from '../contract/index.ts'
import { type Log, reportError, type Settings } from '../kit/index.ts'
import type { Store } from '../store/index.ts'
import { ReadReplica } from '../store/owner.ts'
import type { Call, Caller } from './handler.ts'

/** What they show is the state of the primary, and of this process. */
const OF_THE_PRIMARY: ReadonlySet<OperationName> = new Set(['fetchSystemStatus'])

/** The standby that the settings name; null without one. */
export function openReadReplica(store: Store, settings: Settings, log: Log): ReadReplica | null {
  const { databaseReadUrl: databaseUrl, databaseReadLagSeconds: maxLagSeconds } = settings
  if (databaseUrl === null) return null
  if (store.kind === 'embedded') {
    const error = new Error(
      'VIGIL_DATABASE_READ_URL needs VIGIL_DATABASE_URL: the embedded store has no standby',
    )
    log.warn('replica.unused', { error: reportError(error) })
    return null
  }
  return new ReadReplica(store, {
    databaseUrl,
    maxLagMs: maxLagSeconds * 1000,
    statementMs: settings.statementSeconds * 1000,
    onUsable: () => log.info('replica.used', { maxLagSeconds }),
    onUnusable: (error) => log.warn('replica.unused', { error: reportError(error) }),
  })
}

/** Runs an operation that changes nothing, on the standby where that is close enough for this caller. */
export function readingCall<T>(name: OperationName, call: Call, run: (call: Call) => Promise<T>): Promise<T> {
  const { replica } = call.app
  if (replica === null || OF_THE_PRIMARY.has(name)) return run(call)
  return replica.read(nameOf(call.caller), (store) => run({ ...call, app: { ...call.app, store } }))
}

/**
 * Runs an operation that changes something, after which its caller reads the primary until the standby has the change.
 *
 * @param isFrequent the other processes are not told: a sender of traffic is not who looks at lists
 */
export async function writingCall<T>(call: Call, isFrequent: boolean, run: () => Promise<T>): Promise<T> {
  const { replica, log } = call.app
  if (replica === null) return run()
  const name = nameOf(call.caller)
  try {
    return await run()
  } finally {
    if (isFrequent) replica.noteWrite(name)
    else
      await replica
        .tellWrite(name)
        .catch((error: unknown) => log.warn('part.failed', { part: 'replica', error: reportError(error) }))
  }
}

/** Two sessions of a person are two readers, since one may write and the other only look. */
function nameOf({ sessionId, keyId }: Caller): string {
  return sessionId === null ? `key ${keyId}` : `session ${sessionId}`
}
