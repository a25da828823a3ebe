import { group, operation, root, wide } from '../operation.ts'
import { sentIssueId } from '../records/issue.ts'
import { issueObject, reportTicket } from '../records/issue-object.ts'
import { filterMap } from '../records/test-run-object.ts'
import { optional, required } from '../request-field.ts'
import { count, epochSeconds, flag, list, mapOf, model, nullable, oneOf, text } from '../schema.ts'
import { reportStatuses } from '../vocabulary.ts'
import { filled } from '../wide-record.ts'
import { exampleIssueId } from './issue-examples.ts'

const exampleReportId = '697e01aaaabbccddeeff0005'
const reportId = required(text(), 'The id that generateReportPDF gave.')

const listedReport = model('ListedReport', 'A report in a list.', {
  reportId: text(),
  status: oneOf(reportStatuses),
  reason: nullable(text({ description: 'Why there is none, when ERROR.' })),
  downloadUrl: text({ description: 'Where the PDF is, or will be.' }),
  sizeBytes: count('Of the PDF; 0 while there is none.'),
  createTime: epochSeconds('When it was asked for.'),
  expiryTime: epochSeconds('When it is deleted.'),
  testingRunHexId: nullable(text({ description: 'Run whose execution it is about; null for issues.' })),
  testingRunName: nullable(text({ description: 'Name of that run.' })),
  filtersForReport: mapOf(list(text()), { description: 'Name of a filter to its values, as text.' }),
  issuesCount: nullable(count('Issues that were chosen one by one; null otherwise.')),
})

/** Reports as PDF, by their wire names. */
export const reportOperations = group('issues', {
  generateReportPDF: operation({
    summary: 'Makes a PDF report of issues or of an execution',
    description:
      'Stores what is to be reported and makes the PDF in the background; response says where it will be. Reports are kept for 7 days (20 of one person) and hold at most 2000 findings; five of one person may wait. With issuesIdsForReport exactly these issues; without any field all OPEN issues. The keys of the filters are those of fetchAllIssues, and testingRunResultSummaryId with the filters of fetchTestingRunResults. A report shows what the person who asks for it may see at that moment.',
    inSpecification: true,
    specified: 'open',
    note: 'Request and response are not shown there.',
    request: {
      reportFilterList: optional(filterMap, 'Name of a filter to its values.'),
      reportFilters: optional(text(), 'The same as JSON text; read when reportFilterList is not sent.'),
      issuesIdsForReport: optional(list(sentIssueId), 'Exactly these issues, unless empty.'),
    },
    answer: wide(issueObject, ['generatedReportId', 'response'], { response: filled(reportTicket, null) }),
    role: 'GUEST',
    access: 'write',
    errors: ['REPORT_TOO_LARGE', 'TEST_RUN_SUMMARY_NOT_FOUND'],
    idempotent: false,
    example: {
      request: { reportFilterList: { filterStatus: ['OPEN'], filterSeverity: ['HIGH'] } },
      response: {
        generatedReportId: exampleReportId,
        response: {
          reportId: exampleReportId,
          status: 'IN_PROGRESS',
          downloadUrl: `/api/report/${exampleReportId}.pdf`,
        },
      },
    },
  }),

  downloadReportPDF: operation({
    summary: 'Gives the state of a report, and the PDF once it is complete',
    description:
      'GET /api/report/<id>.pdf gives the PDF as it is. A report is for the person who asked for it, and for those who may see all collections. A page that shows a report may send its own address instead of the id: the last part of that address which is the id of a report counts.',
    inSpecification: false,
    specified: 'open',
    note: 'Not an operation of the specification.',
    request: {
      reportId: optional(text(), 'The id that generateReportPDF gave; null when reportUrl holds it.'),
      reportUrl: optional(text(), 'Address of the page that shows the report; read without a reportId.'),
      firstPollRequest: optional(flag(), 'Accepted and ignored: the PDF is made once.', { default: false }),
      organizationName: optional(text(), 'Accepted and ignored.'),
      reportDate: optional(text(), 'Accepted and ignored.'),
      username: optional(text(), 'Accepted and ignored.'),
    },
    answer: root(
      model('ReportDownload', 'A report.', {
        reportId: text(),
        status: oneOf(reportStatuses),
        pdf: nullable(text({ description: 'The PDF in base64 when COMPLETED.' })),
        reason: nullable(text({ description: 'Why there is none, when ERROR.' })),
      }),
    ),
    role: 'GUEST',
    access: 'read',
    errors: ['REPORT_NOT_FOUND'],
    idempotent: true,
    example: {
      request: { reportId: exampleReportId },
      response: { reportId: exampleReportId, status: 'IN_PROGRESS', pdf: null, reason: null },
    },
  }),

  fetchReports: operation({
    summary: 'Lists the reports that the caller asked for',
    description: 'The newest first; each with where it is, until it is deleted.',
    inSpecification: false,
    specified: 'open',
    note: 'Not an operation of the specification.',
    request: {},
    answer: root(model('ReportList', 'Reports.', { reports: list(listedReport) })),
    role: 'GUEST',
    access: 'read',
    errors: [],
    idempotent: true,
    example: {
      request: {},
      response: {
        reports: [
          {
            reportId: exampleReportId,
            status: 'COMPLETED',
            reason: null,
            downloadUrl: `/api/report/${exampleReportId}.pdf`,
            sizeBytes: 81_920,
            createTime: 1769854500,
            expiryTime: 1770459300,
            testingRunHexId: null,
            testingRunName: null,
            filtersForReport: { filterStatus: ['OPEN'] },
            issuesCount: null,
          },
        ],
      },
    },
  }),

  getReportFilters: operation({
    summary: 'Gives back what a report was asked for',
    description: 'For the person who asked for it, and for those who may see all collections.',
    inSpecification: false,
    specified: 'open',
    note: 'Not an operation of the specification.',
    request: { generatedReportId: reportId },
    answer: root(
      model('ReportFilters', 'What a report is about.', {
        filtersForReport: mapOf(list(text()), { description: 'Name of a filter to its values, as text.' }),
        issuesIdsForReport: nullable(list(sentIssueId)),
      }),
    ),
    role: 'GUEST',
    access: 'read',
    errors: ['REPORT_NOT_FOUND'],
    idempotent: true,
    example: {
      request: { generatedReportId: exampleReportId },
      response: { filtersForReport: { filterStatus: ['OPEN'] }, issuesIdsForReport: [exampleIssueId] },
    },
  }),
})
