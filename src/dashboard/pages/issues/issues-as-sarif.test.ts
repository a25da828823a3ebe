import { expect, test } from 'vitest'
import { sarifFaults } from '../../../../test/sarif-shape.ts'
import type { Issue, TestTemplate } from '../../../contract/browser.ts'
import { issuesAsSarif } from './issues-as-sarif.ts'

const issue = (given: Partial<Issue>) =>
  ({
    id: {
      testSubCategory: 'T',
      testErrorSource: 'AUTOMATED_TESTING',
      apiInfoKey: { apiCollectionId: 7, method: 'GET', url: 'https://shop.test/a b' },
    },
    severity: 'HIGH',
    testRunIssueStatus: 'OPEN',
    ignoreReason: null,
    ...given,
  }) as Issue

test('issues are results of SARIF 2.1.0, fixed and ignored ones marked as such', () => {
  const known = new Map([['T', { testName: 'A weakness', cwe: ['CWE-89'] } as unknown as TestTemplate]])
  const log = issuesAsSarif(
    [
      issue({}),
      issue({ testRunIssueStatus: 'FIXED' }),
      issue({ testRunIssueStatus: 'IGNORED', ignoreReason: 'no' }),
    ],
    known,
    'https://vigil.test',
  )
  expect(sarifFaults(log)).toEqual([])
  const [run] = (log as { runs: { results: Record<string, unknown>[] }[] }).runs
  expect(run!.results.map(({ baselineState, suppressions }) => [baselineState, suppressions])).toEqual([
    [undefined, undefined],
    ['absent', undefined],
    [undefined, [{ kind: 'external', justification: 'no' }]],
  ])
  expect(JSON.stringify(run!.results[0])).toContain('A weakness at GET https://shop.test/a b')
})
