import { expect, it } from 'vitest'
import { reportTitle } from './report-title.ts'

const none = { testingRunName: null, testingRunHexId: null, issuesCount: null, filtersForReport: {} }
const names = new Map([[7, 'shop']])

it('says what a report is about', () => {
  expect(reportTitle(none, names)).toBe('All open issues')
  expect(
    reportTitle(
      { ...none, filtersForReport: { filterStatus: ['OPEN'], filterCollectionsId: ['7', '8'], skip: ['0'] } },
      names,
    ),
  ).toBe('Issues: status open; collection shop, 8')
  expect(reportTitle({ ...none, issuesCount: 3 }, names)).toBe('3 chosen issues')
  const ofRun = { ...none, filtersForReport: { testingRunResultSummaryId: ['a'] } }
  expect(reportTitle({ ...ofRun, testingRunHexId: 'b', testingRunName: 'nightly' }, names)).toBe(
    'Run nightly',
  )
  expect(reportTitle(ofRun, names)).toBe('A run that was deleted')
})
