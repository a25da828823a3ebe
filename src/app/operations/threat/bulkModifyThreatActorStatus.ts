import { nowSeconds } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { changeStatus } from './modifyThreatActorStatus.ts'
import { requireText } from './read-selection.ts'

/** Sets the status of several actors. */
export const bulkModifyThreatActorStatus: Handler<'bulkModifyThreatActorStatus'> = async (input, call) => {
  await changeStatus(
    call,
    input.actorIps.map((actor) => requireText(actor, 'actorIps')),
    input,
  )
  return { status: input.status, endTs: nowSeconds() }
}
