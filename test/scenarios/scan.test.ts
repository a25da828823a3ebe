import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { SaxesParser } from 'saxes'
import { afterAll, expect, vi } from 'vitest'
import type { ScanResult } from '../../src/cli/scan/scan-result.ts'
import { type Market, type MarketTokens, recordMarketTraffic, startMarket } from '../../src/demo/index.ts'
import { type CliEnd, runCli } from '../cli-process.ts'
import { harOf } from '../har-of.ts'
import { type TestServer, testKey } from '../harness.ts'
import { junitFaults } from '../junit-shape.ts'
import { endOfCommand } from '../run-command.ts'
import { sarifFaults } from '../sarif-shape.ts'
import { sharing as test } from '../shared-server.ts'

/** `vigil scan` as a pipeline calls it: from a recording to findings, reports and exit codes. */

const TESTS = 'BOLA_READ,CORS_ORIGIN_REFLECTED,SQLI_ERROR_QUERY'
const KINDS = ['sarif', 'junit', 'json', 'jsonl', 'markdown', 'html'] as const
let folder: string
let server: TestServer
const markets: Market[] = []

interface Recorded {
  readonly market: Market
  readonly har: string
  readonly roles: string
  readonly tokens: MarketTokens
}

test.beforeAll(async ({ shared }) => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-scan-test-'))
  server = shared
})
afterAll(async () => {
  await Promise.all(markets.map((market) => market.close()))
  rmSync(folder, { recursive: true, force: true })
})

/** A market, a recording of its use under the name of another host, and the roles of its people. */
async function recorded(name: string, weak: 'all' | 'none'): Promise<Recorded> {
  const market = await startMarket(weak)
  markets.push(market)
  const { messages, tokens } = await recordMarketTraffic(market)
  const har = join(folder, `${name}.har`)
  const roles = join(folder, `${name}.yaml`)
  writeFileSync(har, JSON.stringify(harOf('http://market.example', messages)))
  writeFileSync(
    roles,
    `attacker:\n  Authorization: Bearer ${tokens.bob}\nADMIN:\n  Authorization: Bearer ${tokens.carol}\n`,
  )
  return { market, har, roles, tokens }
}

function scan({ market, har, roles }: Recorded, ...args: string[]): Promise<CliEnd> {
  return runCli(['scan', har, '--target', market.origin, '--roles', roles, '--tests', TESTS, ...args])
}

/** On a server that runs already, which saves the start of one. */
const elsewhere = (collection: string): string[] => [
  ...['--server', server.baseUrl, '--key', testKey, '--collection', collection],
]

const out = (name: string): string => join(folder, name)
const resultOf = (name: string): ScanResult => JSON.parse(readFileSync(out(name), 'utf8')) as ScanResult

test('a role signs in by a request with a one-time code', async () => {
  const { market, har, tokens } = await recorded('codes', 'all')
  const secret = 'JBSWY3DPEHPK3PXP'
  const used = new Set<string>()
  const signIn = createHttpServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { code } = JSON.parse(Buffer.concat(chunks).toString() || '{}') as { code?: string }
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    const isGood = code !== undefined && !used.has(code) && totp.validate({ token: code, window: 1 }) !== null
    if (isGood) used.add(code)
    response.writeHead(isGood ? 200 : 401, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isGood ? { token: tokens.bob } : {}))
  })
  await new Promise<void>((resolve) => signIn.listen(0, '127.0.0.1', resolve))
  const { port } = signIn.address() as AddressInfo
  const roles = join(folder, 'codes.yaml')
  writeFileSync(
    roles,
    `ATTACKER:\n  login: { url: "http://127.0.0.1:${port}/code", body: { code: "\${totp}" }, totp: ${secret} }\n  headers: { Authorization: "Bearer \${login.response.body.token}" }\n`,
  )
  try {
    const end = await scan({ market, har, roles, tokens }, ...elsewhere('codes'), '--tests', 'BOLA_READ')
    expect(end.code, end.stderr).toBe(10)
    expect(end.stdout).toMatch(/BOLA/)
    expect(used.size).toBeGreaterThan(0)
  } finally {
    signIn.close()
  }
})

