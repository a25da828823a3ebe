import type { CheckedKind } from '../contract/index.ts'
import { type EndpointName, findEndpoint } from '../inventory/index.ts'
import { isHexId } from '../kit/index.ts'
import type { Store } from '../store/index.ts'
import {
  collectionOfResult,
  findExecution,
  findRun,
  findSuites,
  mayUseRole,
  roleGrant,
  runOfConfiguration,
} from '../testing/index.ts'
import type { Caller } from './handler.ts'
import { seenImport } from './operations/imports/import-view.ts'
import { seenReport } from './reports/require-report.ts'
import { maySee } from './require-collection.ts'

/** An id in a request. */
export interface FoundId {
  readonly kind: CheckedKind
  readonly id: string | number
  /** Where it stands, names joined by dots. */
  readonly field: string
  /** Of a collection's id: the endpoint whose key it is a part of. */
  readonly endpoint: EndpointName | null
}

type Check = (store: Store, caller: Caller, found: FoundId, isRead: boolean) => Promise<boolean>

/**
 * Whether an id belongs to what a restricted caller was granted. False for ids that nothing has; true for what cannot be
 * an id of the kind, which the operation refuses.
 *
 * @param isRead reading a member of a group needs the grant of the group only
 */
export function isGranted(store: Store, caller: Caller, found: FoundId, isRead: boolean): Promise<boolean> {
  return CHECKS[found.kind](store, caller, found, isRead)
}

const CHECKS: Readonly<Record<CheckedKind, Check>> = {
  collection,
  collectionName,
  run: hex(async (store, caller, id) => (await findRun(store, id, caller.collectionIds)) !== undefined),
  execution: hex(
    async (store, caller, id) => (await findExecution(store, id, caller.collectionIds)) !== undefined,
  ),
  result: hex(async (store, caller, id) => maySee(caller, (await collectionOfResult(store, id)) ?? -1)),
  upload: hex(async (store, caller, id) => (await seenImport(store, caller, id)) !== undefined),
  report: hex(async (store, caller, id) => (await seenReport(store, caller, id)) !== undefined),
  suite: hex(async (store, caller, id) => (await findSuites(store, [id]))[0]?.createdBy === caller.login),
  runConfiguration: async (store, caller, { id }) =>
    (await runOfConfiguration(store, Number(id), caller.collectionIds)) !== undefined,
  crawl: async (store, caller, { id }) => {
    const { rows } = await store.pool.query<{ id: number }>(
      'SELECT collection_id AS id FROM crawls WHERE id = $1',
      [String(id)],
    )
    return rows[0] !== undefined && maySee(caller, rows[0].id)
  },
  role: async (store, caller, { id }) => {
    const role = await roleGrant(store, String(id).trim())
    return role !== undefined && mayUseRole(role, caller)
  },
  ownRole: async (store, caller, { id }) =>
    (await roleGrant(store, String(id).trim()))?.createdBy === caller.login,
  key: async (store, caller, { id }) => {
    const { rows } = await store.pool.query<{ userId: number }>(
      'SELECT user_id AS "userId" FROM api_keys WHERE id = $1',
      [Number(id)],
    )
    return rows[0]?.userId === caller.userId
  },
  channel: async (store, caller, { id }) => {
    if (Number(id) <= 0) return true
    const { rows } = await store.pool.query<{ login: string }>(
      'SELECT user_login AS login FROM alert_channels WHERE id = $1',
      [Number(id)],
    )
    return rows[0]?.login === caller.login
  },
}

function hex(check: (store: Store, caller: Caller, id: string) => Promise<boolean>): Check {
  return async (store, caller, { id }) => {
    const text = String(id).toLowerCase()
    return !isHexId(text) || check(store, caller, text)
  }
}

async function collection(
  store: Store,
  caller: Caller,
  { id, endpoint }: FoundId,
  isRead: boolean,
): Promise<boolean> {
  const number = Number(id)
  if (!Number.isSafeInteger(number) || number === 0 || maySee(caller, number)) return true
  if (!isRead || endpoint === null) return false
  const member = await findEndpoint(store, endpoint)
  return member?.collectionIds.some((group) => maySee(caller, group)) ?? false
}

/** A name that nothing has is free to be used. */
async function collectionName(store: Store, caller: Caller, { id }: FoundId): Promise<boolean> {
  const { rows } = await store.pool.query<{ id: number }>('SELECT id FROM collections WHERE name = $1', [
    String(id).trim(),
  ])
  return rows.every((row) => maySee(caller, row.id))
}
