import type { keptKinds } from '../contract/index.ts'
import { nowSeconds } from '../kit/index.ts'
import { lockTransaction, type Queryable, type Store, usingTransaction } from '../store/index.ts'

/** The one organisation that an installation serves, where records of the interface name an account. */
export const organisationId = 1_000_000

/** What is kept for a time. */
export type KeptKind = (typeof keptKinds)[number]

const NAME = 'organisation'

/** What administrators set for the whole installation while it runs. */
export interface Organisation {
  /** Empty: not given. */
  readonly name: string
  /** IANA name; empty: the zone of each browser. */
  readonly timeZone: string
  /** Whether new collections store no payload values; read where collections are made, too. */
  readonly redactsNewCollections: boolean
  /** How long rows are kept, in the unit of the setting; kinds that are not in it follow the settings. */
  readonly kept: Readonly<Partial<Record<KeptKind, number>>>
}

const DEFAULT: Organisation = { name: '', timeZone: '', redactsNewCollections: false, kept: {} }

/** What was set, or the defaults. */
export async function readOrganisation(db: Queryable): Promise<Organisation> {
  const { rows } = await db.query<{ value: Partial<Organisation> }>(
    'SELECT value FROM settings WHERE name = $1',
    [NAME],
  )
  return { ...DEFAULT, ...rows[0]?.value }
}

/** Changes what was set; changes made at the same time take turns. @returns what is set now */
export function changeOrganisation(
  store: Store,
  change: (known: Organisation) => Organisation,
): Promise<Organisation> {
  return usingTransaction(store.pool, async (client) => {
    await lockTransaction(client, 'organisation')
    const organisation = change(await readOrganisation(client))
    await client.query(
      `INSERT INTO settings (name, value, updated_at) VALUES ($1, $2::jsonb, $3)
       ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
      [NAME, JSON.stringify(organisation), nowSeconds()],
    )
    return organisation
  })
}
