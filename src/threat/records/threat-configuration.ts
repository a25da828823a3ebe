import { eventDays } from '../../contract/limits.ts'
import { nowSeconds } from '../../kit/index.ts'
import type { Queryable } from '../../store/index.ts'
import type { HeaderActorSetup } from '../actors/actor-rules.ts'

/** What people set about threats while the product runs. */
export interface ThreatConfiguration {
  /** Headers that name actors; the first that fits the host decides. */
  readonly headerActors: readonly HeaderActorSetup[]
  /** Whether old events are removed. */
  readonly isPurging: boolean
  /** Days for which events are kept. */
  readonly keptDays: number
}

const NAME = 'threat-configuration'
const DEFAULT: ThreatConfiguration = { headerActors: [], isPurging: true, keptDays: eventDays.byDefault }

/** The configuration, or its defaults. */
export async function readThreatConfiguration(db: Queryable): Promise<ThreatConfiguration> {
  const { rows } = await db.query<{ value: Partial<ThreatConfiguration> }>(
    'SELECT value FROM settings WHERE name = $1',
    [NAME],
  )
  return { ...DEFAULT, ...rows[0]?.value }
}

/** A text that changes with the configuration, whichever process changed it. */
export async function configurationRevision(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ revision: string }>(
    'SELECT md5(value::text) AS revision FROM settings WHERE name = $1',
    [NAME],
  )
  return rows[0]?.revision ?? ''
}

/** Replaces the configuration. */
export async function saveThreatConfiguration(
  db: Queryable,
  configuration: ThreatConfiguration,
  now = nowSeconds(),
): Promise<void> {
  await db.query(
    `INSERT INTO settings (name, value, updated_at) VALUES ($1, $2::jsonb, $3)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
    [NAME, JSON.stringify(configuration), now],
  )
}
