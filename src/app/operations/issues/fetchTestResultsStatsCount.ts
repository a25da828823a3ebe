import { answerPatterns } from '../../../contract/index.ts'
import { Failure } from '../../../kit/index.ts'
import { type AnswerCounts, countAnswers, findExecution } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { readHexId } from '../test-runs/hex-id.ts'

/** Other spellings of the patterns. */
const ALIASES: Readonly<Record<string, keyof AnswerCounts>> = {
  '429': 'HTTP_429',
  '5XX': 'HTTP_5XX',
  '401': 'HTTP_401',
  '403': 'HTTP_403',
}

/** Numbers of answers that hint at rate limits, blocking or server errors. */
export const fetchTestResultsStatsCount: Handler<'fetchTestResultsStatsCount'> = async (
  input,
  { app, caller },
) => {
  const summaryId = readHexId(input.testingRunResultSummaryHexId, 'INVALID_TEST_SUMMARY_ID')
  const runId = readHexId(input.testingRunHexId, 'INVALID_TEST_RUN_ID')
  const pattern = input.patternType === null ? null : readPattern(input.patternType)
  const execution = await findExecution(app.store, summaryId, caller.collectionIds)
  if (execution?.runId !== runId) throw new Failure('SUMMARY_OF_ANOTHER_RUN', {})
  const counts = await countAnswers(app.store, summaryId, caller.collectionIds)
  const sum = Object.values(counts).reduce((total, count) => total + count, 0)
  return { count: pattern === null ? sum : counts[pattern], counts }
}

function readPattern(sent: string): keyof AnswerCounts {
  const word = sent.toUpperCase()
  const known = answerPatterns.find((pattern) => pattern === word)
  if (known) return known
  if (Object.hasOwn(ALIASES, word)) return ALIASES[word]!
  throw new Failure('INVALID_ANSWER_PATTERN', {})
}
