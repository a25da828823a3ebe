import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EndpointKey, TestRoleView } from '../../testing/index.ts'
import { roleReaches } from './role-endpoints.ts'

/** The identity of callers without credentials. */
export const ANONYMOUS = 'Anonymous'
/** Endpoints after which other work has its turn: requests are answered by the same thread. */
const ROWS_AT_ONCE = 200

/** One identity at one endpoint. */
export interface AccessCell {
  readonly roleName: string
  /** Whether it was seen to reach it; null while unknown. */
  readonly reached: boolean | null
  /** Whether its conditions say that it may; null for a role without conditions. */
  readonly expected: boolean | null
  readonly at: number
}

/** Who reaches one endpoint. */
export interface AccessRow {
  readonly endpoint: EndpointKey
  readonly access: readonly AccessCell[]
}

/** An endpoint, and what roles were seen to reach. */
export interface EndpointAccess extends EndpointKey {
  /** Whether callers without credentials were seen in traffic. */
  readonly isOpen: boolean
  /** When a test last proved that they reach it, in an issue that is open; null without one. */
  readonly provenOpenAt: number | null
  readonly seen: readonly { readonly role: string; readonly isReached: boolean; readonly at: number }[] | null
}

/** Rows of the matrix, with a cell for callers without credentials and one for each role. */
export async function accessRows(
  endpoints: readonly EndpointAccess[],
  roles: readonly Pick<TestRoleView, 'name' | 'andConditions' | 'orConditions'>[],
): Promise<AccessRow[]> {
  const rows: AccessRow[] = []
  for (const one of endpoints) {
    rows.push(rowOf(one, roles))
    if (rows.length % ROWS_AT_ONCE === 0) await nextTurn()
  }
  return rows
}

function rowOf(
  { collectionId, method, url, isOpen, provenOpenAt, seen }: EndpointAccess,
  roles: Parameters<typeof accessRows>[1],
): AccessRow {
  const endpoint = { collectionId, method, url }
  const known = new Map((seen ?? []).map((one) => [one.role, one]))
  const anonymous = {
    roleName: ANONYMOUS,
    reached: isOpen || provenOpenAt !== null ? true : null,
    expected: null,
    at: provenOpenAt ?? 0,
  }
  const access = roles.map((role): AccessCell => {
    const outcome = known.get(role.name)
    const isDeclared = role.andConditions !== null || role.orConditions !== null
    return {
      roleName: role.name,
      reached: outcome?.isReached ?? null,
      expected: isDeclared ? roleReaches(role, endpoint) : null,
      at: outcome?.at ?? 0,
    }
  })
  return { endpoint, access: [anonymous, ...access] }
}
