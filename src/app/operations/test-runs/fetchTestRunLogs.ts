import { Failure } from '../../../kit/index.ts'
import { findExecution, findRun, type RunLogLine, readRunLog } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { readHexId } from './hex-id.ts'

/** What a run sent, request by request, and what kept its roles from acting. */
export const fetchTestRunLogs: Handler<'fetchTestRunLogs'> = async (input, { app, caller }) => {
  const runId = readHexId(input.testingRunHexId, 'INVALID_TEST_RUN_ID')
  if ((await findRun(app.store, runId, caller.collectionIds)) === undefined)
    throw new Failure('INVALID_TEST_RUN_ID', {})
  const sent = input.testingRunResultSummaryHexId
  const summaryId = sent ? readHexId(sent, 'INVALID_TEST_SUMMARY_ID') : null
  if (summaryId !== null) {
    const execution = await findExecution(app.store, summaryId, caller.collectionIds)
    if (execution?.runId !== runId) throw new Failure('INVALID_TEST_SUMMARY_ID', {})
  }
  await app.testRuns.logWritten()
  const lines = await readRunLog(app.store, {
    runId,
    summaryId,
    from: input.logFetchStartTime,
    to: input.logFetchEndTime,
    skip: Math.max(input.skip, 0),
    limit: input.limit,
  })
  return {
    testRunLogs: lines.map((line) => ({
      timestamp: line.sentAt,
      log: sentenceOf(line),
      testId: line.testId || null,
      testingRunResultSummaryHexId: line.summaryId,
    })),
  }
}

function sentenceOf({ purpose, method, url, status, failure, durationMs, problem }: RunLogLine): string {
  if (problem !== null) return problem
  const what = purpose === 'test' ? '' : `${purpose}: `
  const end = status === null ? `failed with ${failure ?? 'no answer'}` : `answered ${status}`
  return `${what}${method} ${url} ${end} in ${durationMs} ms`
}
