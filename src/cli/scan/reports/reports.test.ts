import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { junitFaults } from '../../../../test/junit-shape.ts'
import { sarifFaults, sarifViewed } from '../../../../test/sarif-shape.ts'
import { SCAN_FORMAT, SCAN_VERSION, type ScanFinding, type ScanResult } from '../scan-result.ts'
import { htmlReport } from './html.ts'
import { junitReport } from './junit.ts'
import { markdownReport } from './markdown.ts'
import { sarifReport } from './sarif.ts'

const HOSTILE =
  '</script><img src=//evil.test onerror=x> ]]> & "q" \'q\' @team `tick` ```fence``` \u0000\u0007\ud800 | [a](http://evil.test)'
const DOCUMENT = 'test/fixtures/imports/shop-openapi-3.0.yaml'

function finding(number: number, given: Partial<ScanFinding> = {}): ScanFinding {
  const place = {
    ...{
      method: 'GET',
      path: `/items/${number}`,
      testId: 'T',
      testName: 'Weak thing',
      severity: 'HIGH' as const,
    },
    ...{ reason: HOSTILE, resultId: 'r' },
  }
  return {
    ...{ fingerprint: String(number).padStart(32, '0'), status: 'NEW', ignoreReason: null, severity: 'HIGH' },
    ...{ testId: 'T', name: `Weak thing ${HOSTILE}`, category: HOSTILE, scope: 'endpoint', part: '' },
    ...{ places: [place], proof: { request: `GET /x\nh: ${HOSTILE}`, response: HOSTILE } },
    ...given,
  }
}

function result(findings: ScanFinding[], given: Partial<ScanResult> = {}): ScanResult {
  return {
    ...{ format: SCAN_FORMAT, version: SCAN_VERSION, toolVersion: '1.2.3', target: 'http://shop.test' },
    ...{
      inputs: [{ file: DOCUMENT, format: 'OPEN_API', taken: 1, skipped: 0 }],
      startedAt: '2026-01-31T10:00:00.000Z',
    },
    ...{
      seconds: 12.3,
      state: 'COMPLETED',
      verdict: 'FINDINGS',
      problem: '',
      failOn: 'HIGH',
      endpoints: 3,
      tests: 4,
    },
    ...{
      requests: 5,
      checks: { found: 1, passed: 2, notTested: 3, notApplicable: 4 },
      warnings: [HOSTILE],
      findings,
    },
    notTested: [{ reason: HOSTILE, checks: 3, tests: 2, endpoints: 1 }],
    rules: [
      {
        ...{
          id: 'T',
          name: 'Weak thing',
          category: 'C',
          severity: 'HIGH',
          description: HOSTILE,
          impact: HOSTILE,
        },
        ...{
          remediation: 'Check the owner.',
          references: ['javascript:alert(1)', 'https://owasp.org/'],
          cwe: ['CWE-639'],
          tags: [],
        },
      },
    ],
    ...given,
  }
}

