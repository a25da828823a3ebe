import { findFlow, latestFlow, openFlowResult } from '../../../crawler/index.ts'
import { Failure, isHexId } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'

/** How far a recorded login is, and its result once it has ended. */
export const fetchRecordedFlowOutput: Handler<'fetchRecordedFlowOutput'> = async (input, { app, caller }) => {
  const id = input.testingRunPlaygroundId?.trim() || null
  if (id !== null && !isHexId(id)) throw new Failure('INVALID_PLAYGROUND_ID', {})
  const flow = id === null ? await latestFlow(app.store, caller.userId) : await findFlow(app.store, id)
  // What it yields is a credential: for the person who uploaded the login.
  if (flow?.ownerId !== caller.userId) throw new Failure('NO_RECORDED_FLOW', {})
  if (flow.state === 'FAILED') throw new Failure('RECORDED_FLOW_FAILED', { reason: flow.problem })
  if (flow.state !== 'COMPLETED') return { token: null, tokenFetchInProgress: true }
  return { token: openFlowResult(app.sealer, flow), tokenFetchInProgress: false }
}
