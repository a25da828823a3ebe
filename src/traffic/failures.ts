import { Failure } from '../kit/index.ts'
import type { ImporterName } from './importer.ts'

/** Failures of this room that the contract's error table takes over: HTTP status, sentence, what to do. */
export const TRAFFIC_FAILURES = {
  IMPORT_EMPTY: { status: 422, message: 'The file is empty', cure: 'Choose another file.' },
  IMPORT_TOO_LARGE: {
    status: 413,
    message: '{format}: {size} bytes are over the limit of {limit}',
    cure: 'Split the file; a large YAML document can be converted to JSON, which has a higher limit.',
  },
  IMPORT_NO_TEXT: {
    status: 422,
    message: 'The file is {kind}, no text',
    cure: 'Unpack archives first; export recordings as HAR.',
  },
  UNKNOWN_FORMAT: {
    status: 422,
    message: 'The format of the file was not recognised; known are: {known}',
    cure: 'Name the format, or send HAR, OpenAPI, Postman, Burp XML, curl, raw HTTP or sample messages.',
  },
} as const

/** Codes of the contract for "nothing of this file can be read", by format. */
const UNREADABLE: Record<ImporterName, string> = {
  har: 'INVALID_HAR',
  openapi: 'INVALID_OPENAPI',
  postman: 'INVALID_POSTMAN',
  'burp-xml': 'INVALID_BURP_XML',
  'sample-messages': 'INVALID_IMPORT',
  'raw-http': 'INVALID_IMPORT',
  curl: 'INVALID_IMPORT',
}

/** The failure of a file of which nothing can be read; `where` is a line, a JSON pointer or ''. */
export function unreadable(importer: ImporterName, reason: string, where = '', cause?: unknown): Failure {
  const details = { reason: where === '' ? reason : `${reason} (${where})`, where }
  return new Failure(UNREADABLE[importer], details, { cause })
}
