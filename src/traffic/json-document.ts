import type { ImporterName } from '../contract/import-formats.ts'
import { parseJson } from '../http/index.ts'
import { Failure } from '../kit/index.ts'
import { unreadable } from './failures.ts'

/**
 * Parses a whole JSON document for an importer, its faults told in the importer's own terms.
 * @throws Failure INVALID_* of that importer, with line, column and character.
 */
export function parseJsonDocument(
  text: string,
  importer: ImporterName,
): { value: unknown; warnings: readonly string[] } {
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { line, column, offset, reason } = error.details
    throw unreadable(importer, String(reason), `line ${line}, column ${column}, character ${offset}`, error)
  }
}
