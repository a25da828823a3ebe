import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EvidenceFile } from '../../src/testing/index.ts'
import { replay } from '../../src/testing/index.ts'
import { startTestServer, type TestServer } from '../harness.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'
import { collectionOf, RUN_ORDER, type RunResult, resultsOfRun } from '../use-vigil.ts'

/** Whether an own project opens the items of other projects. */

const MEMBERS: Readonly<Record<string, readonly number[]>> = {
  't0k-of-ann-91': [71, 72],
  't0k-of-bob-37': [93, 94],
}
const ITEMS = [
  { id: 4101, projects: [71], title: 'Merger plan', text: 'Talks begin in May' },
  { id: 4102, projects: [71], title: 'Payroll', text: 'Paid on Friday' },
  { id: 4103, projects: [72], title: 'Offer', text: 'Nine desks' },
  { id: 5201, projects: [93], title: 'Lunch', text: 'Soup on Monday' },
  { id: 5202, projects: [94], title: 'Printer', text: 'Out of toner' },
]

/** `sharing` keeps all items in all projects; `unlisted` is weak and has no lists, and UUIDs for identifiers. */
type Kind = 'weak' | 'sound' | 'sharing' | 'unlisted'

function idIn(kind: Kind, id: number): number | string {
  return kind === 'unlisted' ? `0d9f1b1e-4c1e-4b8a-9a55-1f0f4a3b${id}` : id
}

let server: TestServer
const targets: Server[] = []

beforeAll(async () => {
  server = await startTestServer()
  await vigilOf(server).call('addAuthMechanism', {
    type: 'HARDCODED',
    requestData: [],
    uuid: '',
    authParamData: [
      { where: 'HEADER', key: 'Authorization', value: 'Bearer t0k-of-bob-37', showHeader: true },
    ],
  })
})
afterAll(async () => {
  for (const target of targets) {
    target.closeAllConnections()
    await new Promise((resolve) => target.close(resolve))
  }
  await server?.close()
})

/** Projects with items; @returns what is answered to a GET of a path. */
function answerOf(kind: Kind, path: string, token: string): [number, unknown] {
  const own = MEMBERS[token]
  if (own === undefined) return [401, { error: 'sign in' }]
  const [, , parent, , id] = path.split('/')
  const project = Number(parent)
  if (!own.includes(project)) return [403, { error: 'not your project' }]
  // What is shared is kept in all projects, and was recorded with its maker only.
  const isIn = ({ projects }: { projects: readonly number[] }): boolean =>
    kind === 'sharing' || projects.includes(project)
  const shown = ITEMS.map(({ projects: _, ...item }) => ({ ...item, id: idIn(kind, item.id) }))
  if (id === undefined) return [200, { items: shown.filter((_, at) => isIn(ITEMS[at]!)) }]
  const isWeak = kind === 'weak' || kind === 'unlisted'
  const at = ITEMS.findIndex((item) => String(idIn(kind, item.id)) === id && (isWeak || isIn(item)))
  return at < 0 ? [404, { error: 'no such item' }] : [200, shown[at]]
}

async function resultOn(kind: Kind): Promise<RunResult | undefined> {
  const target = createServer(({ url = '', headers: { authorization = '' } }, response) => {
    const [status, body] = answerOf(kind, url, authorization.replace('Bearer ', ''))
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  targets.push(target)
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(target.address() as AddressInfo).port}`
  const batchData = Object.entries(MEMBERS).flatMap(([token, projects]) => {
    const paths = ITEMS.flatMap((item) => {
      const [project] = item.projects
      return projects.includes(project!) ? [`/projects/${project}/items/${idIn(kind, item.id)}`] : []
    })
    const lists = kind === 'unlisted' ? [] : projects.map((project) => `/projects/${project}/items`)
    return [...lists, ...paths].map((path) => ({
      method: 'GET',
      path,
      requestHeaders: { host, authorization: `Bearer ${token}` },
      responseHeaders: { 'content-type': 'application/json' },
      statusCode: 200,
      responsePayload: JSON.stringify(answerOf(kind, path, token)[1]),
      ip: '203.0.113.9',
      time: 1_795_000_000,
      source: 'MIRRORING',
    }))
  })
  const vigil = vigilOf(server)
  await vigil.call('ingestData', { batchData })
  const results = await resultsOfRun(vigil, {
    ...RUN_ORDER,
    testName: kind,
    apiCollectionId: await collectionOf(vigil, host),
    selectedTests: ['BOLA_READ', 'BOLA_NESTED_READ'],
  })
  expect(results.filter(({ vulnerable, testSubType }) => vulnerable && testSubType === 'BOLA_READ')).toEqual(
    [],
  )
  return results.find(
    ({ apiInfoKey, testSubType }) =>
      testSubType === 'BOLA_NESTED_READ' && /^\/projects\/INTEGER\/items\/\w+$/.test(apiInfoKey.url),
  )
}

test('items of other projects that an own project opens are found, and judged the same from their file', async () => {
  const found = await resultOn('weak')
  expect(found?.testResults.flatMap(({ errors }) => errors)).toEqual([])
  expect(found).toMatchObject({ vulnerable: true, testResults: [{ confidence: 'HIGH' }] })
  const { evidence } = await vigilOf(server).call('exportTestResultEvidence', {
    testingRunResultHexId: found!.hexId,
    unmasked: false,
  })
  const { result, evidence: recorded, templates } = evidence as EvidenceFile
  const again = await replay({
    testId: result.testId,
    endpoint: result.endpoint,
    evidence: recorded,
    templates,
  })
  expect(again.outcome).toBe('VULNERABLE')
}, 240_000)

test('items that are looked up in the project of the path pass', async () => {
  const found = await resultOn('sound')
  expect(found).toMatchObject({ vulnerable: false, testResults: [{ errors: [] }] })
}, 240_000)

test('an item that the own project has as well is not reported', async () => {
  const found = await resultOn('sharing')
  expect(found?.vulnerable).toBe(false)
  expect(found?.testResults[0]?.validationReason).toContain('The list below')
}, 240_000)

test('an item whose project no list or answer tells is found with a lower severity', async () => {
  const found = await resultOn('unlisted')
  expect(found).toMatchObject({ vulnerable: true, testResults: [{ confidence: 'MEDIUM' }] })
}, 240_000)
