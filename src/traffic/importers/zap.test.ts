import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { zapImporter } from './zap.ts'

const json = readFileSync('test/fixtures/imports/shop-zap.json', 'utf8')
const xml = readFileSync('test/fixtures/imports/shop-zap.xml', 'utf8')

test.each([
  ['JSON', json],
  ['XML', xml],
])('%s: each place of an alert is a finding, with severity, weakness, part and messages', (_form, text) => {
  const { findings, report } = zapImporter.read(text)
  const found = [...findings!]
  expect(found.map(({ rule, method, url, part }) => [rule.id, rule.severity, method, url, part])).toEqual([
    ['ZAP:40018', 'HIGH', 'GET', 'https://shop.test:8443/v1/orders?sort=id%27', 'query sort'],
    ['ZAP:40018', 'HIGH', 'GET', 'https://shop.test:8443/v1/orders?sort=id&page=1%27', 'query page'],
    ['ZAP:40018', 'HIGH', 'PUT', 'https://shop.test:8443/v1/orders/77', 'body note'],
    ['ZAP:10021', 'LOW', 'GET', 'https://shop.test:8443/v1/orders', ''],
    ['ZAP:10021', 'LOW', 'GET', 'https://shop.test:8443/v1/me', ''],
  ])
  expect(found[0]!.rule).toMatchObject({
    tool: 'ZAP',
    name: 'SQL Injection',
    description: 'SQL injection may be possible.',
    remediation: 'Use prepared statements, not text & quotes.',
    cwe: ['CWE-89'],
    links: ['https://cheatsheetseries.owasp.org/cheatsheets/SQL_Injection_Prevention_Cheat_Sheet.html'],
  })
  expect(found[0]!.exchange).toMatchObject({
    request: { method: 'GET', target: 'https://shop.test:8443/v1/orders?sort=id%27' },
    response: { status: 500, body: '{"error":"SQL syntax error"}' },
  })
  expect(found[2]!.exchange?.request.body).toBe('{"note":"x\'"}')
  expect(found[3]).toMatchObject({ exchange: null, isOfHost: true })
  expect(new Date(found[0]!.at * 1000).toISOString()).toBe('2026-01-29T10:00:00.000Z')
  expect(report).toMatchObject({ total: 5, taken: 5, skippedTotal: 0 })
})

test.each([
  [{ riskcode: '0' }, {}, 'informational'],
  [{ riskcode: 'constructor' }, {}, 'informational'],
  [{ confidence: '0' }, {}, 'false positive'],
  [{ pluginid: '', alertRef: '' }, {}, 'no id'],
  [{}, { uri: 'chrome-extension://x/y' }, 'no http or https URL'],
  [{}, { uri: '' }, 'names no URL'],
  [{}, { method: 'GET /a b' }, 'its method is not an HTTP method'],
])('skips an alert with %j and %j, with the reason', (ofAlert, ofInstance, reason) => {
  const changed = JSON.parse(json) as { site: { alerts: Record<string, unknown>[] }[] }
  const [alert] = changed.site[0]!.alerts
  const [instance] = alert!['instances'] as object[]
  changed.site[0]!.alerts = [{ ...alert, ...ofAlert, instances: [{ ...instance, ...ofInstance }] }]
  const { findings, report } = zapImporter.read(JSON.stringify(changed))
  expect([...findings!]).toEqual([])
  expect(report.skipped).toMatchObject([
    { where: '/site/0/alerts/0/instances/0', reason: expect.stringContaining(reason) },
  ])
})

test.each(['{"site":{}}', '[]', '<x/>', '<OWASPZAPReport>', '{'])('refuses %s', (text) => {
  expect(() => [...zapImporter.read(text).findings!]).toThrow(
    expect.objectContaining({ code: 'INVALID_IMPORT' }),
  )
})

test('entities of a document are refused, and messages that cannot be read cost only themselves', () => {
  const bomb = '<!DOCTYPE r [<!ENTITY a "b">]><OWASPZAPReport>&a;</OWASPZAPReport>'
  expect(() => zapImporter.read(bomb)).toThrow(
    expect.objectContaining({
      details: expect.objectContaining({ reason: expect.stringContaining('entities') }),
    }),
  )
  const broken = JSON.parse(json) as { site: { alerts: { instances: Record<string, string>[] }[] }[] }
  broken.site[0]!.alerts[0]!.instances[0]!['request-header'] = 'nonsense'
  const { findings, report } = zapImporter.read(JSON.stringify(broken))
  expect([...findings!][0]).toMatchObject({ exchange: null, part: 'query sort' })
  expect(report.warnings[0]?.reason).toContain('its messages are left out')
})

test('a body in XML is read whole, and a message whose blank line is missing is read', () => {
  const body = `{"note":"${'a'.repeat(20_000)}"}`
  const long = xml.replace('{"note":"x\'"}', body)
  const found = [...zapImporter.read(long).findings!][2]!
  expect(found.exchange?.request.body.length).toBeGreaterThan(20_000)
  const joined = changedInstance({
    'request-header': 'PUT /v1/orders/77 HTTP/1.1\r\nhost: shop.test:8443',
    'request-body': '{"note":"a"}',
  })
  expect(joined.found.exchange?.request).toMatchObject({
    headers: ['host', 'shop.test:8443'],
    body: '{"note":"a"}',
  })
})

test('what is doubtful about a message is said', () => {
  const { report } = changedInstance({
    'request-header': 'GET / HTTP/1.1\r\nhost: shop.test\r\ncontent-length: 20\r\n\r\n',
    'request-body': 'short',
  })
  expect(report.warnings[0]?.reason).toContain('before its Content-Length')
})

test('places of an alert that are not read are mentioned', () => {
  const alert = { pluginid: '1', riskcode: '3', instances: Array.from({ length: 100_001 }, () => ({})) }
  const { findings, report } = zapImporter.read(
    JSON.stringify({ '@version': '2', site: [{ alerts: [alert] }] }),
  )
  expect([...findings!]).toEqual([])
  expect(report).toMatchObject({ skippedTotal: 100_000 })
  expect(report.warnings[0]?.reason).toBe('only the first 100000 places of this alert are read')
})

function changedInstance(change: object) {
  const changed = JSON.parse(json) as { site: { alerts: { instances: object[] }[] }[] }
  const [first] = changed.site[0]!.alerts[0]!.instances
  changed.site[0]!.alerts[0]!.instances = [{ ...first, ...change }]
  const { findings, report } = zapImporter.read(JSON.stringify(changed))
  return { found: [...findings!][0]!, report }
}