test('text of a target stays text in every report', () => {
  const hostile = result([finding(1)])
  const html = htmlReport(hostile)
  expect(html).not.toMatch(/<(?:script|img|link|iframe|object)\b/i)
  expect(html).not.toContain('javascript:alert(1)"')
  expect(html, 'nothing is loaded').not.toMatch(/\bsrc=["']?\w|url\(|@import/)
  const markdown = markdownReport(hostile)
  expect(markdown, 'a proof is longer fenced than what it holds').toMatch(/^`{4}http$/m)
  const outside = markdown.replace(/^`{4}http$[\s\S]*?^`{4}$/m, '')
  expect(outside).not.toMatch(/<(?!\/?(?:details|summary)>)|@team|\[a\]\(/)
  expect(markdown).not.toMatch(/(?![\t\n])\p{Cc}/u)
  expect(junitFaults(junitReport(hostile, []))).toEqual([])
  expect(sarifFaults(JSON.parse(sarifReport(hostile)))).toEqual([])
})

test('an independent viewer of SARIF shows rule, severity and place of a finding', () => {
  const viewed = sarifViewed(JSON.parse(sarifReport(result([finding(1, { name: 'Weak thing' })]))))
  expect(viewed).toContain(String.raw`**[ERROR]** **[T]** [[HELP LINK](https://owasp.org/)] `)
  expect(viewed).toContain(String.raw`Weak thing at GET \/items\/1`)
  expect(viewed).toContain(`${DOCUMENT}#L1`)
})

test('a description that was fetched is named by its address, without what may be a secret', () => {
  const file = 'https://ci:secret@shop.test/openapi.yaml?token=secret'
  const text = sarifReport(
    result([finding(1)], { inputs: [{ file, format: 'OPEN_API', taken: 1, skipped: 0 }] }),
  )
  expect(text).toContain('"uri": "https://shop.test/openapi.yaml"')
  expect(text).not.toContain('secret')
  expect(sarifFaults(JSON.parse(text))).toEqual([])
})

test('the published schemas refuse what no reader knows', () => {
  const sarif = JSON.parse(sarifReport(result([finding(1)]))) as { runs: { results: object[] }[] }
  sarif.runs[0]!.results.push({ level: 'fatal' })
  expect(sarifFaults(sarif).join()).toContain('must have required property')
  const junit = junitReport(result([finding(1)]), []).replace('<testcase ', '<testcase verdict="bad" ')
  expect(junitFaults(junit).join()).toContain('verdict')
})

test('a comment keeps its limit, and says how much is left out', () => {
  const many = Array.from({ length: 400 }, (_, number) => finding(number))
  const text = markdownReport(result(many))
  expect(text.length).toBeLessThan(65_000)
  expect(text).toMatch(/\d+ entries more are in the other reports/)
})

test('findings that do not fail the scan are shown as such', () => {
  const mixed = result([
    finding(1),
    finding(2, { status: 'KNOWN' }),
    finding(3, { status: 'IGNORED', ignoreReason: 'by design' }),
    finding(4, { severity: 'LOW' }),
  ])
  const sarif = JSON.parse(sarifReport(mixed)).runs[0].results
  expect(sarif.map(({ baselineState }: { baselineState: string }) => baselineState)).toEqual([
    'new',
    'unchanged',
    'new',
    'new',
  ])
  expect(sarif[2].suppressions).toEqual([
    { kind: 'external', status: 'accepted', justification: 'by design' },
  ])
  expect(junitReport(mixed, [])).toContain('tests="4" failures="1" errors="0" skipped="3" timestamp=')
  expect(markdownReport(mixed)).toContain('### 3 more that do not fail this scan')
})

test('a scan that proved nothing is an error in JUnit and not successful in SARIF', () => {
  const nothing = result([], { verdict: 'NOTHING_TESTED' })
  expect(junitFaults(junitReport(nothing, []))).toEqual([])
  expect(junitReport(nothing, [])).toContain('<error message="Not one check could be carried out."/>')
  expect(JSON.parse(sarifReport(nothing)).runs[0].invocations[0].executionSuccessful).toBe(false)
})

test('a result points at the line of the document that describes its endpoint', () => {
  const lines = readFileSync(DOCUMENT, 'utf8').split('\n')
  const path = lines.findIndex((line) => /^ {2}\/.*\{.*\}.*:$/.test(line))
  const method = lines.findIndex((line, index) => index > path && /^ {4}get:/.test(line))
  const url = `/base${lines[path]!.trim()
    .replace(/:$/, '')
    .replace(/\{[^}]*\}/g, 'INTEGER')}`
  const places = [{ ...finding(1).places[0]!, path: url }, finding(2).places[0]!]
  const { locations } = JSON.parse(sarifReport(result([finding(1, { places })]))).runs[0].results[0]
  expect(locations).toMatchObject([
    {
      physicalLocation: { artifactLocation: { uri: DOCUMENT }, region: { startLine: method + 1 } },
      logicalLocations: [{ fullyQualifiedName: `GET ${url}` }],
    },
    { physicalLocation: { region: { startLine: 1 } } },
  ])
})
