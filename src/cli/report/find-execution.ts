import type { Client, TestRunSummary } from '../../contract/index.ts'
import { Failure } from '../../kit/index.ts'

const ENDED = new Set(['COMPLETED', 'FAILED', 'STOPPED'])

/** An execution with the name of its run. */
export interface ReportedExecution {
  readonly name: string
  readonly summary: TestRunSummary
}

/**
 * The newest execution that ended.
 *
 * @param wanted name or identifier of its run; null for any
 * @throws Failure BAD_COMMAND when there is none
 */
export async function findExecution(client: Client, wanted: string | null): Promise<ReportedExecution> {
  const { testingRuns, latestTestingRunResultSummaries } = await client.op.retrieveAllCollectionTests({
    ...{ searchString: '', sortKey: 'endTimestamp', sortOrder: -1, limit: -1, skip: 0 },
    ...{ startTimestamp: 0, endTimestamp: 0, testingRunType: '' },
  })
  const runs = (testingRuns ?? []).filter(
    ({ hexId, name }) => wanted === null || hexId === wanted || name === wanted,
  )
  if (wanted !== null && runs.length === 0)
    throw new Failure('BAD_COMMAND', { reason: `--run: no test run has the name ${wanted}` })
  const names = new Map(runs.map(({ hexId, name }) => [hexId, name]))
  const ended = Object.values(latestTestingRunResultSummaries ?? {})
    .filter(({ testingRunHexId, state }) => names.has(testingRunHexId) && ENDED.has(state))
    .sort((a, b) => b.endTimestamp - a.endTimestamp)
  const summary = ended[0]
  if (summary === undefined)
    throw new Failure('BAD_COMMAND', {
      reason: wanted === null ? 'no test run has ended yet' : `--run: ${wanted} has not ended yet`,
    })
  return { name: names.get(summary.testingRunHexId) ?? '', summary }
}