test('a weak target ends with the code for findings, told as they are proven, and every report holds them', async () => {
  const weak = await recorded('weak', 'all')
  const files = KINDS.flatMap((kind) => [`--${kind}`, out(`weak.${kind}`)])
  const end = await scan(weak, ...elsewhere('weak'), ...files)
  expect(end.code, end.stderr).toBe(10)
  expect(end.stdout).toMatch(/^HIGH {5}.*BOLA.*: GET \/api\/v2\/orders\/INTEGER$/m)
  expect(end.stdout).toMatch(/FINDINGS: \d+ at or above high/)
  expect(end.stdout).toMatch(/Sent {7}[\d,]+ requests in/)
  expect(end.stderr).toMatch(/\d+ of \d+ checks/)

  const result = resultOf('weak.json')
  expect(result).toMatchObject({ verdict: 'FINDINGS', state: 'COMPLETED', inputs: [{ format: 'HAR' }] })
  expect(result.requests).toBeGreaterThan(20)
  expect(result.checks.passed).toBeGreaterThan(0)
  const bola = result.findings.find(({ places }) => places[0]!.path === '/api/v2/orders/INTEGER')!
  expect(bola).toMatchObject({
    severity: 'HIGH',
    status: 'NEW',
    fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
  expect(bola.proof!.response).toContain('HTTP 200')
  const cors = result.findings.find(({ testId }) => testId === 'CORS_ORIGIN_REFLECTED')!
  expect(
    new Set(cors.places.map(({ path }) => path)).size,
    'one cause at several endpoints is one finding',
  ).toBe(cors.places.length)

  const sarif = JSON.parse(readFileSync(out('weak.sarif'), 'utf8'))
  expect(sarifFaults(sarif)).toEqual([])
  expect(sarif.runs[0].results).toHaveLength(result.findings.length)
  expect(sarif.runs[0].tool.driver.rules.find(({ id }: { id: string }) => id === bola.testId)).toMatchObject({
    properties: { 'security-severity': '8.0', tags: expect.arrayContaining(['external/cwe/cwe-639']) },
  })
  checkJunit(readFileSync(out('weak.junit'), 'utf8'), result)
  const lines = readFileSync(out('weak.jsonl'), 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).type)).toEqual([
    ...result.findings.map(() => 'finding'),
    'scan',
  ])
  const everything = KINDS.map((kind) => readFileSync(out(`weak.${kind}`), 'utf8')).join('')
  for (const secret of [...Object.values(weak.tokens), 'bob-Passw0rd'])
    expect(everything + end.stdout + end.stderr).not.toContain(secret)
}, 300_000)

test('without a server, a scan starts a temporary one and removes its store at the end', {
  tags: ['marathon'],
  timeout: 300_000,
}, async () => {
  const alone = await recorded('alone', 'all')
  vi.stubEnv('TMPDIR', folder)
  const end = await scan(alone, '--json', out('alone.json'))
  vi.unstubAllEnvs()
  expect(end.code, end.stderr).toBe(10)
  expect(resultOf('alone.json')).toMatchObject({ verdict: 'FINDINGS', state: 'COMPLETED' })
  expect(readdirSync(folder).filter((name) => name.startsWith('vigil-scan-'))).toEqual([])
})

test('findings of a baseline do not fail the next scan, on whatever host it runs', {
  tags: ['marathon'],
  timeout: 300_000,
}, async () => {
  const first = await recorded('baseline', 'all')
  const found = await scan(first, ...elsewhere('baseline'), '--json', out('baseline.json'))
  expect(found.code, found.stderr).toBe(10)
  const again = await recorded('again', 'all')
  const baseline = ['--baseline', out('baseline.json')]
  const end = await scan(again, ...elsewhere('again'), ...baseline, '--json', out('again.json'))
  expect(end.code, end.stderr + end.stdout).toBe(0)
  expect(end.stdout).toMatch(/PASSED: nothing new at or above high/)
  const marks = (name: string) =>
    resultOf(name)
      .findings.map(({ fingerprint }) => fingerprint)
      .sort()
  expect(marks('again.json')).toEqual(marks('baseline.json'))
  expect(new Set(resultOf('again.json').findings.map(({ status }) => status))).toEqual(new Set(['KNOWN']))
})

