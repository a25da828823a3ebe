import { redactCollection as switchRedaction } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { requireSeen } from '../../require-collection.ts'

/** Switches the redaction of payload values. */
export const redactCollection: Handler<'redactCollection'> = async (input, { app, caller }) => {
  await requireSeen(app.store, caller, input.apiCollectionId)
  await switchRedaction(app.store, input.apiCollectionId, input.redacted)
  await app.inventory.forget([input.apiCollectionId])
  return { redacted: input.redacted }
}
