import { durationText } from './progress.ts'
import { countBySeverity, failingFindings, type ScanResult, severityOrder } from './scan-result.ts'

const REASONS_SHOWN = 5
const WARNINGS_SHOWN = 5
const WIDTH = 110

/** The end of a scan in a few lines, for people. */
export function summaryText(result: ScanResult): string {
  const { checks, endpoints, tests, requests, seconds } = result
  const lines = [
    '',
    verdictLine(result),
    `  Findings   ${findingsLine(result)}`,
    `  Checks     ${number(checks.found + checks.passed)} tested (${number(checks.passed)} passed), ${number(checks.notTested)} not tested, ${number(checks.notApplicable)} not applicable`,
    `  Scope      ${plural(endpoints, 'endpoint')}, ${plural(tests, 'test')} at ${result.target}`,
    `  Sent       ${plural(requests, 'request')} in ${durationText(seconds)}`,
    ...notTestedLines(result),
    ...warningLines(result),
  ]
  return `${lines.join('\n')}\n`
}

/** What the scan came to, in one line. */
export function verdictLine(result: ScanResult): string {
  const { verdict, failOn, problem } = result
  const because = problem === '' ? '' : ` (${problem})`
  if (verdict === 'FAILED') return `FAILED: the run ${result.state.toLowerCase()}${because}`
  if (verdict === 'NOTHING_TESTED') return `NOTHING TESTED: not one check could be carried out${because}`
  const failing = failingFindings(result).length
  if (verdict === 'FINDINGS') return `FINDINGS: ${failing} at or above ${failOn.toLowerCase()}${because}`
  return failOn === 'NONE'
    ? `PASSED: findings do not fail this scan${because}`
    : `PASSED: nothing new at or above ${failOn.toLowerCase()}${because}`
}

function findingsLine({ findings }: ScanResult): string {
  if (findings.length === 0) return 'none'
  const counts = countBySeverity(findings)
  const bySeverity = severityOrder.flatMap((severity) =>
    counts[severity] === 0 ? [] : [`${counts[severity]} ${severity.toLowerCase()}`],
  )
  const known = findings.filter(({ status }) => status === 'KNOWN').length
  const ignored = findings.filter(({ status }) => status === 'IGNORED').length
  const notes = [
    ...(known > 0 ? [`${known} in the baseline`] : []),
    ...(ignored > 0 ? [`${ignored} ignored`] : []),
  ]
  return `${bySeverity.join(', ')}${notes.length > 0 ? ` (of these ${notes.join(', ')})` : ''}`
}

function notTestedLines({ notTested }: ScanResult): string[] {
  if (notTested.length === 0) return []
  const rest = notTested.length - REASONS_SHOWN
  return [
    '',
    'Not tested, the most frequent reasons first:',
    ...notTested
      .slice(0, REASONS_SHOWN)
      .map(({ checks, reason }) => `  ${String(checks).padStart(6)}  ${cut(reason)}`),
    ...(rest > 0 ? [`  … and ${plural(rest, 'reason')} more, in the reports`] : []),
  ]
}

function warningLines({ warnings }: ScanResult): string[] {
  if (warnings.length === 0) return []
  const rest = warnings.length - WARNINGS_SHOWN
  return [
    '',
    'Warnings of the run:',
    ...warnings.slice(0, WARNINGS_SHOWN).map((warning) => `  ${cut(warning)}`),
    ...(rest > 0 ? [`  … and ${rest} more, in the reports`] : []),
  ]
}

function cut(text: string): string {
  return text.length <= WIDTH ? text : `${text.slice(0, WIDTH - 1)}…`
}

function number(value: number): string {
  return value.toLocaleString('en-US')
}

function plural(count: number, noun: string): string {
  return `${number(count)} ${noun}${count === 1 ? '' : 's'}`
}