test('no report or export shows a card number, in any kind of text', async () => {
  const cards = ['4111111111111111', '4012 8888 8888 1881', '378282246310005']
  const shop = createHttpServer((request, response) => {
    const origin = request.headers.origin
    if (origin !== undefined)
      response
        .setHeader('access-control-allow-origin', origin)
        .setHeader('access-control-allow-credentials', 'true')
    const isPage = request.url === '/page'
    response.setHeader('content-type', isPage ? 'text/html' : 'application/json')
    response.end(
      isPage
        ? `<html>\n<p>Card ${cards[2]} is charged.</p>\n</html>`
        : `{"card":${cards[0]},"note":"paid with\\n${cards[1]} today","mail":"ann.lee@shop.example"}`,
    )
  })
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
  try {
    const messages = await Promise.all(
      [`/page`, `/pay?pan=${cards[0]}&q=card+${cards[2]}`].map(async (path) => {
        const answer = await fetch(origin + path)
        return {
          ...{ method: 'GET', path, type: 'HTTP/1.1', requestPayload: '', ip: '203.0.113.9', source: 'HAR' },
          ...{ time: 1_795_000_000, statusCode: 200, status: 'OK' },
          requestHeaders: JSON.stringify({ host: 'cards.example', cookie: 'session=abc123def456' }),
          responseHeaders: JSON.stringify({ 'content-type': answer.headers.get('content-type') }),
          responsePayload: await answer.text(),
        }
      }),
    )
    const har = out('cards.har')
    writeFileSync(har, JSON.stringify(harOf('http://cards.example', messages as never)))
    const args = ['scan', har, '--target', origin, ...elsewhere('cards')]
    const tests = ['--tests', 'CORS_ORIGIN_REFLECTED,CARD_NUMBER_IN_RESPONSE', '--fail-on', 'none']
    const end = await runCli([
      ...args,
      ...tests,
      ...KINDS.flatMap((kind) => [`--${kind}`, out(`cards.${kind}`)]),
    ])
    expect(end.code, end.stderr).toBe(0)
    expect(
      resultOf('cards.json')
        .findings.flatMap(({ proof }) => proof?.response ?? [])
        .join(),
    ).toContain('"note"')
    const formats = ['har', 'postman', 'sarif', 'openapi', 'csv']
    const exports = ['--collection', 'cards', '--server', server.baseUrl, '--key', testKey]
    for (const format of formats)
      await endOfCommand('export', [format, '--out', out(`cards.export.${format}`), ...exports])
    const files = [
      ...KINDS.map((kind) => `cards.${kind}`),
      ...formats.map((format) => `cards.export.${format}`),
    ]
    for (const name of files)
      for (const secret of [...cards, 'ann.lee@shop.example'])
        expect(readFileSync(out(name), 'utf8').includes(secret), `${secret} in ${name}`).toBe(false)
    expect(end.stdout + end.stderr).not.toMatch(/4111111111111111|4012 8888|378282246310005/)
  } finally {
    shop.close()
  }
}, 300_000)

test('a sound target passes, and only the chosen endpoints are tested', async () => {
  const sound = await recorded('sound', 'none')
  const chosen = ['--path', '/api/v2/orders/*,/api/v2/settings', '--method', 'get', '--safe', '--json', '-']
  const end = await scan(sound, ...elsewhere('sound'), ...chosen)
  expect(end.code, end.stderr).toBe(0)
  const result = JSON.parse(end.stdout) as ScanResult
  expect(result).toMatchObject({ verdict: 'PASSED', findings: [], endpoints: 2 })
  expect(result.checks.passed).toBeGreaterThan(0)
  expect(end.stderr, 'what people read goes beside a report on standard output').toContain('PASSED')
}, 300_000)

test('a target that does not answer is never green', { tags: ['marathon'], timeout: 300_000 }, async () => {
  const gone = await recorded('gone', 'none')
  await markets.pop()!.close()
  const end = await scan(gone, ...elsewhere('gone'), '--path', '/api/v2/orders/*', '--method', 'GET')
  expect(end.code, end.stderr + end.stdout).toBe(11)
  expect(end.stdout).toContain('NOTHING TESTED')
})

test('a file of which nothing can be taken, and a server that cannot be used, fail with a reason', {
  tags: ['marathon'],
}, async () => {
  const rubbish = join(folder, 'rubbish.txt')
  writeFileSync(rubbish, 'these are no requests\n')
  const target = ['--target', 'http://127.0.0.1:1']
  const taken = await runCli(['scan', rubbish, ...target, ...elsewhere('rubbish')])
  expect([taken.code, taken.stderr]).toEqual([1, expect.stringMatching(/file format was not recognized/)])
  const port = await closedPort()
  const none = await runCli([
    'scan',
    rubbish,
    ...target,
    '--server',
    `http://127.0.0.1:${port}`,
    '--key',
    testKey,
  ])
  expect([none.code, none.stderr]).toEqual([1, expect.stringMatching(/cannot be reached/)])
  const unknown = await runCli([
    'scan',
    rubbish,
    ...target,
    ...elsewhere('x'),
    '--tests',
    'SQL_ERROR_BY_QUERRY',
  ])
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringMatching(/did you mean SQLI_ERROR_QUERY/)])
})

/** Well-formed, with counts that are those of its elements. */
function checkJunit(text: string, { findings }: ScanResult): void {
  const seen = { testcase: 0, failure: 0, skipped: 0, error: 0 }
  const stated: Record<string, string>[] = []
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (name in seen) seen[name as keyof typeof seen]++
    if (name === 'testsuite') stated.push(attributes as Record<string, string>)
  })
  parser.write(text).close()
  const { testcase, failure, skipped, error } = seen
  const sum = (name: string): number => stated.reduce((all, suite) => all + Number(suite[name]), 0)
  expect(['tests', 'failures', 'skipped', 'errors'].map(sum)).toEqual([testcase, failure, skipped, error])
  expect(junitFaults(text)).toEqual([])
  const failing = findings.filter(({ severity }) => severity === 'CRITICAL' || severity === 'HIGH')
  expect(failure).toBe(failing.flatMap(({ places }) => places).length)
}

function closedPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
