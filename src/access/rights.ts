import type { Role } from '../contract/index.ts'
import type { Store } from '../store/index.ts'

/** What a person may do, whether they call now or left something that acts for them. */
export interface Rights {
  readonly login: string
  readonly role: Role
  /** Collections this person may see; null = all. */
  readonly collectionIds: readonly number[] | null
}

/**
 * What the person behind a stored record may do now. Runs, crawls, channels and credentials act with it, not with what
 * the person was allowed when they were made. A person who has no account any more is allowed nothing.
 */
export async function rightsOf(store: Store, login: string): Promise<Rights> {
  const { rows } = await store.pool.query<{ role: Role; collection_ids: number[] | null }>(
    'SELECT role, collection_ids FROM users WHERE login = $1',
    [login],
  )
  const row = rows[0]
  if (row === undefined) return { login, role: 'GUEST', collectionIds: [] }
  return { login, role: row.role, collectionIds: row.role === 'ADMIN' ? null : row.collection_ids }
}
