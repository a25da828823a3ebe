import type { Operation } from '../../contract/index.ts'
import { reportError } from '../../kit/index.ts'
import type { Call } from '../handler.ts'
import { auditOk, beginAudit, endAudit, outcomeOf } from './audit-log.ts'
import { isAudited, isReveal } from './audited-operations.ts'
import { changesBetween, type RecordChange, readStates, subjectsOf } from './record-state.ts'
import { storableRequest } from './storable-request.ts'

/**
 * Runs an operation with an entry in the audit log: written before it, completed after it with the outcome and the
 * records that changed. An operation that cannot be noted is not run; one that was run is answered though its entry
 * could not be completed.
 */
export async function auditedCall<Answer>(
  operation: Operation,
  input: unknown,
  call: Call,
  run: () => Promise<Answer>,
): Promise<Answer> {
  const isWrite = isAudited(operation)
  if (!isWrite && !isReveal(operation, input)) return run()
  const { app, caller, ip } = call
  const { store } = app
  const subjects = isWrite ? subjectsOf(operation, input) : []
  const before = await readStates(store, subjects)
  const id = await beginAudit(store, { ...caller, ip }, operation.name, storableRequest(input))
  const end = async (outcome: string, changes: () => Promise<RecordChange[]>): Promise<void> => {
    try {
      await endAudit(store, id, outcome, await changes())
    } catch (error) {
      app.log.warn('part.failed', { part: 'audit log', error: reportError(error) })
    }
  }
  try {
    const answer = await run()
    await end(auditOk, async () => changesBetween(subjects, before, await readStates(store, subjects)))
    return answer
  } catch (error) {
    await end(outcomeOf(error), async () => [])
    throw error
  }
}
