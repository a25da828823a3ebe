import { afterEach, beforeEach, expect, test } from 'vitest'
import { AT, callsByEndpoint, factsOf, ingest, type LiveMessage } from '../../../test/engine-fixture.ts'
import { openTestStore } from '../../../test/store-fixture.ts'
import type { Store } from '../../store/index.ts'
import { createManualCollection } from '../collections/index.ts'
import { InventoryEngine } from './engine.ts'
import type { DocumentedOperation } from './port.ts'

const NAMES = 'amber birch cedar daisy elmwood fernhill grove hazel iris jasmine kestrel lupin maple'.split(
  ' ',
)

let store: Store
let closeStore: () => Promise<void>
let engine: InventoryEngine

beforeEach(async () => {
  const opened = await openTestStore()
  store = opened.store
  closeStore = opened.close
  engine = await InventoryEngine.open(store)
})
afterEach(async () => {
  await engine.close()
  await closeStore()
})

async function callsAfter(...messages: LiveMessage[]): Promise<Record<string, number>> {
  await ingest(engine, messages)
  await engine.observe([], { byHost: true })
  await engine.flush()
  return callsByEndpoint(store)
}

const RUNS = { id: 1, state: 'RUNNING' }
const post = (path: string, body: unknown): LiveMessage => ({ method: 'POST', path, request: {}, body })

test('custom verbs behind ids that are learned stay separate endpoints', async () => {
  const calls = NAMES.flatMap((name) => [
    { path: `/v1/machines/${name}`, body: RUNS },
    post(`/v1/machines/${name}:start`, { operation: 'a' }),
    post(`/v1/machines/${name}:stop`, { operation: 'a' }),
  ])
  expect(await callsAfter(...calls, post('/v1/machines:batchGet', { machines: [] }))).toEqual({
    'GET /v1/machines/STRING': 13,
    'POST /v1/machines/STRING:start': 13,
    'POST /v1/machines/STRING:stop': 13,
    'POST /v1/machines:batchGet': 1,
  })
  const later = await callsAfter(post('/v1/machines/violet:stop', { operation: 'a' }))
  expect(later).toMatchObject({ 'POST /v1/machines/STRING:stop': 14 })
  expect(await factsOf(store, '/v1/machines/STRING:stop')).toMatchObject({ 'PATH 2 GENERIC': 1 })
})

test('a custom verb behind a number is recognised from the first request on', async () => {
  expect(await callsAfter(post('/v1/jobs/12:cancel', {}), post('/v1/jobs/13:cancel', {}))).toEqual({
    'POST /v1/jobs/INTEGER:cancel': 2,
  })
  expect(await factsOf(store, '/v1/jobs/INTEGER:cancel')).toMatchObject({ 'PATH 2 INTEGER_32': 2 })
})

test('an address keeps its ending, and an id before it is a parameter', async () => {
  const ids = [12, 13, 14]
  expect(
    await callsAfter(
      { path: '/v2/report' },
      { path: '/v2/report.json' },
      { path: '/v2/report.json' },
      ...ids.flatMap((id) => [{ path: `/v2/reports/${id}` }, { path: `/v2/reports/${id}.pdf` }]),
    ),
  ).toEqual({
    'GET /v2/report': 1,
    'GET /v2/report.json': 2,
    'GET /v2/reports/INTEGER': 3,
    'GET /v2/reports/INTEGER.pdf': 3,
  })
  expect(await factsOf(store, '/v2/reports/INTEGER.pdf')).toMatchObject({ 'PATH 2 INTEGER_32': 3 })
})

test('the text after the colon of a value is part of it', async () => {
  const tags = NAMES.flatMap((name, i) =>
    ['latest', 'edge'].map((tag) => ({ path: `/v1/images/${name}${i}:${tag}` })),
  )
  expect(await callsAfter(...tags)).toEqual({ 'GET /v1/images/STRING': 26 })
})

