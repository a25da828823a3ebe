import { listAudit } from '../../audit/audit-list.ts'
import { auditActions } from '../../audit/audited-operations.ts'
import type { Handler } from '../../handler.ts'

/** Changes and sign-ins, newest first. */
export const fetchAuditLog: Handler<'fetchAuditLog'> = async (input, { app }) => {
  const filter = {
    login: input.login === null ? null : input.login.trim().toLowerCase(),
    action: input.action,
    from: input.startTimestamp,
    to: input.endTimestamp,
  }
  const { records, total } = await listAudit(app.store, filter, input.skip, input.limit)
  return {
    auditLogs: records.map(({ at, changes, ...record }) => ({
      ...record,
      timestamp: at,
      changes: changes.map((change) => ({
        ...change,
        before: change.before === null ? null : { ...change.before },
        after: change.after === null ? null : { ...change.after },
      })),
    })),
    total,
    actions: [...auditActions],
  }
}
