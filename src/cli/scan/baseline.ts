import { Failure } from '../../kit/index.ts'
import { readTextFile } from '../read-text-file.ts'
import { SCAN_FORMAT, SCAN_VERSION } from './scan-result.ts'

/** A report of many findings, with their evidence. */
const MAX_BYTES = 256 * 1024 * 1024

/**
 * Fingerprints of the findings of an earlier scan.
 *
 * @param path a report written with --json
 * @throws Failure BAD_COMMAND when it is not such a report
 */
export function readBaseline(path: string): ReadonlySet<string> {
  const bad = (reason: string): Failure =>
    new Failure('BAD_COMMAND', { reason: `--baseline ${path}: ${reason}` })
  const text = readTextFile(path, bad, MAX_BYTES)
  const foreign = (): Failure => bad('not a report that vigil scan wrote with --json')
  let report: unknown
  try {
    report = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw foreign()
    throw error
  }
  const { format, version, findings } = (report ?? {}) as Record<string, unknown>
  if (format !== SCAN_FORMAT || !Array.isArray(findings)) throw foreign()
  if (version !== SCAN_VERSION) throw bad(`version ${String(version)} of the report is not known`)
  return new Set(findings.map((one: { fingerprint?: unknown } | null) => String(one?.fingerprint)))
}
