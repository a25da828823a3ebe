import type { Handler } from '../../handler.ts'
import { requireCollection } from '../../require-collection.ts'
import { liveFieldsOf } from './live-fields.ts'
import { wireFullResult } from './wire-result.ts'

/** Runs a test on one endpoint without saving either. What takes long is asked for later. */
export const runTestForGivenTemplate: Handler<'runTestForGivenTemplate'> = async (input, call) => {
  const { app, caller } = call
  const { apiCollectionId: collectionId, method, url } = input.apiInfoKey
  await requireCollection(app.store, caller, collectionId)
  const trial = await app.testRuns.tryTest({
    content: input.content,
    endpoint: { collectionId, method, url },
    sample: (input.sampleDataList ?? []).flatMap(({ samples }) => samples).at(-1) ?? null,
    user: caller.login,
  })
  return {
    ...(await liveFieldsOf(call)),
    testingRunResult: trial.result === null ? null : wireFullResult(trial.result),
    testingRunPlaygroundHexId: trial.id,
  }
}
