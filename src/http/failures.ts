/** Failures of this room: HTTP status and sentence per code; the contract's error table takes them over. */
export const HTTP_FAILURES = {
  SAMPLE_MESSAGE_INVALID: { status: 422, message: 'Not a valid HTTP sample: {reason}' },
  RAW_HTTP_INVALID: { status: 422, message: 'Not a raw HTTP message: {reason}' },
  JSON_INVALID: { status: 422, message: 'Invalid JSON at line {line}, column {column}: {reason}' },
  JSON_TOO_LARGE: { status: 413, message: 'JSON of {size} characters is over the limit of {limit}' },
  JSON_OVER_LIMIT: { status: 422, message: 'JSON at line {line}, column {column}: {reason}' },
} as const
