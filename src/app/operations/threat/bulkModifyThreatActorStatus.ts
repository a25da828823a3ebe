import { nowSeconds } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { changeStatus, requireActor } from './modifyThreatActorStatus.ts'

/** Sets the status of several actors. */
export const bulkModifyThreatActorStatus: Handler<'bulkModifyThreatActorStatus'> = async (input, call) => {
  const actors = new Set(input.actorIps.map((actor) => requireActor(actor, 'actorIps')))
  const notEnforced = await changeStatus(call, [...actors], input)
  return { status: input.status, endTs: nowSeconds(), notEnforced }
}
