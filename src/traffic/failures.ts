import { formatOfImporter, type ImporterName, importFormatTable } from '../contract/import-formats.ts'
import { Failure } from '../kit/index.ts'

/** The failure of a file of which nothing can be read; `where` is a line, a JSON pointer or ''. */
export function unreadable(importer: ImporterName, reason: string, where = '', cause?: unknown): Failure {
  const details = { reason: where === '' ? reason : `${reason} (${where})`, where }
  return new Failure(importFormatTable[formatOfImporter(importer)].unreadable, details, { cause })
}
