import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { commands } from '../../src/cli/commands.ts'
import { explainFailure } from '../../src/cli/explain-failure.ts'
import { endExecution } from '../../src/testing/records/index.ts'
import { startTestServer, type TestServer, testKey } from '../harness.ts'
import { sarifFaults } from '../sarif-shape.ts'
import { pairOf, report, startedRun } from '../test-results.ts'
import { ask, messageLines } from './ask.ts'

/** `vigil report` and `vigil status` against a running server. */

let server: TestServer
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-report-test-'))
  server = await startTestServer()
})
afterAll(async () => {
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
})
afterEach(() => vi.restoreAllMocks())

async function run(name: string, ...args: string[]): Promise<{ code: number; out: string; said: string }> {
  const [out, said]: [string[], string[]] = [[], []]
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0)
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0)
  const command = await commands.find((one) => one.name === name)!.load()
  const code = await command
    .run([...args, '--server', server.baseUrl, '--key', testKey])
    .catch(explainFailure)
  vi.restoreAllMocks()
  return { code, out: out.join(''), said: said.join('') }
}

test('a server without a run says so', async () => {
  expect(await run('report')).toMatchObject({
    code: 2,
    said: expect.stringContaining('no test run has ended yet'),
  })
})

test('the newest run is reported as a scan would be, in every format', async () => {
  const { apiCollectionId } = await ask(server, 'importTraffic', {
    ...{ apiCollectionName: 'shop', content: messageLines([{ path: 'https://report.test/orders' }]) },
  })
  const { store } = server.running.app
  const { summaryId } = await startedRun(store, { collectionIds: [apiCollectionId], keepsIssuesOpen: false })
  const url = 'https://report.test/orders'
  await report(store, summaryId, [
    pairOf({ collectionId: apiCollectionId, url, outcome: 'VULNERABLE', severity: 'HIGH' }),
  ])
  await endExecution(store, summaryId, { state: 'COMPLETED' })

  const [sarif, pdf] = [join(folder, 'run.sarif'), join(folder, 'run.pdf')]
  const end = await run('report', '--json', '--fail-on', 'high', '--sarif', sarif, '--pdf', pdf)
  expect(end.code, end.said).toBe(10)
  expect(JSON.parse(end.out)).toMatchObject({
    ...{ format: 'vigil-scan', verdict: 'FINDINGS', state: 'COMPLETED' },
    findings: [{ severity: 'HIGH', places: [{ method: 'GET', path: '/orders' }] }],
  })
  expect(sarifFaults(JSON.parse(readFileSync(sarif, 'utf8')))).toEqual([])
  expect(readFileSync(pdf).subarray(0, 5).toString()).toBe('%PDF-')
  expect(await run('report')).toMatchObject({ code: 0, out: expect.stringMatching(/PASSED[\s\S]*1 high/) })
  expect(await run('report', '--run', 'nothing')).toMatchObject({ code: 2 })
})

test('the status counts collections, endpoints and open issues', async () => {
  const { code, out } = await run('status', '--json')
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({
    ...{ address: server.baseUrl, health: 'ok', collections: 1, endpoints: 1 },
    ...{ openIssues: { HIGH: 1 }, runs: [], crawls: [] },
  })
  expect((await run('status')).out).toMatch(/: ok.*\n {2}Inventory {4}1 collection, 1 endpoint\n/)
})
