import { describeFailure } from '../../contract/index.ts'
import { nowSeconds, storable, storableJson } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import type { RecordChange } from './record-state.ts'

/** Who did something, and from where. */
interface AuditActor {
  readonly userId: number
  readonly login: string
  /** SESSION, the kind of the key, or the way of a sign-in. */
  readonly via: string
  readonly keyId: number | null
  readonly ip: string
}

/** Outcome of what was done. */
export const auditOk = 'OK'

/**
 * Notes that something is about to be done; it stays without an outcome if the process dies meanwhile.
 *
 * @returns id for {@link endAudit}
 */
export async function beginAudit(
  store: Store,
  actor: AuditActor,
  action: string,
  request: unknown,
): Promise<number> {
  const { rows } = await store.pool.query<{ id: string }>(
    `INSERT INTO audit_log (at, user_id, login, via, key_id, ip, action, request)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id`,
    [
      nowSeconds(),
      actor.userId,
      storable(actor.login),
      actor.via,
      actor.keyId,
      actor.ip,
      action,
      storableJson(request ?? {}),
    ],
  )
  return Number(rows[0]!.id)
}

/** Notes how it ended. */
export async function endAudit(
  store: Store,
  id: number,
  outcome: string,
  changes: readonly RecordChange[] = [],
): Promise<void> {
  await store.pool.query('UPDATE audit_log SET outcome = $2, changes = $3 WHERE id = $1', [
    id,
    outcome,
    storableJson(changes),
  ])
}

/** Notes an event that is over already. */
export async function noteAudit(
  store: Store,
  actor: AuditActor,
  action: string,
  outcome: string,
): Promise<void> {
  await endAudit(store, await beginAudit(store, actor, action, {}), outcome)
}

/** Code of what failed, as callers saw it. */
export function outcomeOf(error: unknown): string {
  return describeFailure(error).code
}
