import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestStore } from '../../../test/store-fixture.ts'
import type { Exchange } from '../../http/index.ts'
import type { Store } from '../../store/index.ts'
import { createManualCollection } from '../collections/index.ts'
import { InventoryEngine } from './engine.ts'

const ROOMS = 'amber birch cedar daisy elmwood fernhill grove hazel iris jasmine kestrel lupin maple'.split(
  ' ',
)
const ROOM = { id: 1, name: 'x' }
const LOBBY = { hits: 1, total: 2, page: 3, facets: 4 }

let store: Store
let closeStore: () => Promise<void>
let engine: InventoryEngine
let collectionId: number
let at = 1_795_000_000

beforeEach(async () => {
  const opened = await openTestStore()
  store = opened.store
  closeStore = opened.close
  engine = await InventoryEngine.open(store)
  collectionId = (await createManualCollection(store.pool, 'rooms', at)).id
})
afterEach(async () => {
  await engine.close()
  await closeStore()
})

function call(path: string, body: unknown = ROOM): Exchange {
  return {
    request: {
      method: 'GET',
      target: `https://h.example${path}`,
      version: 'HTTP/1.1',
      headers: [],
      body: '',
    },
    response: {
      status: 200,
      reason: 'OK',
      headers: ['content-type', 'application/json'],
      body: JSON.stringify(body),
    },
    at: at++,
    clientIp: '203.0.113.9',
    serverIp: '',
    source: 'HAR',
    direction: 1,
    vxlanId: 0,
  }
}

/** Sends calls, lets the path engine judge them, and gives the calls of each endpoint that is shown. */
async function shownAfter(...calls: Exchange[]): Promise<Record<string, number>> {
  await engine.observe(calls, { collectionId })
  await engine.flush()
  const { rows } = await store.pool.query<{ path: string; calls: number }>(
    `SELECT replace(url, 'https://h.example', '') AS path, call_count AS calls FROM endpoints
     WHERE root_id = id AND is_listed ORDER BY url`,
  )
  return Object.fromEntries(rows.map(({ path, calls }) => [path, calls]))
}

const rooms = () => ROOMS.map((room) => call(`/rooms/${room}`))
const many = (count: number, path: string, body: unknown) =>
  Array.from({ length: count }, () => call(path, body))

test('a word that was taken for a value becomes a separate endpoint, with its calls and nothing else', async () => {
  expect(await shownAfter(...rooms())).toEqual({ '/rooms/STRING': 13 })
  // Its calls count at the template until the path engine judges them.
  expect(await shownAfter(...many(21, '/rooms/lobby', LOBBY), call('/rooms/violet'))).toEqual({
    '/rooms/STRING': 14,
    '/rooms/lobby': 21,
  })
  expect(await shownAfter(call('/rooms/lobby', LOBBY), call('/rooms/amber'))).toEqual({
    '/rooms/STRING': 15,
    '/rooms/lobby': 22,
  })
  const { rows } = await store.pool.query<{ url: string; is_template: boolean }>(
    'SELECT is_template FROM endpoints WHERE root_id = id ORDER BY url',
  )
  expect(rows.map(({ is_template }) => is_template)).toEqual([true, false])
})

test('an endpoint that was merged into a template and leaves it again takes all its calls along', async () => {
  expect(await shownAfter(call('/rooms/lobby'), ...rooms())).toEqual({ '/rooms/STRING': 14 })
  expect(await shownAfter(...many(20, '/rooms/lobby', LOBBY), call('/rooms/violet'))).toEqual({
    '/rooms/STRING': 14,
    '/rooms/lobby': 21,
  })
  expect(await shownAfter(call('/rooms/lobby', LOBBY))).toEqual({ '/rooms/STRING': 14, '/rooms/lobby': 22 })
})

test('numbers with different answers leave the words they were merged with', async () => {
  const numbers = (body: unknown) => Array.from({ length: 30 }, (_, i) => call(`/rooms/${i + 1}`, body))
  expect(await shownAfter(...numbers(ROOM))).toEqual({ '/rooms/INTEGER': 30 })
  expect(await shownAfter(...rooms())).toEqual({ '/rooms/STRING': 43 })
  const other = { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }
  const shown = await shownAfter(...numbers(other), ...numbers(other), call('/rooms/77', other))
  expect(shown).toEqual({ '/rooms/INTEGER': 91, '/rooms/STRING': 13 })
  expect(await shownAfter(call('/rooms/3', other), call('/rooms/iris'))).toEqual({
    '/rooms/INTEGER': 92,
    '/rooms/STRING': 14,
  })
})

test('a template of numbers gets its type back when the word among them leaves', async () => {
  const numbers = Array.from({ length: 29 }, (_, i) => call(`/rooms/${i + 1}`))
  expect(await shownAfter(...numbers)).toEqual({ '/rooms/INTEGER': 29 })
  expect(await shownAfter(call('/rooms/lobby'))).toEqual({ '/rooms/STRING': 30 })
  expect(await shownAfter(...many(30, '/rooms/lobby', LOBBY), call('/rooms/77'))).toEqual({
    '/rooms/INTEGER': 30,
    '/rooms/lobby': 31,
  })
})

test('a path that a document names leaves the learned template', async () => {
  await shownAfter(...rooms())
  await shownAfter(call('/rooms/lobby'), call('/rooms/lobby'))
  await engine.declare(
    ['/rooms/{name}', '/rooms/lobby'].map((path) => ({
      method: 'GET',
      path: `https://h.example${path}`,
      detail: {},
    })),
    collectionId,
    '000000000000000000000001',
  )
  expect(await shownAfter(call('/rooms/amber'))).toEqual({ '/rooms/STRING': 14, '/rooms/lobby': 2 })
})

test('a pin writes what else the path engine made of paths not judged before', async () => {
  // Seven paths are too few to be judged when they come.
  const batchData = ROOMS.slice(0, 7).map((room) => ({
    method: 'GET',
    path: `https://h.example/rooms/${room}`,
    requestHeaders: '{}',
    responseHeaders: '{"content-type":"application/json"}',
    requestPayload: '',
    responsePayload: JSON.stringify(ROOM),
    statusCode: '200',
    ip: '203.0.113.9',
    time: String(at++),
    source: 'MIRRORING',
  }))
  await engine.ingest(new TextEncoder().encode(JSON.stringify({ batchData })), { collectionId }, 'OTHER')
  const url = 'https://h.example/rooms/amber'
  await engine.decide({ kind: 'PIN', collectionId, url, decidedBy: 'ann@mail.example' })
  expect(await shownAfter(call('/rooms/birch'))).toEqual({ '/rooms/STRING': 7, '/rooms/amber': 1 })
})
