import { errorRows } from './row.ts'

/** Errors of the Burp and recorded-flow helpers and of text conversions. */
export const helperErrors = errorRows({
  INVALID_COLLECTION: {
    status: 422,
    message: 'Invalid collection',
    remedy: 'Send the name of an existing collection.',
  },
  INVALID_SAMPLE_DATA: {
    status: 422,
    message: 'Invalid sample data',
    remedy: 'Send one sample message as JSON text, in the form fetchSampleData returns.',
  },
  FLOW_NOT_JSON: {
    status: 422,
    message: 'content is not valid JSON',
    remedy: 'Send the recording as exported, a JSON object or array.',
  },
  FLOW_INVALID: {
    status: 422,
    message: 'content is not a recording: {reason}',
    remedy:
      'Send a recording exported from the Chrome DevTools Recorder (JSON), or a list of steps with action, selector and value.',
  },
  FLOW_ROLE_REQUIRED: {
    status: 422,
    message: 'roleName is required',
    remedy: 'Name the test role that the flow belongs to.',
  },
  NO_RECORDED_FLOW: {
    status: 422,
    message: 'No recorded flow found',
    remedy: 'Upload a flow first; results are kept for 10 minutes.',
  },
  RECORDED_FLOW_FAILED: {
    status: 422,
    message: 'The recorded flow failed: {reason}',
    remedy: 'Correct the step that failed; the screenshots show the page.',
  },
  INVALID_PLAYGROUND_ID: {
    status: 422,
    message: 'Invalid testing run playground id',
    remedy: 'Send the testingRunPlaygroundId that uploadRecordedFlow returned.',
  },
  BURP_TOKEN_FAILED: {
    status: 422,
    message: "Couldn't generate burp token",
    remedy: 'Try again; the log contains the cause.',
  },
})
