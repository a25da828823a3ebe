import { escapeMarkup } from '../../../kit/index.ts'
import {
  type FindingPlace,
  failingFindings,
  type ScanCheck,
  type ScanFinding,
  type ScanResult,
} from '../scan-result.ts'

interface Case {
  readonly suite: string
  readonly className: string
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly type: string
  readonly message: string
  readonly text: string
}

/** JUnit XML: a suite for each category, a case for each check. Findings that do not fail the scan are skipped cases. */
export function junitReport(result: ScanResult, checks: readonly ScanCheck[]): string {
  const failing = new Set(failingFindings(result).map(({ fingerprint }) => fingerprint))
  const cases = [
    ...result.findings.flatMap((finding) =>
      finding.places.map((place) => findingCase(finding, place, failing.has(finding.fingerprint))),
    ),
    ...checks.map(checkCase),
  ]
  const suites = [...Map.groupBy(cases, ({ suite }) => suite)].sort(([a], [b]) => a.localeCompare(b))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    // The common schema knows the number of skipped cases of a suite, but not of all suites.
    `<testsuites name="vigil scan" ${countsOf(cases).replace(/ skipped="\d+"$/, '')} time="${result.seconds}">`,
    ...suites.map(([name, own]) => suiteText(name, own, result.startedAt)),
    ...errorSuite(result),
    '</testsuites>',
    '',
  ].join('\n')
}

function findingCase(finding: ScanFinding, place: FindingPlace, fails: boolean): Case {
  const why = finding.status === 'NEW' ? 'below the severity that fails' : finding.status.toLowerCase()
  return {
    suite: finding.category,
    className: `${place.method} ${place.path}`,
    name: place.testName,
    outcome: fails ? 'failed' : 'skipped',
    type: place.severity,
    message: fails
      ? `${place.severity}: ${place.reason}`
      : `${place.severity} finding, ${why}: ${place.reason}`,
    text: [`Fingerprint: ${finding.fingerprint}`, finding.proof?.request ?? '', finding.proof?.response ?? '']
      .filter((part) => part !== '')
      .join('\n\n'),
  }
}

function checkCase({ outcome, category, testName, method, path, reason }: ScanCheck): Case {
  return {
    suite: category,
    className: `${method} ${path}`,
    name: testName,
    outcome: outcome === 'PASSED' ? 'passed' : 'skipped',
    type: '',
    message: outcome === 'PASSED' ? '' : `Not tested: ${reason}`,
    text: '',
  }
}

/** A scan that proved nothing is an error for readers of this format too. */
function errorSuite({ verdict, state, problem }: ScanResult): string[] {
  if (verdict !== 'FAILED' && verdict !== 'NOTHING_TESTED') return []
  const message =
    verdict === 'FAILED'
      ? `The run ${state.toLowerCase()}. ${problem}`
      : 'Not one check could be carried out.'
  return [
    '  <testsuite name="vigil scan" tests="1" failures="0" errors="1" skipped="0">',
    `    <testcase classname="vigil" name="scan"><error message="${xml(message)}"/></testcase>`,
    '  </testsuite>',
  ]
}

function suiteText(name: string, cases: readonly Case[], startedAt: string): string {
  const timestamp = startedAt.replace(/\.\d+Z$/, '')
  return [
    `  <testsuite name="${xml(name)}" ${countsOf(cases)} timestamp="${timestamp}">`,
    ...cases.map(caseText),
    '  </testsuite>',
  ].join('\n')
}

function caseText({ className, name, outcome, type, message, text }: Case): string {
  const head = `    <testcase classname="${xml(className)}" name="${xml(name)}"`
  if (outcome === 'passed') return `${head}/>`
  if (outcome === 'skipped') return `${head}><skipped>${xml(message)}</skipped></testcase>`
  return `${head}><failure type="${xml(type)}" message="${xml(message)}">${xml(text)}</failure></testcase>`
}

function countsOf(cases: readonly Case[]): string {
  const count = (outcome: Case['outcome']): number => cases.filter((one) => one.outcome === outcome).length
  return `tests="${cases.length}" failures="${count('failed')}" errors="0" skipped="${count('skipped')}"`
}

/** Text for XML 1.0, without the characters that it cannot hold. */
function xml(text: string): string {
  const legal = text.toWellFormed().replace(/[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
  return escapeMarkup(legal)
}
