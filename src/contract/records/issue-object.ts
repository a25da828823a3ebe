import { flag, integer, list, mapOf, model, oneOf, openObject, text } from '../schema.ts'
import { issueBuckets, reportStatuses } from '../vocabulary.ts'
import { filled, filledEach, wideRecord } from '../wide-record.ts'
import { endpointKey } from './endpoint-key.ts'
import { coverageRow, issue, issueId } from './issue.ts'
import { testResult } from './test-result.ts'
import { testRunSummary } from './test-run.ts'
import { testCategory, testTemplate } from './test-template.ts'

/** The buckets of a chart of issues, as `response` of findTotalIssuesByDay. */
export const chartBuckets = model('ChartBuckets', 'The buckets that lists of counts stand for.', {
  bucket: oneOf(issueBuckets, { description: 'Length of a bucket; weeks are ISO weeks, all in UTC.' }),
  bucketStarts: list(integer(), { description: 'Start of each bucket, epoch seconds.' }),
})

/** A report in the making, as `response` of generateReportPDF. */
export const reportTicket = model('ReportTicket', 'A report in the making.', {
  reportId: text({ description: 'The same as generatedReportId.' }),
  status: oneOf(reportStatuses),
  downloadUrl: text({ description: 'Path of the PDF once it is complete; 202 before.' }),
})

/** The issue action result (IAR). */
export const issueObject = wideRecord(
  'IssueObject',
  'Shared answer of the operations about issues and tests.',
  {
    historicalData: filled(list(coverageRow), null),
    filterCollectionsId: filled(list(integer()), null),
    showApiInfo: filled(flag(), false),
    ...filledEach(['testingRunResults', 'testingRunResultList'], list(testResult), null),
    reportFilters: filled(text(), null),
    description: filled(text({ description: 'Note on an issue.' }), null),
    ...filledEach(
      ['filterCompliance', 'filterSeverity', 'filterSubCategory', 'filterStatus'],
      list(text()),
      null,
    ),
    ...filledEach(
      [
        'skip',
        'limit',
        'openIssuesCount',
        'buaCategoryCount',
        'fixedIssuesCount',
        'ignoredIssuesCount',
        'endpointsCount',
      ],
      integer(),
      0,
    ),
    ...filledEach(['issues', 'similarlyAffectedIssues'], list(issue), null),
    removedRunResultsIssuesList: filled(
      list(issue, { description: 'Issues whose result is no longer kept.' }),
      null,
    ),
    subCategories: filled(list(testTemplate, { description: 'Tests.' }), null),
    categories: filled(list(testCategory, { description: 'All categories.' }), null),
    generatedReportId: filled(text(), null),
    testingRunResult: filled(testResult, null),
    ...filledEach(['ignoreReason', 'statusToBeUpdated'], text(), null),
    severityInfo: filled(
      mapOf(mapOf(integer()), { description: 'Collection id to severity to number of OPEN issues.' }),
      {},
    ),
    vulnerableRequests: filled(
      list(
        model('VulnerableRequest', 'An endpoint with the tests that found something there.', {
          id: endpointKey,
          templateIds: list(text()),
        }),
      ),
      null,
    ),
    sampleDataVsCurlMap: filled(mapOf(text()), null),
    issueId: filled(issueId, null),
    issueIdArray: filled(list(issueId), null),
    ...filledEach(
      ['openIssuesCountDayWise', 'criticalIssuesCountDayWise', 'totalIssuesCountDayWise'],
      list(integer(), { description: 'Issues created per bucket.' }),
      null,
    ),
    testSourceConfigs: filled(list(openObject()), null),
    testingRunResultSummary: filled(testRunSummary, null),
    fetchOnlyActive: filled(flag(), false),
    response: filled(openObject(), null),
    issuesDescriptionMap: filled(mapOf(text()), null),
  },
  [
    'skip',
    'limit',
    'filterStatus',
    'filterSeverity',
    'filterSubCategory',
    'filterCollectionsId',
    'filterCompliance',
    'issueId',
    'description',
    'ignoreReason',
    'statusToBeUpdated',
    'fetchOnlyActive',
  ],
)
