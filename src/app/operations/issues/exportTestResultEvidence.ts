import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { requireResult } from './require-result.ts'

/** One result with everything that proves it, as a file. Requests for its secrets are logged. */
export const exportTestResultEvidence: Handler<'exportTestResultEvidence'> = async (input, call) => {
  const { app, caller } = call
  const { unmasked: isUnmasked } = input
  if (isUnmasked && caller.role !== 'ADMIN') throw new Failure('UNMASKED_FOR_ADMINS')
  const result = await requireResult(call, input.testingRunResultHexId)
  const evidence = await app.testRuns.exportEvidence(result, isUnmasked)
  if (isUnmasked)
    app.log.info('evidence.unmasked', {
      userId: caller.userId,
      via: caller.via,
      operation: 'exportTestResultEvidence',
      of: result.id,
    })
  return { fileName: `${result.id}.evidence.json`, evidence: { ...evidence } }
}
