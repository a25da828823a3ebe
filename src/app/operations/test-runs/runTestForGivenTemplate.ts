import type { Handler } from '../../handler.ts'
import { requireCollection } from '../../require-collection.ts'
import { readTrialSample, readyTrial } from '../../test-runs/try-template.ts'
import { liveFieldsOf } from './live-fields.ts'
import { readSentTemplate } from './sent-template.ts'
import { wireFullResult } from './wire-result.ts'

/** What takes longer is asked for later. */
const ANSWER_WITHIN_MS = 15_000

/** Runs a test on one endpoint without saving either. */
export const runTestForGivenTemplate: Handler<'runTestForGivenTemplate'> = async (input, call) => {
  const { app, caller } = call
  const { template } = readSentTemplate(input.content)
  const { apiCollectionId: collectionId, method, url } = input.apiInfoKey
  await requireCollection(app.store, caller, collectionId)
  const message = (input.sampleDataList ?? []).flatMap(({ samples }) => samples).at(-1)
  const ready = await readyTrial(app.store, {
    template,
    endpoint: { collectionId, method, url },
    sample: message === undefined ? null : readTrialSample(message),
    user: caller.login,
  })
  const trial = app.testRuns.playground.begin(ready)
  await inTime(trial.ended)
  return {
    ...(await liveFieldsOf(call)),
    testingRunResult: trial.result === null ? null : wireFullResult(trial.result),
    testingRunPlaygroundHexId: trial.id,
  }
}

async function inTime(ended: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ANSWER_WITHIN_MS)
  })
  await Promise.race([ended, late])
  clearTimeout(timer)
}
