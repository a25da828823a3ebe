import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { requireSeen } from '../../require-collection.ts'

/** Shows the evidence behind a path template. */
export const explainTemplate: Handler<'explainTemplate'> = async (input, { app, caller }) => {
  await requireSeen(app.store, caller, input.apiCollectionId)
  const evidence = await app.inventory.explain(input.apiCollectionId, input.url)
  if (evidence === null) throw new Failure('NOT_A_TEMPLATE', { url: input.url })
  return evidence
}
