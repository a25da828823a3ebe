import type { Store } from '../../store/index.ts'
import type { RecordChange } from './record-state.ts'

/** Which entries are listed; null: any. */
interface AuditFilter {
  readonly login: string | null
  readonly action: string | null
  /** Seconds, both included. */
  readonly from: number | null
  readonly to: number | null
}

/** One entry of the audit log. */
interface AuditRecord {
  readonly id: number
  readonly at: number
  readonly login: string
  readonly via: string
  readonly keyId: number | null
  readonly ip: string
  readonly action: string
  readonly outcome: string | null
  readonly request: Record<string, unknown>
  readonly changes: readonly RecordChange[]
}

const WHERE = `($1::text IS NULL OR login = $1) AND ($2::text IS NULL OR action = $2)
  AND ($3::integer IS NULL OR at >= $3) AND ($4::integer IS NULL OR at <= $4)`

/** Entries, newest first, and how many there are in all. */
export async function listAudit(
  store: Store,
  { login, action, from, to }: AuditFilter,
  skip: number,
  limit: number,
): Promise<{ records: AuditRecord[]; total: number }> {
  const values = [login, action, from, to]
  const { rows } = await store.pool.query<AuditRecord>(
    `SELECT id, at, login, via, key_id AS "keyId", ip, action, outcome, request, changes
     FROM audit_log WHERE ${WHERE} ORDER BY id DESC OFFSET $5 LIMIT $6`,
    [...values, skip, limit],
  )
  const counted = await store.pool.query<{ total: number }>(
    `SELECT count(*)::integer AS total FROM audit_log WHERE ${WHERE}`,
    values,
  )
  return { records: rows.map((row) => ({ ...row, id: Number(row.id) })), total: counted.rows[0]!.total }
}
