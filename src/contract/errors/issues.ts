import { answerPatterns } from '../vocabulary.ts'
import { errorRows } from './row.ts'

/** Errors of the operations about issues and results. */
export const issueErrors = errorRows({
  NOT_IMPORTED: {
    status: 404,
    message: 'No other scanner reported this issue',
    cause: 'The issue was found by a test of Vigil, so an import has no evidence of it.',
    remedy: 'Read its newest result instead: exportTestResultEvidence.',
  },
  ISSUE_NOT_FOUND: {
    status: 422,
    message: "Issue not found or you don't have access to it",
    remedy:
      'Load the list of issues again: the issue may be gone, or in a collection that you cannot access.',
  },
  TOO_MANY_ISSUE_TAGS: {
    status: 422,
    message: 'The issue at {method} {url} would have more than {most} tags, so nothing was changed',
    remedy: 'Remove tags of this issue first, or add fewer.',
  },
  TOO_MANY_VIEWS: {
    status: 422,
    message: 'You have {most} saved views already',
    remedy: 'Delete one, or save under the name of one.',
  },
  VIEW_NOT_FOUND: {
    status: 422,
    message: 'There is no such saved view of yours',
    remedy: 'Load your saved views again: the view may have been deleted.',
  },
  RULE_NOT_FOUND: {
    status: 422,
    message: 'There is no such rule that you may change',
    remedy: 'Load the list of false positives again: the rule may have been removed.',
  },
  IGNORE_UNTIL_PAST: {
    status: 422,
    message: 'The time until which an issue is ignored must be in the future',
    remedy: 'Choose a later time, or ignore the issue permanently (0).',
  },
  ISSUE_ID_NULL: {
    status: 422,
    message: 'Issue id cannot be null',
    remedy: 'Send the id of the issue as an object.',
  },
  DESCRIPTION_NULL: {
    status: 422,
    message: 'Description cannot be null',
    remedy: 'Send the text; empty text clears it.',
  },
  INVALID_TEST_RESULT_ID: {
    status: 422,
    message: 'Invalid testing run result id',
    remedy: 'Send the hexId of a result, 24 hexadecimal digits.',
  },
  TEST_RESULT_NOT_FOUND: {
    status: 422,
    message: 'Testing run result not found',
    remedy: 'Load the results of the run again: the run may have been deleted.',
  },
  INVALID_TEST_RUN_SUMMARY_ID: {
    status: 422,
    message: 'Invalid testing run summary id',
    remedy: 'Send the hexId of an execution, 24 hexadecimal digits.',
  },
  TEST_RUN_SUMMARY_NOT_FOUND: {
    status: 422,
    message: 'Test run summary not found',
    remedy: 'Load the executions of the run again: the execution may have been deleted.',
  },
  SUMMARY_OF_ANOTHER_RUN: {
    status: 422,
    message: 'The test run summary does not belong to the test run',
    remedy: 'Send the run that the execution names in testingRunHexId.',
  },
  INVALID_ANSWER_PATTERN: {
    status: 422,
    message: `Invalid pattern type. Supported types: ${answerPatterns.join(', ')}`,
    remedy: 'Send one of them, or omit the field for all.',
  },
  TEST_ID_EMPTY: {
    status: 422,
    message: 'testId is empty',
    remedy: 'Send the id of a test or filter, or the path of a document.',
  },
  REPORT_TOO_LARGE: {
    status: 422,
    message: 'The report has too many findings; narrow the filters',
    remedy: 'Filter by collection, severity or time; a report contains at most 2000 findings.',
  },
  REPORT_NOT_FOUND: {
    status: 422,
    message: 'Report not found',
    remedy: 'Generate the report again: reports are kept for seven days.',
  },
  NO_SUCH_REPORT: {
    status: 404,
    message: 'The report does not exist',
    remedy: 'Generate the report again: reports are kept for seven days.',
  },
  ASSIGNEE_UNKNOWN: {
    status: 422,
    message: 'The user {login} does not exist',
    remedy: 'Choose a user of the team by e-mail address, or nobody (null).',
  },
  COLLECTION_NAMES_REQUIRED: {
    status: 422,
    message: 'filterCollectionNames is required',
    remedy: 'Send the names of one or more collections.',
  },
  NO_COLLECTION_MATCHES: {
    status: 422,
    message: 'No API collections found matching: {names}',
    remedy: 'Send names that getAllCollectionsBasic lists.',
  },
})
