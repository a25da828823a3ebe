import type { CheckedKind, Operation } from '../../contract/index.ts'
import type { Store } from '../../store/index.ts'
import { idsIn } from '../check-request.ts'
import { storableRequest } from './storable-request.ts'

/** A stored record that an operation may change. */
interface Subject {
  readonly kind: string
  readonly table: string
  readonly column: string
  readonly id: string
}

/** Fields of a record by name, those that may be shown. */
type RecordState = Readonly<Record<string, unknown>>

/** A record that differs: null where it did not exist. */
export interface RecordChange {
  readonly kind: string
  readonly id: string
  readonly before: RecordState | null
  readonly after: RecordState | null
}

type Place = Pick<Subject, 'kind' | 'table' | 'column'>

const BY_KIND: Partial<Record<CheckedKind, Place>> = {
  collection: { kind: 'collection', table: 'collections', column: 'id' },
  collectionName: { kind: 'collection', table: 'collections', column: 'name' },
  run: { kind: 'test run', table: 'test_runs', column: 'id' },
  runConfiguration: { kind: 'test run', table: 'run_configurations', column: 'id' },
  crawl: { kind: 'crawl', table: 'crawls', column: 'id' },
  role: { kind: 'test role', table: 'test_roles', column: 'id' },
  ownRole: { kind: 'test role', table: 'test_roles', column: 'name' },
  suite: { kind: 'test suite', table: 'test_suites', column: 'id' },
  channel: { kind: 'alert channel', table: 'alert_channels', column: 'id' },
  key: { kind: 'API key', table: 'api_keys', column: 'id' },
}
/** Fields that name records which need no check of grants. */
const BY_FIELD: Readonly<Record<string, readonly Place[]>> = {
  email: [
    { kind: 'user', table: 'users', column: 'login' },
    { kind: 'invitation', table: 'invitations', column: 'login' },
  ],
  originalTestId: [{ kind: 'test', table: 'test_templates', column: 'id' }],
  templateId: [{ kind: 'filter', table: 'filter_templates', column: 'id' }],
  trackerType: [{ kind: 'ticket tracker', table: 'ticket_trackers', column: 'kind' }],
}
const BY_OPERATION: Readonly<Record<string, readonly (Place & { readonly field: string })[]>> = {
  saveCustomDataType: [{ field: 'name', kind: 'data type', table: 'custom_data_types', column: 'name' }],
  removeThreatSuppression: [{ field: 'id', kind: 'suppression', table: 'threat_suppressions', column: 'id' }],
}
/** Records that an operation changes without naming them. */
const FIXED: Readonly<Record<string, Subject>> = {
  modifyThreatConfiguration: {
    kind: 'setting',
    table: 'settings',
    column: 'name',
    id: 'threat-configuration',
  },
  updateOrganisation: { kind: 'setting', table: 'settings', column: 'name', id: 'organisation' },
}
const MAX_SUBJECTS = 20
/** Columns that change with every look, or say nothing to a reader. */
const QUIET = /^(?:updated_at|last_used_at|used_at|last_login_at|last_traffic_at)$|hash|sealed|search/

/** The records that a request names, at most twenty. */
export function subjectsOf(operation: Operation, input: unknown): Subject[] {
  const found = new Map<string, Subject>()
  const add = (place: Place | undefined, id: unknown): void => {
    if (place === undefined || (typeof id !== 'string' && typeof id !== 'number') || id === '') return
    const text = place.column === 'login' ? String(id).trim().toLowerCase() : String(id)
    found.set(`${place.table} ${place.column} ${text}`, { ...place, id: text })
  }
  for (const { kind, id, endpoint } of idsIn(operation, input)) if (endpoint === null) add(BY_KIND[kind], id)
  visitFields(input, (name, value) => {
    if (Object.hasOwn(BY_FIELD, name)) for (const place of BY_FIELD[name] ?? []) add(place, value)
    // Grants are keyed by user.
    if (name === 'userCollectionMap' && typeof value === 'object' && value !== null)
      for (const id of Object.keys(value)) add({ kind: 'user', table: 'users', column: 'id' }, id)
  })
  for (const { field, ...place } of BY_OPERATION[operation.name] ?? [])
    add(place, (input as Record<string, unknown>)[field])
  const fixed = FIXED[operation.name]
  return [...(fixed === undefined ? [] : [fixed]), ...found.values()].slice(0, MAX_SUBJECTS)
}

function visitFields(value: unknown, look: (name: string, value: unknown) => void, depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > 3) return
  for (const [name, inner] of Object.entries(value)) {
    look(name, inner)
    visitFields(inner, look, depth + 1)
  }
}

/** The state of records now; null for those that do not exist. */
export async function readStates(
  store: Store,
  subjects: readonly Subject[],
): Promise<(RecordState | null)[]> {
  const states: (RecordState | null)[] = []
  for (const { table, column, id } of subjects) {
    const { rows } = await store.pool.query<{ row: Record<string, unknown> }>(
      `SELECT to_jsonb(t) AS row FROM ${table} t WHERE t.${column}::text = $1 LIMIT 1`,
      [id],
    )
    states.push(rows[0] === undefined ? null : shown(rows[0].row))
  }
  return states
}

function shown(row: Record<string, unknown>): RecordState {
  const entries = Object.entries(row).filter(([name]) => !QUIET.test(name))
  return storableRequest(Object.fromEntries(entries)) as RecordState
}

/** What differs between two states of the same records; of changed ones the fields that differ. */
export function changesBetween(
  subjects: readonly Subject[],
  before: readonly (RecordState | null)[],
  after: readonly (RecordState | null)[],
): RecordChange[] {
  return subjects.flatMap(({ kind, id }, at) => {
    const [old, now] = [before[at] ?? null, after[at] ?? null]
    if (JSON.stringify(old) === JSON.stringify(now)) return []
    if (old === null || now === null) return [{ kind, id, before: old, after: now }]
    const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
      (name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]),
    )
    const pick = (state: RecordState): RecordState =>
      Object.fromEntries(names.map((name) => [name, state[name] ?? null]))
    return [{ kind, id, before: pick(old), after: pick(now) }]
  })
}
