import { runSeconds } from '../limits.ts'
import { offeredRunTargets, resultModes } from '../vocabulary.ts'
import { errorRows } from './row.ts'

/** Errors of the operations about test runs. */
export const testRunErrors = errorRows({
  INVALID_RUN_TARGET: {
    status: 422,
    message: 'Invalid APIs type',
    cure: `Send one of ${offeredRunTargets.join(', ')} as type.`,
  },
  NO_COLLECTIONS_GIVEN: {
    status: 422,
    message: "API Collection IDs list can't be empty",
    cure: 'Name at least one collection in apiCollectionIds.',
  },
  WORKFLOW_NOT_FOUND: {
    status: 422,
    message: "Couldn't find workflow test",
    cure: 'Start a run of type CUSTOM, COLLECTION_WISE or MULTI_COLLECTION.',
  },
  NO_TEST_SELECTED: {
    status: 422,
    message: 'Select at least one test',
    cure: 'Send ids that fetchAllSubCategories lists, or a test suite.',
  },
  RUN_TIME_TOO_LONG: {
    status: 422,
    message: `testRunTime can't exceed ${runSeconds.most} seconds`,
    cure: 'Send fewer seconds, or -1 for the default.',
  },
  PAST_SCHEDULE: {
    status: 422,
    message: 'Cannot schedule a test run in the past.',
    cure: 'Send 0 to start now, or a time that is at most a day old.',
  },
  INVALID_OVERRIDE_URL: {
    status: 422,
    message: 'The override url is invalid. Please check the url again.',
    cure: 'Send an absolute http or https URL, or empty text.',
  },
  TEST_ROLE_NOT_FOUND: {
    status: 422,
    message: 'Test role not found',
    cure: 'Send a name or identifier that fetchTestRoles lists, or empty text.',
  },
  TICKET_PROJECT_REQUIRED: {
    status: 422,
    message: 'Project Id is required.',
    cure: 'Name the project of the ticket system in autoTicketingDetails.projectId.',
  },
  TICKET_SEVERITIES_EMPTY: {
    status: 422,
    message: 'Severities cannot be empty.',
    cure: 'Name at least one severity in autoTicketingDetails.severities.',
  },
  TICKET_SEVERITIES_INVALID: {
    status: 422,
    message: 'Invalid parameter: severities.',
    cure: 'Use CRITICAL, HIGH, MEDIUM and LOW.',
  },
  INVALID_TEST_RUN_ID: {
    status: 422,
    message: 'Invalid test id',
    cure: 'Send the testingRunHexId of an existing run, 24 hexadecimal digits.',
  },
  TEST_RUN_NOT_FOUND: {
    status: 422,
    message: 'Test run not found',
    cure: 'Send a testingRunHexId that retrieveAllCollectionTests lists.',
  },
  TEST_RUN_IN_PROGRESS: {
    status: 422,
    message: 'Test run is already in progress',
    cure: 'Wait for its end, or stop it first.',
  },
  STOP_FAILED: {
    status: 422,
    message: 'Unable to stop test run',
    cure: 'Send the testingRunHexId of an existing run.',
  },
  INVALID_TEST_SUMMARY_ID: {
    status: 422,
    message: 'Invalid test summary id',
    cure: 'Send the hexId of an execution, 24 hexadecimal digits.',
  },
  INVALID_QUERY_MODE: {
    status: 422,
    message: 'Invalid queryMode',
    cure: `Send one of ${resultModes.join(', ')}.`,
  },
})
