import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../harness.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'
import { collectionOf, RUN_ORDER, resultsOfRun } from '../use-vigil.ts'

/** Objects are attacked whatever their ids look like, and where the ids stand; what all users share is not reported. */

type Person = 'ann' | 'bob'

/** Ids of ann's and bob's objects, by the name of their collection in the path. */
const FORMS: Readonly<Record<string, Readonly<Record<Person, readonly string[]>>>> = {
  integers: { ann: ['71034', '71035', '71036'], bob: ['82041', '82042', '82043'] },
  uuids: {
    ann: ['0d9f1b1e-4c1e-4b8a-9a55-1f0f4a3b7c01', '7b3f6f6e-8b0a-4f0e-8f57-2d9a1c5e4b02'],
    bob: ['c1a2b3c4-d5e6-4f70-8192-a3b4c5d6e7f8', '3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
  },
  objectids: { ann: ['507f1f77bcf86cd799439011'], bob: ['507f191e810c19729de860ea'] },
  ulids: {
    ann: ['01ARZ3NDEKTSV4RRFFQ69G5FAV', '01BX5ZZKBKACTAV9WEVGEMMVRZ'],
    bob: ['01F8MECHZX3TBDSZ7XRADM79XE', '01H4CAFEQ3Z9T8Y7W6V5M4N3K2'],
  },
  nanoids: { ann: ['V1StGXR8_Z5jdHi6B-myT'], bob: ['3z4ToNSdpZ0r5HgDyJx6k'] },
  cuids: { ann: ['cjld2cjxh0000qzrmn831i7rn'], bob: ['cjld2cyuq0000t3rmniod1foy'] },
  ksuids: { ann: ['0ujtsYcgvSTl8PAuAdqWYSMnLOv'], bob: ['0ujsszwN8NRY24YaXiTIE2VWDTS'] },
  snowflakes: { ann: ['1541815603606036480'], bob: ['1541815603606036999'] },
  prefixed: { ann: ['cus_NffrFeUfNV2Hib'], bob: ['cus_9s6XKzkNRiz8i3'] },
  slugs: {
    ann: ['spring-budget-draft', 'hiring-notes-2', 'kitchen-repairs', 'my-first-report', 'year-in-review'],
    bob: ['team-offsite-plan', 'lunch-ideas', 'printer-manual', 'old-invoices-list', 'travel-wishes'],
  },
  hashes: {
    ann: ['2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'],
    bob: ['486ea46224d1bb4fb680f34f7c9ad96a8f24ec88be73ea8e5a6c65260e9cb8a7'],
  },
  emails: { ann: ['ann@shop.example'], bob: ['bob@shop.example'] },
  composite: { ann: ['eu:7:2041'], bob: ['us:3:1187'] },
  encoded: { ann: ['b3JkZXI6NDEwMQ=='], bob: ['b3JkZXI6NTIwMQ=='] },
}
/** Every user is shown these, in lists and one by one. */
const SHARED = { ann: ['9101', '9102', '9103'], bob: ['9204', '9205', '9206'] }

/** Every user is shown a list of all of these, with less than each one holds; their cards are not in it. */
const BOARDS = { ann: ['board-61034', 'board-61035', 'board-61036'], bob: ['board-72041', 'board-72042'] }

const BOARD_LIST = { boards: [...BOARDS.ann, ...BOARDS.bob].map((id) => entryOfBoard(id)) }

const TOKENS: Readonly<Record<string, Person>> = { 't0k-of-ann-91': 'ann', 't0k-of-bob-37': 'bob' }

let server: TestServer
let target: Server
let host = ''

beforeAll(async () => {
  server = await startTestServer()
  target = createServer((request, response) => {
    const person = TOKENS[request.headers.authorization?.replace('Bearer ', '') ?? '']
    const [status, body] =
      person === undefined ? [401, { error: 'sign in' }] : answerTo(request.url!, request)
    response.writeHead(status as number, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(target.address() as AddressInfo).port}`
})
afterAll(async () => {
  target.closeAllConnections()
  await new Promise((resolve) => target.close(resolve))
  await server.close()
})

function ownerOf(kind: string, id: string): Person | undefined {
  return (['ann', 'bob'] as const).find((one) => FORMS[kind]?.[one].includes(id))
}

/** A shop that lets everybody who is signed in see every object. */
function answerTo(
  target: string,
  { headers }: { headers: NodeJS.Dict<string | string[]> },
): [number, unknown] {
  const { pathname, searchParams } = new URL(target, 'http://shop.example')
  const [, kind = '', last = ''] = pathname.split('/')
  if (kind === 'pages') {
    const all = [...SHARED.ann, ...SHARED.bob].map((id) => pageOf(id))
    if (last === '') return [200, { pages: all }]
    return [200, all.find(({ slug }) => slug === decodeURIComponent(last)) ?? { error: 'none' }]
  }
  if (kind === 'boards') {
    if (last === '') return [200, BOARD_LIST]
    return [200, pathname.endsWith('/cards') ? { cards: [`first card of ${last}`] } : boardOf(last)]
  }
  const id = decodeURIComponent(last) || searchParams.get('doc') || String(headers['x-workspace'] ?? '')
  const owner = ownerOf(kind === 'by-query' ? 'slugs' : kind === 'by-header' ? 'prefixed' : kind, id)
  if (owner === undefined) return [404, { error: 'not found' }]
  return [200, objectOf(id, owner)]
}

function objectOf(id: string, owner: Person): object {
  return { ref: id, holder: `${owner} of Elm Street`, note: `note of ${id}`, total: id.length * 7 }
}

function entryOfBoard(id: string): object {
  return { slug: id, title: `Board ${id}`, columns: 3, place: 'Elm Street' }
}

function boardOf(id: string): object {
  return { ...entryOfBoard(id), holder: `holder of ${id}`, notes: [`a of ${id}`, `b of ${id}`] }
}

function pageOf(id: string): { slug: string; text: string; views: number } {
  return { slug: id, text: `All about ${id}`, views: id.length * 11 }
}

function message(person: Person, path: string, body: unknown, headers: object = {}) {
  const token = Object.keys(TOKENS).find((one) => TOKENS[one] === person)
  return {
    method: 'GET',
    path,
    requestHeaders: { host, authorization: `Bearer ${token}`, ...headers },
    responseHeaders: { 'content-type': 'application/json' },
    statusCode: 200,
    responsePayload: JSON.stringify(body),
    ip: '203.0.113.9',
    time: 1_795_000_000,
    source: 'MIRRORING',
  }
}

test('the attack is made for ids of every form, in paths, queries and headers', async () => {
  const people = ['ann', 'bob'] as const
  const batchData = people.flatMap((person) => [
    ...Object.entries(FORMS).flatMap(([kind, ids]) =>
      ids[person].map((id) => message(person, `/${kind}/${encodeURIComponent(id)}`, objectOf(id, person))),
    ),
    ...FORMS['slugs']![person].map((id) => message(person, `/by-query?doc=${id}`, objectOf(id, person))),
    ...FORMS['prefixed']![person].map((id) =>
      message(person, '/by-header', objectOf(id, person), { 'x-workspace': id }),
    ),
    message(person, '/pages', { pages: [...SHARED.ann, ...SHARED.bob].map((id) => pageOf(id)) }),
    ...SHARED[person].map((id) => message(person, `/pages/${id}`, pageOf(id))),
    message(person, '/boards', BOARD_LIST),
    ...BOARDS[person].flatMap((id) => [
      message(person, `/boards/${id}`, boardOf(id)),
      message(person, `/boards/${id}/cards`, { cards: [`first card of ${id}`] }),
    ]),
  ])
  const vigil = vigilOf(server)
  await vigil.call('ingestData', { batchData })
  const apiCollectionId = await collectionOf(vigil, host)
  await vigil.call('addAuthMechanism', {
    type: 'HARDCODED',
    requestData: [],
    uuid: '',
    authParamData: [
      { where: 'HEADER', key: 'Authorization', value: 'Bearer t0k-of-bob-37', showHeader: true },
    ],
  })
  const testingRunResults = await resultsOfRun(vigil, {
    ...RUN_ORDER,
    testName: 'forms',
    apiCollectionId,
    selectedTests: ['BOLA_READ'],
  })
  // The pages were attacked as well.
  expect(testingRunResults.map(({ apiInfoKey }) => apiInfoKey.url)).toContain('/pages/INTEGER')
  const found = testingRunResults.filter(({ vulnerable }) => vulnerable)
  const names = new Set(found.map(({ apiInfoKey }) => apiInfoKey.url.split('/')[1]))
  expect([...names].sort()).toEqual([...Object.keys(FORMS), 'boards', 'by-header', 'by-query'].sort())
  // Parts of what the list of the attacker shows may be read; what the object has beside that is in doubt, since both users are shown the same boards.
  expect(testingRunResults.map(({ apiInfoKey }) => apiInfoKey.url)).toContain('/boards/STRING/cards')
  const boards = found.filter(({ apiInfoKey }) => apiInfoKey.url.startsWith('/boards'))
  expect(boards.map(({ apiInfoKey, testResults }) => [apiInfoKey.url, testResults[0]!.confidence])).toEqual([
    ['/boards/STRING', 'LOW'],
  ])
  const orders = found.find(({ apiInfoKey }) => apiInfoKey.url.startsWith('/integers'))!
  expect(orders.testResults[0]!.confidence).toBe('HIGH')
}, 180_000)
