import type { ScanResult } from '../scan-result.ts'

/** The whole result as JSON; `--baseline` reads it. */
export function jsonReport(result: ScanResult): string {
  return `${JSON.stringify(result, null, 2)}\n`
}
