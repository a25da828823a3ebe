import { isTimeZone } from '../../../contract/index.ts'
import { Failure } from '../../../kit/index.ts'
import { findRole, mayUseRole } from '../../../testing/index.ts'
import type { Call } from '../../handler.ts'

const DAY_SECONDS = 86_400
const PERIODS = { daily: DAY_SECONDS, weekly: 7 * DAY_SECONDS, monthly: 30 * DAY_SECONDS } as const

/** How a run is to come back, as clients say it. */
export interface Recurrences {
  readonly recurringDaily: boolean
  readonly recurringWeekly: boolean
  readonly recurringMonthly: boolean
  readonly continuousTesting: boolean
}

/** Seconds between the executions of a run: 0 once, -1 continuous, which wins; of several the shortest. */
export function periodOf(sent: Recurrences): number {
  if (sent.continuousTesting) return -1
  if (sent.recurringDaily) return PERIODS.daily
  if (sent.recurringWeekly) return PERIODS.weekly
  return sent.recurringMonthly ? PERIODS.monthly : 0
}

/** Identifier of the role under test; null for none. @throws Failure TEST_ROLE_NOT_FOUND */
export async function readRole(idOrName: string, { app, caller }: Call): Promise<string | null> {
  if (idOrName === '') return null
  const role = await findRole(app.store, app.sealer, idOrName)
  if (role === undefined || !mayUseRole(role, caller))
    throw new Failure('TEST_ROLE_NOT_FOUND', { role: idOrName })
  return role.id
}

/** The zone that a run repeats in; empty for none. @throws Failure INVALID_TIME_ZONE */
export function readTimeZone(name: string): string {
  if (name !== '' && !isTimeZone(name)) throw new Failure('INVALID_TIME_ZONE', {})
  return name
}

/** The other target of a run; null for none. @throws Failure INVALID_OVERRIDE_URL */
export function readOverride(text: string): string | null {
  if (text === '') return null
  const isWeb = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  if (!isWeb) throw new Failure('INVALID_OVERRIDE_URL', {})
  return text
}
