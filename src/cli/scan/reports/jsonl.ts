import type { ScanResult } from '../scan-result.ts'

/** One line of JSON for each finding, then one for the scan. */
export function jsonLinesReport({ findings, rules: _rules, ...scan }: ScanResult): string {
  const lines = [...findings.map((finding) => ({ type: 'finding', ...finding })), { type: 'scan', ...scan }]
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}
