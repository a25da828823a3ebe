import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { importText } from '../detect-importer.ts'
import { nucleiImporter } from './nuclei.ts'

const lines = readFileSync('test/fixtures/imports/shop-nuclei.jsonl', 'utf8')
const list = readFileSync('test/fixtures/imports/shop-nuclei.json', 'utf8')

test.each([
  ['lines', lines],
  ['a list', list],
])(
  '%s: each match on an endpoint is a finding, with severity, weakness, part and messages',
  (_form, text) => {
    const { findings, report } = nucleiImporter.read(text)
    const found = [...findings!]
    expect(found.map(({ rule, method, url, part }) => [rule.id, rule.severity, method, url, part])).toEqual([
      ['nuclei:git-config', 'MEDIUM', 'GET', 'https://shop.test:8443/.git/config', ''],
      ['nuclei:CVE-2021-44228', 'CRITICAL', 'POST', 'https://shop.test:8443/v1/login', ''],
      ['nuclei:cors-misconfig:arbitrary-origin', 'LOW', 'GET', 'https://shop.test:8443/v1/me', ''],
      [
        'nuclei:reflected-xss',
        'MEDIUM',
        'GET',
        'https://shop.test:8443/v1/orders?sort=%3Cb%3E',
        'query sort',
      ],
    ])
    expect(found[1]!.rule).toMatchObject({
      tool: 'nuclei',
      name: 'Apache Log4j2 Remote Code Injection',
      remediation: 'Remove it.',
      cwe: ['CWE-917', 'CWE-502'],
      cve: ['CVE-2021-44228'],
      links: ['https://example.org/CVE-2021-44228'],
    })
    expect(found[0]!.exchange).toMatchObject({
      request: { method: 'GET', target: 'https://shop.test:8443/.git/config' },
      response: { status: 200, body: expect.stringContaining('[core]') },
    })
    expect(new Date(found[0]!.at * 1000).toISOString()).toBe('2026-01-29T10:05:00.000Z')
    expect(report).toMatchObject({ total: 4, taken: 4, skippedTotal: 0 })
  },
)

test.each([
  [{ info: { name: 'N', severity: 'info' } }, 'its severity is info'],
  [{ info: { name: 'N', severity: 'constructor' } }, 'its severity is constructor'],
  [{ type: 'ssl', info: { severity: 'info' } }, 'its severity is info'],
  [{ info: {} }, 'its severity is not told'],
  [{ type: 'ssl', 'matched-at': 'shop.test:8443' }, 'it is about ssl, not about an HTTP endpoint'],
  [{ 'matcher-status': false }, 'its template did not match'],
  [{ 'template-id': '' }, 'it has no template id'],
  [{ 'matched-at': 'shop.test', url: '', host: '' }, 'it names no http or https URL'],
])('skips a result with %j, with the reason', (change, reason) => {
  const [first] = JSON.parse(list) as object[]
  const { findings, report } = nucleiImporter.read(JSON.stringify([{ ...first, ...change }]))
  expect([...findings!]).toEqual([])
  expect(report.skipped).toMatchObject([{ reason: expect.stringContaining(reason) }])
})

test('a line that is cut off, and a list that is, cost only what is missing', () => {
  const cutLines = nucleiImporter.read(lines.slice(0, lines.indexOf('CVE-2021') + 5))
  expect([...cutLines.findings!]).toHaveLength(1)
  expect(cutLines.report.skipped).toMatchObject([{ where: 'line 2', reason: 'the line is not JSON' }])
  const cutList = nucleiImporter.read(list.slice(0, list.indexOf('CVE-2021') + 5))
  expect([...cutList.findings!]).toHaveLength(1)
  expect(cutList.report.fatal?.reason).toContain('results before it are taken')
})

test('refuses what is not JSON', () => {
  expect(() => nucleiImporter.read('INF nuclei')).toThrow(expect.objectContaining({ code: 'INVALID_IMPORT' }))
})

test('an empty file is one without findings', () => {
  const { findings, report } = importText('\n', { fileName: 'shop-nuclei.jsonl' })
  expect([...findings!]).toEqual([])
  expect(report).toMatchObject({ total: 0, warnings: [] })
})

test('a parameter at a position that objects inherit is not a part', () => {
  const [first] = JSON.parse(list) as object[]
  const changed = { ...first, fuzzing_position: 'constructor', fuzzing_parameter: 'a' }
  expect([...nucleiImporter.read(JSON.stringify([changed])).findings!]).toMatchObject([{ part: '' }])
})
