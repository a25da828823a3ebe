/** Failures of this room that the contract's error table takes over: HTTP status, sentence, what to do. */
export const HTTP_FAILURES = {
  SAMPLE_MESSAGE_INVALID: {
    status: 422,
    message: 'Not a valid HTTP sample: {reason}',
    cure: 'Send one sample message as JSON text, in the form fetchSampleData returns.',
  },
  RAW_HTTP_INVALID: {
    status: 422,
    message: 'Not a raw HTTP message: {reason}',
    cure: 'Send a start line, headers and, after an empty line, the body.',
  },
  JSON_INVALID: {
    status: 422,
    message: 'Invalid JSON at line {line}, column {column}: {reason}',
    cure: 'Correct the text at that place.',
  },
  JSON_TOO_LARGE: {
    status: 413,
    message: 'JSON of {size} characters is over the limit of {limit}',
    cure: 'Split the text.',
  },
  JSON_OVER_LIMIT: {
    status: 422,
    message: 'JSON at line {line}, column {column}: {reason}',
    cure: 'Flatten or split the text.',
  },
} as const
