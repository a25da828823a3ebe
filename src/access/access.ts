import { type Log, reportError, type Sealer, type Settings } from '../kit/index.ts'
import type { Store } from '../store/index.ts'
import { AttemptLimit } from './attempt-limit.ts'
import { CallerCache } from './caller-cache.ts'

const ATTEMPTS_PER_HOUR = 10
const HOUR_MS = 3_600_000

/** What the functions of this room work with; one per process. */
export interface Access {
  readonly store: Store
  readonly sealer: Sealer
  readonly settings: Settings
  readonly log: Log
  readonly callers: CallerCache
  /** Failed sign-ins and sign-ups per address. */
  readonly attempts: AttemptLimit
  /** Signs access tokens. */
  readonly tokenKey: Uint8Array
}

/** Opens the room. */
export function openAccess(store: Store, sealer: Sealer, settings: Settings, log: Log): Access {
  return {
    store,
    sealer,
    settings,
    log,
    callers: new CallerCache((error) =>
      log.warn('part.failed', { part: 'access', error: reportError(error) }),
    ),
    attempts: new AttemptLimit(ATTEMPTS_PER_HOUR, HOUR_MS),
    tokenKey: sealer.deriveKey('access-tokens'),
  }
}
