import { runConcurrency, runSeconds } from '../limits.ts'
import { offeredRunTargets, resultModes } from '../vocabulary.ts'
import { errorRows } from './row.ts'

/** Errors of the operations about test runs. */
export const testRunErrors = errorRows({
  RECORD_PERIOD_INVALID: {
    status: 422,
    message: 'The end of the period must come after its start',
    remedy: 'Choose an end that is later than the start.',
  },
  INVALID_TIME_ZONE: {
    status: 422,
    message: 'Unknown time zone',
    remedy: 'Send a name of the IANA database such as Europe/Berlin, or leave it empty.',
  },
  INVALID_RUN_TARGET: {
    status: 422,
    message: 'Invalid APIs type',
    remedy: `Send one of ${offeredRunTargets.join(', ')} as type.`,
  },
  NO_COLLECTIONS_GIVEN: {
    status: 422,
    message: "API Collection IDs list can't be empty",
    remedy: 'Name at least one collection in apiCollectionIds.',
  },
  WORKFLOW_NOT_FOUND: {
    status: 422,
    message: "Couldn't find workflow test",
    remedy: 'Start a run of type CUSTOM, COLLECTION_WISE or MULTI_COLLECTION.',
  },
  NO_TEST_SELECTED: {
    status: 422,
    message: 'Select at least one test',
    remedy: 'Choose at least one test or test suite.',
  },
  RUN_TIME_TOO_LONG: {
    status: 422,
    message: `testRunTime can't exceed ${runSeconds.most} seconds`,
    remedy: 'Choose a shorter time, or none for the default (-1).',
  },
  PAST_SCHEDULE: {
    status: 422,
    message: 'Cannot schedule a test run in the past.',
    remedy: 'Choose a time in the future, or none to start now (0).',
  },
  INVALID_OVERRIDE_URL: {
    status: 422,
    message: 'The override url is invalid. Please check the url again.',
    remedy: 'Enter an absolute http or https URL, or nothing.',
  },
  TEST_ROLE_NOT_FOUND: {
    status: 422,
    message: 'Test role not found',
    more: 'No test role has the name or identifier {role}',
    remedy: 'Choose a role of the list of test roles, or none.',
  },
  TICKET_PROJECT_REQUIRED: {
    status: 422,
    message: 'Project Id is required.',
    remedy: 'Name the project of the ticket system in autoTicketingDetails.projectId.',
  },
  TICKET_SEVERITIES_EMPTY: {
    status: 422,
    message: 'Severities cannot be empty.',
    remedy: 'Name at least one severity in autoTicketingDetails.severities.',
  },
  TICKET_SEVERITIES_INVALID: {
    status: 422,
    message: 'Invalid parameter: severities.',
    remedy: 'Use CRITICAL, HIGH, MEDIUM and LOW.',
  },
  INVALID_TEST_RUN_ID: {
    status: 422,
    message: 'Invalid test id',
    remedy: 'Send the testingRunHexId of an existing run, 24 hexadecimal digits.',
  },
  TEST_RUN_NOT_FOUND: {
    status: 422,
    message: 'Test run not found',
    remedy: 'Load the list of runs again: the run may have been deleted.',
  },
  TEST_RUN_IN_PROGRESS: {
    status: 422,
    message: 'Test run is already in progress',
    remedy: 'Wait until it ends, or stop it first.',
  },
  STOP_FAILED: {
    status: 422,
    message: 'Unable to stop test run',
    remedy: 'Load the run again: it may have ended, or been deleted.',
  },
  INVALID_TEST_SUMMARY_ID: {
    status: 422,
    message: 'Invalid test summary id',
    remedy: 'Send the hexId of an execution, 24 hexadecimal digits.',
  },
  INVALID_QUERY_MODE: {
    status: 422,
    message: 'Invalid queryMode',
    remedy: `Send one of ${resultModes.join(', ')}.`,
  },
  TEMPLATE_INFO_ABSENT: {
    status: 422,
    message: 'Error in template: info key absent',
    remedy: 'Give the test an info block; docs/reference/test-templates.md shows one.',
  },
  TEMPLATE_KEY_ABSENT: {
    status: 422,
    message: 'Error in template: {key} key absent',
    remedy: 'Add the key to the info block of the test.',
  },
  TEMPLATE_ID_TAKEN: {
    status: 422,
    message: 'Cannot save template, specify a different test id',
    remedy: 'Choose another id: tests of the library and of folders keep theirs.',
  },
  INVALID_TEST_TEMPLATE: {
    status: 422,
    message: 'Error in template: {problem}',
    remedy: 'Correct the named line; docs/reference/test-templates.md lists every word of the language.',
  },
  INVALID_TEST_CASES: {
    status: 422,
    message: 'The cases cannot be used: {problem}',
    remedy:
      'Correct them; a case has name, expect, sample and answers, as in the .cases.yaml files of the library.',
  },
  TEST_TEMPLATE_NOT_FOUND: {
    status: 422,
    message: 'Test not found',
    remedy: 'Load the test library again: the test may have been deleted.',
  },
  TEST_TEMPLATE_NOT_OWN: {
    status: 422,
    message: 'Only tests written in the dashboard can be deleted',
    remedy: 'Deactivate the test with setTestInactive, or remove its file from the folder.',
  },
  NO_SAMPLE_TO_TEST: {
    status: 422,
    message: 'No sample data found for the API',
    remedy: 'Send a sample in sampleDataList, or send traffic of the endpoint to Vigil first.',
  },
  INVALID_TEST_SAMPLE: {
    status: 422,
    message: 'Invalid sample: {reason}',
    remedy: 'Send a sample message as fetchSampleData gives it.',
  },
  PLAYGROUND_BUSY: {
    status: 429,
    message: 'Too many tests are being tried out right now',
    remedy: 'Wait until the running ones have ended.',
  },
  PLAYGROUND_NOT_FOUND: {
    status: 422,
    message: 'No tried test has this id',
    remedy: 'Send the testingRunPlaygroundHexId of runTestForGivenTemplate within ten minutes.',
  },
  RUN_OF_ANOTHER: {
    status: 403,
    message:
      'Only the person who started this run, or one with access to all collections, can change what it tests',
    remedy: 'Start a new run with the target and tests that you want, or rerun this one unchanged.',
  },
  RUN_CONFIG_NOT_FOUND: {
    status: 422,
    message: 'Test run configuration not found',
    remedy: 'Load the list of runs again: the run may have been deleted.',
  },
  RUN_CONCURRENCY_TOO_HIGH: {
    status: 422,
    message: `maxConcurrentRequests can't exceed ${runConcurrency.most}`,
    remedy: 'Choose fewer requests, or none for the default (-1).',
  },
  TEST_SUITE_EXISTS: {
    status: 422,
    message: 'A test suite with this name already exists',
    remedy: 'Choose another name, or change the existing suite.',
  },
  TEST_SUITE_NOT_FOUND: {
    status: 422,
    message: 'Test suite not found',
    remedy: 'Load the test suites again: the suite may have been deleted.',
  },
  TEST_ROLE_NAME_EMPTY: {
    status: 422,
    message: 'Test role name is empty',
    remedy: 'Enter a name for the role.',
  },
  TEST_ROLE_EXISTS: {
    status: 422,
    message: 'Role already exists',
    remedy: 'Choose another name, or change the existing role.',
  },
  TEST_ROLE_UNKNOWN: {
    status: 422,
    message: "Role doesn't exists",
    remedy: 'Load the test roles again: the role may have been removed.',
  },
  TEST_ROLE_FIXED: {
    status: 422,
    message: 'The role cannot be removed.',
    remedy: 'The system role can be neither removed nor limited to endpoints; change its credentials.',
  },
  TEST_ROLE_AUTH_UNKNOWN: {
    status: 422,
    message: 'The role has no credential at this index',
    remedy: 'Send an index of authWithCondList, counted from 0.',
  },
  AUTH_PARAMETER_EMPTY: {
    status: 422,
    message: "Key, Value, Location can't be empty",
    remedy: 'Give key, value and where of every parameter.',
  },
  AUTH_VALUE_MASKED: {
    status: 422,
    message: 'The masked value does not match a stored secret',
    remedy: 'Send the value itself; a masked value is accepted only where it came from.',
  },
  INVALID_ROLE_URL_PATTERN: {
    status: 422,
    message: 'Invalid URL path regex',
    remedy: 'Enter a regular expression without look-around and back-references.',
  },
  INVALID_ROLE_PATTERN: {
    status: 422,
    message: 'Invalid pattern in the conditions of the role',
    remedy: 'Enter a regular expression without look-around and back-references.',
  },
  TARGET_OUT_OF_SCOPE: {
    status: 422,
    message: '{host} may not be tested: {reason}',
    remedy: 'Test endpoints of your inventory, or start the run with the URL of its target.',
  },
  TARGET_UNREACHABLE: {
    status: 502,
    message: '{host} cannot be reached: {reason}',
    remedy: 'Check that the target runs and that this machine can reach it.',
  },
  TARGET_TIMEOUT: {
    status: 504,
    message: '{host} did not answer within {seconds} seconds',
    remedy: 'Check the load of the target, or test with less concurrency.',
  },
  TARGET_BROKE_PROTOCOL: {
    status: 502,
    message: 'The response of the target is invalid: {reason}',
    remedy: 'Check the proxies and gateways in front of the target.',
  },
  TARGET_CERTIFICATE_REFUSED: {
    status: 502,
    message: 'The certificate of {host} is not trusted: {reason}',
    remedy: 'Renew the certificate, or turn off VIGIL_VERIFY_TARGETS.',
  },
  ENDPOINT_SILENT: {
    status: 502,
    message: '{method} {url} left too many requests unanswered; requests to it are paused',
    remedy:
      'Test only this endpoint, or look in its log for what ends without an answer; the run continues with other endpoints.',
  },
  HOST_BUDGET_SPENT: {
    status: 502,
    message: '{host} failed too often in a row; requests to it are paused',
    remedy: 'Check that the target is up; the run continues with other hosts.',
  },
  WRITE_NOT_REVERSIBLE: {
    status: 409,
    message: '{method} {url} was not sent, because {reason}',
    remedy: 'Choose the write level ALL for a run on an application whose data may change.',
  },
  WRITE_IS_STALE: {
    status: 409,
    message: '{method} {url} was not sent, because the object it deletes no longer exists',
    remedy: 'Record the endpoint again with an object that exists.',
  },
  TOO_MANY_REDIRECTS: {
    status: 502,
    message: '{host} redirects endlessly',
    remedy: 'Check the redirects of the target.',
  },
  SEND_STOPPED: {
    status: 503,
    message: 'The run ended before the request was answered',
    remedy: 'Start the run again, or give it more time.',
  },
  TEMPLATE_TOO_MANY_COMBINATIONS: {
    status: 422,
    message: 'The text {text} expands to {count} requests; the limit is {limit}',
    remedy: 'Shorten the word lists, or use fewer of them in one text.',
  },
  TEST_EVIDENCE_GONE: {
    status: 422,
    message: 'The evidence of this result is no longer stored',
    remedy: 'Run the test again; evidence is deleted together with its result.',
  },
  UNMASKED_FOR_ADMINS: {
    status: 403,
    message: 'Only administrators can request unmasked evidence',
    remedy: 'Omit unmasked, or make the call as an administrator.',
  },
  UNMASKED_FOR_MEMBERS: {
    status: 403,
    message: 'Guests can see messages only with sensitive values masked',
    remedy: 'Omit unmasked, or ask a member or an administrator.',
  },
  EVIDENCE_UNREADABLE: {
    status: 422,
    message: 'The evidence cannot be read: {reason}',
    remedy: 'Export the evidence again.',
  },
  PATTERN_OVER_BUDGET: {
    status: 422,
    message: 'The pattern {pattern} {reason}',
    remedy: 'Simplify the pattern: use smaller repetition counts, and start with literal text.',
  },
  EVIDENCE_CANNOT_BE_JUDGED: {
    status: 422,
    message: 'The evidence cannot be judged again: {reason}',
    remedy:
      'Export the evidence again. If masked values are the reason, export it unmasked as an administrator.',
  },
})
