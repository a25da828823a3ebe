import { escapeMarkup as text } from '../../kit/index.ts'
import type { CheckCounts, TestRecord } from './test-record.ts'

type Cell = string | number

/** A record as one page without scripts or requests, to be read and printed. */
export function recordHtml(record: TestRecord, fingerprint: string): string {
  const { totals } = record
  const day = (time: string): string => time.slice(0, 10)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Test record ${text(day(record.periodFrom))} to ${text(day(record.periodTo))}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Security test record</h1>
<p>What was tested from ${text(record.periodFrom)} to ${text(record.periodTo)}.</p>
${facts([
  ['Collections', record.collections.join(', ')],
  ['Made', `${record.madeAt} by ${record.madeBy}`],
  ['Installation', `${record.installation}, Vigil ${record.vigilVersion}`],
  ['Signed with', `Ed25519 key ${fingerprint}; check with: vigil report verify FILE`],
  ['Executions', String(totals.executions)],
  ['Endpoints tested', `${totals.endpointsTested} of ${totals.endpoints}`],
  ['Checks', `${sumOf(totals)}: ${countsText(totals)}`],
])}
${record.cut.length === 0 ? '' : `<p><strong>Cut because of their length: ${text(record.cut.join(', '))}.</strong></p>`}
${section(
  'Executions',
  ['Run', 'By', 'State', 'Started', 'Ended', ...COUNT_HEADS],
  record.executions.map((one) => [one.run, one.by, one.state, one.startedAt, one.endedAt, ...counts(one)]),
)}
${section(
  'Findings',
  ['Severity', 'Test', 'Collection', 'Endpoint', 'Found', 'Issue'],
  record.findings.map((one) => [
    one.severity,
    one.test,
    one.collection,
    `${one.method} ${one.url}`,
    one.foundAt,
    one.issueStatus.toLowerCase() || 'none',
  ]),
)}
${section(
  'Tests',
  ['Test', 'Category', 'CWE', ...COUNT_HEADS, 'SHA-256 of the definition'],
  record.tests.map((one) => [one.name, one.category, one.cwe.join(' '), ...counts(one), one.definition]),
)}
${section(
  'Endpoints',
  ['Collection', 'Endpoint', 'Last tested', ...COUNT_HEADS],
  record.endpoints.map((one) => [
    one.collection,
    `${one.method} ${one.url}`,
    one.lastTestedAt || 'never',
    ...counts(one),
  ]),
)}
${section(
  'Not tested',
  ['Collection', 'Endpoint', 'Why'],
  record.gaps.map((one) => [one.collection, `${one.method} ${one.url}`, one.reason]),
)}
</body>
</html>`
}

const COUNT_HEADS = ['Vulnerable', 'Passed', 'Not verified', 'Needs configuration', 'Skipped']
const STYLE =
  'body{font:14px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:1100px;padding:0 1rem;color:#1a1a1a}' +
  'table{border-collapse:collapse;width:100%;margin-bottom:1.5rem;font-size:12px}' +
  'th,td{border:1px solid #c4c4c4;padding:3px 6px;text-align:left;vertical-align:top;overflow-wrap:anywhere}' +
  'dt{font-weight:600}dd{margin:0 0 .4rem}tr{break-inside:avoid}'

function counts(one: CheckCounts): number[] {
  return [one.vulnerable, one.passed, one.notVerified, one.needsConfiguration, one.skipped]
}

function sumOf(one: CheckCounts): number {
  return counts(one).reduce((sum, count) => sum + count, 0)
}

function countsText(one: CheckCounts): string {
  return `${one.vulnerable} vulnerable, ${one.passed} passed, ${one.notVerified} not verified, ${one.needsConfiguration} need configuration, ${one.skipped} skipped`
}

function facts(rows: readonly (readonly [string, string])[]): string {
  return `<dl>${rows.map(([name, value]) => `<dt>${text(name)}</dt><dd>${text(value)}</dd>`).join('')}</dl>`
}

function section(title: string, heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const head = heads.map((one) => `<th scope="col">${text(one)}</th>`).join('')
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${text(String(cell))}</td>`).join('')}</tr>`)
  const table = `<table><thead><tr>${head}</tr></thead><tbody>\n${body.join('\n')}\n</tbody></table>`
  return `<h2>${text(title)} (${rows.length})</h2>\n${rows.length === 0 ? '<p>None.</p>' : table}`
}
