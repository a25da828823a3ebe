import { Failure, newHexId, nowSeconds, type Sealer } from '../../kit/index.ts'
import { type RoleConditionsRow, type Store, type StoreClient, usingTransaction } from '../../store/index.ts'
import {
  type AuthMechanismView,
  insertMechanism,
  MECHANISM_COLUMNS,
  type MechanismRow,
  type NewAuthMechanism,
  openMechanism,
} from './auth-mechanism.ts'

/** The role of the system: whose token a test attacks with. */
export const attackerRole = 'ATTACKER_TOKEN_ALL'
const SYSTEM = 'System'

/** One authentication of a role and when it applies. */
export interface RoleCredential {
  mechanism: AuthMechanismView
  /** Request headers that must match; {} for the default entry. */
  headerPairs: Record<string, string>
  /** Pattern that the URL must match; null for the default entry. */
  urlRegex: string | null
}

/** Somebody a test can act as. */
export interface TestRoleView {
  id: string
  name: string
  groupId: string
  isSystem: boolean
  andConditions: RoleConditionsRow | null
  orConditions: RoleConditionsRow | null
  /** Roles of users who may see it; null for everyone. */
  scopeRoles: string[] | null
  /** Anyone who was granted one of these collections may use it, beside its maker and people without restriction. */
  sharedWith: number[]
  createdBy: string
  createdAt: number
  updatedBy: string | null
  updatedAt: number
  credentials: RoleCredential[]
}

const COLUMNS = `r.id, r.name, r.group_id AS "groupId", r.is_system AS "isSystem", r.and_conditions AS "andConditions",
  r.or_conditions AS "orConditions", r.scope_roles AS "scopeRoles", r.shared_with AS "sharedWith", r.created_by AS "createdBy",
  r.created_at AS "createdAt", r.updated_by AS "updatedBy", r.updated_at AS "updatedAt"`

/** All roles with their credentials opened, that of the system first, then by name. */
export async function listRoles(store: Store, sealer: Sealer): Promise<TestRoleView[]> {
  const { rows } = await store.pool.query<Omit<TestRoleView, 'credentials'>>(
    `SELECT ${COLUMNS} FROM test_roles r ORDER BY r.is_system DESC, r.name`,
  )
  const { rows: credentials } = await store.pool.query<
    MechanismRow & { role_id: string; header_pairs: Record<string, string>; url_regex: string | null }
  >(
    `SELECT k.role_id, k.header_pairs, k.url_regex, ${MECHANISM_COLUMNS} FROM role_credentials k
     JOIN auth_mechanisms m ON m.id = k.mechanism_id ORDER BY k.role_id, k.position`,
  )
  return rows.map((role) => ({
    ...role,
    credentials: credentials
      .filter((row) => row.role_id === role.id)
      .map((row) => ({
        mechanism: openMechanism(row, sealer),
        headerPairs: row.header_pairs,
        urlRegex: row.url_regex,
      })),
  }))
}

/** A role by its identifier or its name. */
export async function findRole(
  store: Store,
  sealer: Sealer,
  idOrName: string,
): Promise<TestRoleView | undefined> {
  const roles = await listRoles(store, sealer)
  return roles.find((role) => role.id === idOrName) ?? roles.find((role) => role.name === idOrName)
}

/** What says who may use and change a role. */
type RoleGrant = Pick<TestRoleView, 'createdBy' | 'scopeRoles' | 'sharedWith'>

/** Who may use the role of an identifier or name; undefined without one. */
export async function roleGrant(store: Store, idOrName: string): Promise<RoleGrant | undefined> {
  const { rows } = await store.pool.query<RoleGrant>(
    `SELECT r.created_by AS "createdBy", r.scope_roles AS "scopeRoles", r.shared_with AS "sharedWith" FROM test_roles r
     WHERE r.id = $1 OR r.name = $1 ORDER BY r.id = $1 DESC LIMIT 1`,
    [idOrName],
  )
  return rows[0]
}

/**
 * Whether a person may use a role: administrators all; others those open to everyone or to their own role, and when they
 * are restricted to some collections, those that they made or that are shared with one of these.
 */
