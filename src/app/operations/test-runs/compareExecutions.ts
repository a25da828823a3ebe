import { Failure } from '../../../kit/index.ts'
import { compareExecutions as compare, findExecution } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { readHexId } from './hex-id.ts'

/** What became of the findings of one execution in a later one. */
export const compareExecutions: Handler<'compareExecutions'> = async (input, { app, caller }) => {
  const later = readHexId(input.testingRunResultSummaryHexId, 'INVALID_TEST_SUMMARY_ID')
  const earlier = readHexId(input.earlierSummaryHexId, 'INVALID_TEST_SUMMARY_ID')
  const visible = caller.collectionIds
  for (const id of [later, earlier]) {
    if ((await findExecution(app.store, id, visible)) === undefined)
      throw new Failure('TEST_RUN_SUMMARY_NOT_FOUND', {})
  }
  const { counts, findings } = await compare(app.store, { later, earlier, visible })
  return {
    counts,
    findings: findings.map((one) => ({
      change: one.change,
      testSubCategory: one.testId,
      apiInfoKey: { apiCollectionId: one.collectionId, method: one.method, url: one.url },
      severity: one.severity,
      testingRunResultHexId: one.resultId,
      earlierResultHexId: one.earlierResultId,
      reason: one.reason,
    })),
  }
}
