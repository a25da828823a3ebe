import type { ImporterName } from '../contract/import-formats.ts'
import { Failure } from '../kit/index.ts'
import { unreadable } from './failures.ts'
import { parseJsonDocument } from './json-document.ts'
import { MAX_YAML_CHARS, parseYaml } from './yaml-limits.ts'

/** A document of either syntax, parsed. */
interface ParsedText {
  readonly value: unknown
  readonly warnings: readonly string[]
  /** Lines of the keys down to the third level, by JSON pointer; empty for JSON. */
  readonly lines: ReadonlyMap<string, number>
}

export function isJson(text: string): boolean {
  return /^\s*\{/.test(text)
}

/**
 * Parses a document that may be JSON or YAML.
 * @throws Failure INVALID_* of that importer with the place, IMPORT_TOO_LARGE
 */
export function parseJsonOrYaml(text: string, importer: ImporterName): ParsedText {
  if (isJson(text)) return { ...parseJsonDocument(text, importer), lines: new Map() }
  if (text.length > MAX_YAML_CHARS) {
    throw new Failure('IMPORT_TOO_LARGE', { format: 'YAML', size: text.length, limit: MAX_YAML_CHARS })
  }
  const parsed = parseYaml(text)
  if ('reason' in parsed) throw unreadable(importer, parsed.reason, `line ${parsed.line}`)
  return parsed
}