export function mayUseRole(
  { createdBy, scopeRoles, sharedWith }: RoleGrant,
  person: { readonly login: string; readonly role: string; readonly collectionIds: readonly number[] | null },
): boolean {
  if (person.role === 'ADMIN') return true
  if (scopeRoles !== null && !scopeRoles.includes(person.role)) return false
  const granted = person.collectionIds
  return granted === null || createdBy === person.login || sharedWith.some((id) => granted.includes(id))
}

/** Shares a role with anyone who was granted one of some collections. @throws Failure TEST_ROLE_UNKNOWN */
export async function shareRole(
  store: Store,
  name: string,
  collectionIds: readonly number[],
  login: string,
): Promise<void> {
  const { rowCount } = await store.pool.query(
    'UPDATE test_roles SET shared_with = $2, updated_by = $3, updated_at = $4 WHERE name = $1',
    [name, collectionIds, login, nowSeconds()],
  )
  if (!rowCount) throw new Failure('TEST_ROLE_UNKNOWN')
}

/** The authentication of the role of the system: its entry without conditions. */
export async function defaultMechanism(store: Store, sealer: Sealer): Promise<AuthMechanismView | null> {
  const role = await findRole(store, sealer, attackerRole)
  const entry = role?.credentials.find((one) => isDefault(one))
  return entry?.mechanism ?? null
}

/** Whether an entry applies to every request. */
export function isDefault(entry: Pick<RoleCredential, 'headerPairs' | 'urlRegex'>): boolean {
  return entry.urlRegex === null && Object.keys(entry.headerPairs).length === 0
}

/** The endpoints of a role. */
export interface RoleConditions {
  readonly andConditions: RoleConditionsRow | null
  readonly orConditions: RoleConditionsRow | null
}

/** Makes a role. @throws Failure TEST_ROLE_EXISTS */
export async function createRole(
  store: Store,
  name: string,
  conditions: RoleConditions,
  login: string,
): Promise<void> {
  const { rowCount } = await store.pool.query(
    `INSERT INTO test_roles (id, name, group_id, and_conditions, or_conditions, created_by, created_at, updated_by,
       updated_at) VALUES ($1, $2, $3, $4::jsonb, $5::jsonb, $6, $7, $6, $7) ON CONFLICT (name) DO NOTHING`,
    [
      newHexId(),
      name,
      newHexId(),
      conditions.andConditions && JSON.stringify(conditions.andConditions),
      conditions.orConditions && JSON.stringify(conditions.orConditions),
      login,
      nowSeconds(),
    ],
  )
  if (!rowCount) throw new Failure('TEST_ROLE_EXISTS')
}

async function lockRole(client: StoreClient, name: string): Promise<{ id: string; is_system: boolean }> {
  const { rows } = await client.query<{ id: string; is_system: boolean }>(
    'SELECT id, is_system FROM test_roles WHERE name = $1 FOR NO KEY UPDATE',
    [name],
  )
  if (!rows[0]) throw new Failure('TEST_ROLE_UNKNOWN')
  return rows[0]
}

/** Replaces the conditions of a role. @throws Failure TEST_ROLE_UNKNOWN, TEST_ROLE_FIXED for that of the system */
export async function changeRoleConditions(
  store: Store,
  name: string,
  conditions: RoleConditions,
  login: string,
): Promise<void> {
  await usingTransaction(store.pool, async (client) => {
    const role = await lockRole(client, name)
    if (role.is_system) throw new Failure('TEST_ROLE_FIXED')
    await client.query(
      `UPDATE test_roles SET and_conditions = $2::jsonb, or_conditions = $3::jsonb, updated_by = $4, updated_at = $5
       WHERE id = $1`,
      [
        role.id,
        conditions.andConditions && JSON.stringify(conditions.andConditions),
        conditions.orConditions && JSON.stringify(conditions.orConditions),
        login,
        nowSeconds(),
      ],
    )
  })
}

