import type { Rights } from '../../access/rights.ts'
import type { accessStates } from '../../contract/vocabulary.ts'
import type { Sealer } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import { ATTACKER_ROLE, listRoles, mayUseRole } from '../../testing/index.ts'
import { type AccessCell, type AccessRow, ANONYMOUS, accessRows, type EndpointAccess } from './access-rows.ts'

/** Endpoints of which the whole matrix is made. */
const MOST_ENDPOINTS = 20_000

/** Tests that send the request of an endpoint without credentials: a finding shows that anybody reaches it. */
const PROVE_OPEN = ['MISSING_AUTHENTICATION', 'MISSING_AUTHENTICATION_OUTLIER']

/** An identity with what it reaches. */
interface AccessRole {
  readonly roleName: string
  readonly hasCredentials: boolean
  readonly reached: number
  readonly refused: number
  readonly unknown: number
  readonly deviations: number
}

/** Whether both what is and what should be are known, and differ. */
export function deviates({ reached, expected }: AccessCell): boolean {
  return reached !== null && expected !== null && reached !== expected
}

/** Whether a cell has the access that a filter asks for. */
export const hasAccess: Readonly<Record<(typeof accessStates)[number], (cell: AccessCell) => boolean>> = {
  REACHED: ({ reached }) => reached === true,
  REFUSED: ({ reached }) => reached === false,
  UNKNOWN: ({ reached }) => reached === null,
  DEVIATES: deviates,
}

/** The matrix of the endpoints of collections, and whether it holds all of them. */
export async function accessTable(
  { store, sealer }: { readonly store: Store; readonly sealer: Sealer },
  collectionIds: readonly number[] | null,
  owner: Rights,
): Promise<{ roles: AccessRole[]; rows: AccessRow[]; isComplete: boolean }> {
  const roles = (await listRoles(store, sealer)).filter((role) => mayUseRole(role, owner))
  const { rows } = await store.pool.query<EndpointAccess>(
    `SELECT e.collection_id AS "collectionId", e.method, e.url,
       'UNAUTHENTICATED' = ANY (e.actual_auth_types) AS "isOpen",
       (SELECT max(i.last_seen) FROM issues i
        WHERE i.endpoint_id = e.id AND i.status = 'OPEN' AND i.test_id = ANY ($3)) AS "provenOpenAt",
       (SELECT jsonb_agg(jsonb_build_object('role', m.role_name, 'isReached', m.is_reached, 'at', m.updated_at))
        FROM access_matrix m WHERE m.collection_id = e.collection_id AND m.method = e.method AND m.url = e.url) AS seen
     FROM endpoints e JOIN collections c ON c.id = e.collection_id
     WHERE e.is_listed AND NOT c.is_deactivated AND ($1::integer[] IS NULL OR e.collection_id = ANY ($1))
       AND ($2::integer[] IS NULL OR e.collection_id = ANY ($2))
     ORDER BY e.collection_id, e.url, e.method LIMIT ${MOST_ENDPOINTS + 1}`,
    [collectionIds, owner.collectionIds, PROVE_OPEN],
  )
  const shown = roles.filter(({ name }) => name !== ATTACKER_ROLE)
  const table = await accessRows(rows.slice(0, MOST_ENDPOINTS), shown)
  const identities = [
    { roleName: ANONYMOUS, hasCredentials: false },
    ...shown.map(({ name, credentials }) => ({ roleName: name, hasCredentials: credentials.length > 0 })),
  ]
  return {
    roles: identities.map((one, at) => ({ ...one, ...countsOf(table.map(({ access }) => access[at]!)) })),
    rows: table,
    isComplete: rows.length <= MOST_ENDPOINTS,
  }
}

function countsOf(cells: readonly AccessCell[]): Omit<AccessRole, 'roleName' | 'hasCredentials'> {
  const count = (holds: (cell: AccessCell) => boolean): number => cells.filter(holds).length
  return {
    reached: count(hasAccess.REACHED),
    refused: count(hasAccess.REFUSED),
    unknown: count(hasAccess.UNKNOWN),
    deviations: count(hasAccess.DEVIATES),
  }
}