test('sets of OData stay apart, and their keys are parameters', async () => {
  const sets = ['Orders', 'Customers', 'Invoices', 'Shipments', 'Returns', 'Carts', 'Vouchers', 'Stores']
  const calls = sets.flatMap((set, s) =>
    Array.from({ length: 12 }, (_, i) => ({
      path: s % 2 === 0 ? `/odata/${set}(${i + 1})` : `/odata/${set}('${NAMES[i]}@mail.example')`,
      body: { value: i },
    })),
  )
  const items = Array.from({ length: 3 }, (_, i) => ({ path: `/odata/Lines(Order=${i},Row='${i}')/Item` }))
  expect(await callsAfter(...calls, ...items)).toEqual({
    ...Object.fromEntries(sets.map((set) => [`GET /odata/${set}()`, 12])),
    'GET /odata/Lines()/Item': 3,
  })
  expect(await factsOf(store, '/odata/Orders()')).toMatchObject({ 'PATH 1#key INTEGER_32': 12 })
  expect(await factsOf(store, '/odata/Customers()')).toMatchObject({ 'PATH 1#key EMAIL': 12 })
  expect(await factsOf(store, '/odata/Lines()/Item')).toMatchObject({
    'PATH 1#Order INTEGER_32': 3,
    'PATH 1#Row INTEGER_32': 3,
  })
})

test.each([
  ['IMG_2031', (i: number) => `IMG_${2031 + i}`],
  ['x83c2f3a9b', (i: number) => `x${(2_100_000_000 + i * 104_729).toString(16)}f3a9b`],
  ['report-amber7', (i: number) => `report-${NAMES[i % 13]}${i * 7}`],
])('copies of files with names such as %s are values', async (_, name) => {
  const copies = Array.from({ length: 39 }, (_, i) => ({ path: `/files/${name(i)}(1)` }))
  expect(await callsAfter(...copies)).toEqual({ 'GET /files/STRING': 39 })
})

test('documented operations with verbs and keys are one endpoint each, which traffic joins', async () => {
  const collection = await createManualCollection(store.pool, 'documents', AT)
  const operation = (path: string, ...names: string[]): DocumentedOperation => ({
    method: 'POST',
    path,
    parameters: names.map((name) => ({ name, in: 'path', type: 'integer', format: '', required: true })),
    requests: [],
    responses: [],
    detail: {},
  })
  await engine.declare(
    [
      operation('/v1/{name}:start', 'name'),
      operation('/v1/{name}:stop', 'name'),
      operation('/v1/{name}.csv', 'name'),
      operation('/odata/Orders({OrderID})', 'OrderID'),
      operation('/odata/Orders({OrderID}):cancel', 'OrderID'),
      operation("/odata/Lines(Order={Order},Row='{Row}')", 'Order', 'Row'),
    ],
    collection.id,
    '000000000000000000000001',
  )
  const urls = async () => Object.keys(await callsByEndpoint(store))
  const documented = [
    'POST /odata/Lines()',
    'POST /odata/Orders()',
    'POST /odata/Orders():cancel',
    'POST /v1/INTEGER.csv',
    'POST /v1/INTEGER:start',
    'POST /v1/INTEGER:stop',
  ]
  expect(await urls()).toEqual(documented)
  const { rows } = await store.pool.query(
    `SELECT e.url || ' ' || f.name AS name FROM endpoint_facts f JOIN endpoints e ON e.id = f.endpoint_id ORDER BY 1`,
  )
  expect(rows.map(({ name }) => name)).toEqual([
    '/odata/Lines() 1#Order',
    '/odata/Lines() 1#Row',
    '/odata/Orders() 1#key',
    '/odata/Orders():cancel 1#key',
    '/v1/INTEGER.csv 1',
    '/v1/INTEGER:start 1',
    '/v1/INTEGER:stop 1',
  ])
})

test.each([
  ['a JWT', (name: string) => `Bearer ${jwt({ sub: 12, username: name })}`],
  ['Basic authentication', (name: string) => `Basic ${Buffer.from(`${name}:secret`).toString('base64')}`],
])('a segment is a value where callers ask for their own name, told by %s', async (_, credential) => {
  const asks = ['olga', 'otto'].flatMap((name) => {
    const headers = { authorization: credential(name) }
    return [`/profile/${name}`, `/profile/${name}/posts`, '/status'].map((path) => ({ path, headers }))
  })
  expect(await callsAfter(...asks)).toEqual({
    'GET /profile/STRING': 2,
    'GET /profile/STRING/posts': 2,
    'GET /status': 2,
  })
})

function jwt(claims: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'HS256' })}.${part(claims)}.c2lnbmF0dXJl`
}