/** Deletes a role with its credentials. @throws Failure TEST_ROLE_UNKNOWN, TEST_ROLE_FIXED for that of the system */
export async function deleteRole(store: Store, name: string): Promise<void> {
  await usingTransaction(store.pool, async (client) => {
    const role = await lockRole(client, name)
    if (role.is_system) throw new Failure('TEST_ROLE_FIXED')
    await client.query(
      `DELETE FROM auth_mechanisms WHERE id IN (SELECT mechanism_id FROM role_credentials WHERE role_id = $1)`,
      [role.id],
    )
    await client.query('DELETE FROM test_roles WHERE id = $1', [role.id])
  })
}

/** A credential that a person gives to a role. */
export interface NewCredential extends NewAuthMechanism {
  readonly headerPairs: Readonly<Record<string, string>>
  readonly urlRegex: string | null
}

/**
 * Gives a role a credential: in place of the one at `position`, of the one with the same conditions, or behind the
 * others.
 *
 * @throws Failure TEST_ROLE_UNKNOWN, TEST_ROLE_AUTH_UNKNOWN when nothing stands at the position
 */
export async function setCredential(
  store: Store,
  sealer: Sealer,
  name: string,
  credential: NewCredential,
  login: string,
  position: number | null = null,
): Promise<void> {
  await usingTransaction(store.pool, async (client) => {
    const role = await lockRole(client, name)
    const at = await placeOf(client, role.id, credential, position)
    await removeAt(client, role.id, at)
    const mechanismId = await insertMechanism(client, sealer, credential, login)
    await client.query(
      `INSERT INTO role_credentials (role_id, position, mechanism_id, header_pairs, url_regex)
       VALUES ($1, $2, $3, $4::jsonb, $5)`,
      [role.id, at, mechanismId, JSON.stringify(credential.headerPairs), credential.urlRegex],
    )
    await stampRole(client, role.id, login)
  })
}

async function placeOf(
  client: StoreClient,
  roleId: string,
  credential: NewCredential,
  position: number | null,
): Promise<number> {
  const { rows } = await client.query<{ position: number; is_same: boolean }>(
    `SELECT position, header_pairs = $2::jsonb AND url_regex IS NOT DISTINCT FROM $3 AS is_same
     FROM role_credentials WHERE role_id = $1 ORDER BY position`,
    [roleId, JSON.stringify(credential.headerPairs), credential.urlRegex],
  )
  if (position === null) {
    return rows.find((row) => row.is_same)?.position ?? (rows.at(-1)?.position ?? -1) + 1
  }
  if (rows[position] === undefined) throw new Failure('TEST_ROLE_AUTH_UNKNOWN')
  return rows[position].position
}

/** Takes the credential at an index of the list away. @throws Failure TEST_ROLE_UNKNOWN, TEST_ROLE_AUTH_UNKNOWN */
export async function removeCredential(
  store: Store,
  name: string,
  index: number,
  login: string,
): Promise<void> {
  await usingTransaction(store.pool, async (client) => {
    const role = await lockRole(client, name)
    const { rows } = await client.query<{ position: number }>(
      'SELECT position FROM role_credentials WHERE role_id = $1 ORDER BY position OFFSET $2 LIMIT 1',
      [role.id, index],
    )
    if (!rows[0]) throw new Failure('TEST_ROLE_AUTH_UNKNOWN')
    await removeAt(client, role.id, rows[0].position)
    await stampRole(client, role.id, login)
  })
}

async function removeAt(client: StoreClient, roleId: string, position: number): Promise<void> {
  // The entry goes with its mechanism.
  await client.query(
    `DELETE FROM auth_mechanisms WHERE id IN (
       SELECT mechanism_id FROM role_credentials WHERE role_id = $1 AND position = $2)`,
    [roleId, position],
  )
}

async function stampRole(client: StoreClient, roleId: string, login: string): Promise<void> {
  await client.query('UPDATE test_roles SET updated_by = $2, updated_at = $3 WHERE id = $1', [
    roleId,
    login,
    nowSeconds(),
  ])
}

/** Makes the role of the system when there is none. */
export async function ensureAttackerRole(store: Store): Promise<void> {
  await store.pool.query(
    `INSERT INTO test_roles (id, name, group_id, is_system, created_by, created_at, updated_at)
     VALUES ($1, $2, $3, true, $4, $5, $5) ON CONFLICT (name) DO NOTHING`,
    [newHexId(), attackerRole, newHexId(), SYSTEM, nowSeconds()],
  )
}
