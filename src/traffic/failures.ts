import { Failure } from '../kit/index.ts'
import type { ImporterName } from './importer.ts'

/** Codes of the contract for "nothing of this file can be read", by format. */
const UNREADABLE: Record<ImporterName, string> = {
  har: 'INVALID_HAR',
  openapi: 'INVALID_OPENAPI',
  postman: 'INVALID_POSTMAN',
  insomnia: 'INVALID_IMPORT',
  graphql: 'INVALID_GRAPHQL',
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
