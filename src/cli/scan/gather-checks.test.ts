import { expect, test } from 'vitest'
import { countChecks } from './gather-checks.ts'

const execution = { runId: 'r', summaryId: 's' }
const skipped = (error: string, checks: number) => ({
  ...{ queryMode: 'SKIPPED_EXEC', error, reason: `because of ${error}`, checks, tests: 1, endpoints: checks },
})

function counted(all: number, failed = 3) {
  const counts = {
    ...{ ALL: all, VULNERABLE: 2, SKIPPED_EXEC: 5, SKIPPED_EXEC_NEED_CONFIG: 1, IGNORED_ISSUES: 1 },
    SKIPPED_EXEC_API_REQUEST_FAILED: failed,
  }
  const client = { op: { fetchTestRunResultsCount: async () => counts } }
  const summary = {
    ...{ totalApis: 5, testInitiatedCount: 4 },
    skippedCheckReasons: [
      skipped('SKIPPING_EXECUTION_BECAUSE_FILTERS', 5),
      skipped('API_REQUEST_FAILED', 3),
      skipped('ROLE_NOT_FOUND', 1),
    ],
  }
  return countChecks(client as never, execution, summary as never)
}

test('every check of a scan is found, passed, not tested or not applicable', async () => {
  const { checks, notTested, unreached } = await counted(20)
  expect(checks).toEqual({ found: 2, passed: 9, notTested: 4, notApplicable: 5 })
  expect(notTested.map(({ checks: number }) => number)).toEqual([3, 1])
  expect(unreached).toBe(0)
})

test('checks that a run did not reach count as not tested, with that reason first', async () => {
  const { checks, notTested, unreached } = await counted(12)
  expect(checks).toEqual({ found: 2, passed: 1, notTested: 12, notApplicable: 5 })
  expect(unreached).toBe(8)
  expect(notTested[0]).toMatchObject({ checks: 8, reason: expect.stringMatching(/ended before/) })
})

test('checks whose reason is beyond the list of reasons are not hidden', async () => {
  const { checks, notTested } = await counted(20, 5)
  expect(checks).toEqual({ found: 2, passed: 7, notTested: 6, notApplicable: 5 })
  expect(notTested.at(-1)).toMatchObject({ reason: 'Rarer reasons', checks: 2 })
})
