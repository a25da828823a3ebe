import { type Log, reportError, type Sealer, type Settings } from '../kit/index.ts'
import type { Store } from '../store/index.ts'
import { CallerCache } from './caller-cache.ts'
import { SharedFailures } from './shared-failures.ts'
import { SignInLimits } from './sign-in-limits.ts'

/** What the functions of this module work with; one per process. */
export interface Access {
  readonly store: Store
  readonly sealer: Sealer
  readonly settings: Settings
  readonly log: Log
  readonly callers: CallerCache
  /** Slows down those who guess passwords, invitations and the set-up code. */
  readonly limits: SignInLimits
  /** Signs access tokens. */
  readonly tokenKey: Uint8Array
  /** Marks browsers in which somebody signed in. */
  readonly deviceKey: Uint8Array
}

/** Opens the module. */
export function openAccess(store: Store, sealer: Sealer, settings: Settings, log: Log): Access {
  // The embedded store has one process.
  const shared =
    settings.databaseUrl === null ? null : new SharedFailures(store, sealer.deriveKey('sign-in-failures'))
  return {
    store,
    sealer,
    settings,
    log,
    callers: new CallerCache((error) =>
      log.warn('part.failed', { part: 'access', error: reportError(error) }),
    ),
    limits: new SignInLimits(shared),
    tokenKey: sealer.deriveKey('access-tokens'),
    deviceKey: sealer.deriveKey('known-devices'),
  }
}
