import { pageLimits } from '../../../contract/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { readRequestChanges } from './read-request-changes.ts'
import { readTarget, readTests } from './read-target.ts'
import { readOverride, readRole } from './run-limits.ts'

/** What a run would send. */
export const dryRunTest: Handler<'dryRunTest'> = async (input, call) => {
  const { app, caller } = call
  const target = await readTarget(input, call)
  const testIds = await readTests(input, true, call)
  const suiteIds = (input.testSuiteIds ?? []).map(String)
  if (testIds.length === 0 && suiteIds.length === 0) throw new Failure('NO_TEST_SELECTED', {})
  const configuration = {
    id: 0,
    testIds,
    suiteIds,
    roleId: await readRole(input.testRoleId, call),
    overrideUrl: readOverride(input.overriddenTestAppUrl),
    cleansUp: input.cleanUpTestingResources,
    writeLevel: input.writeLevel,
    requestChanges: readRequestChanges(input.testConfigsAdvancedSettings),
    ticketing: null,
  }
  const { checks, byTest, reasons, ...totals } = await app.testRuns.dryRun({
    run: { userLogin: caller.login, maxConcurrent: input.maxConcurrentRequests, ...target, configuration },
    testId: input.testSubCategory === '' ? null : input.testSubCategory,
    isSkipped: input.skipped,
    skip: Math.max(0, input.skip),
    limit: input.limit,
  })
  return {
    ...totals,
    hosts: [...totals.hosts],
    roles: [...totals.roles],
    byTest: byTest.map(({ testId, ...counts }) => ({ testSubCategory: testId, ...counts })),
    reasons: reasons.slice(0, pageLimits.skippedReasons.most),
    checks: checks.map(({ endpoint, testId, isSkipped, roles, ...rest }) => ({
      apiInfoKey: { apiCollectionId: endpoint.collectionId, method: endpoint.method, url: endpoint.url },
      testSubCategory: testId,
      skipped: isSkipped,
      roles: [...roles],
      ...rest,
    })),
  }
}
