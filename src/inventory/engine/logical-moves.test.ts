import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestStore } from '../../../test/store-fixture.ts'
import type { Exchange } from '../../http/index.ts'
import type { Store } from '../../store/index.ts'
import { createManualCollection } from '../collections/index.ts'
import { InventoryEngine } from './engine.ts'

const TEAMS = 'amber birch cedar daisy elmwood fernhill grove hazel iris jasmine kestrel lupin maple'.split(
  ' ',
)
const HOST = 'https://h.example'

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
  collectionId = (await createManualCollection(store.pool, 'teams', at)).id
})
afterEach(async () => {
  await engine.close()
  await closeStore()
})

function post(path: string, body: unknown, answer: unknown): Exchange {
  return {
    request: {
      method: 'POST',
      target: `${HOST}${path}`,
      version: 'HTTP/1.1',
      headers: ['content-type', 'application/json'],
      body: JSON.stringify(body),
    },
    response: {
      status: 200,
      reason: 'OK',
      headers: ['content-type', 'application/json'],
      body: JSON.stringify(answer),
    },
    at: at++,
    clientIp: '203.0.113.9',
    serverIp: '',
    source: 'HAR',
    direction: 1,
    vxlanId: 0,
  }
}

const graphql = (team: string, field: string) =>
  post(`/teams/${team}/graphql`, { query: `{ ${field} { id } }` }, { data: { [field]: { id: 1 } } })
const rpc = (team: string, method: string) =>
  post(`/teams/${team}/rpc`, { jsonrpc: '2.0', method, id: 1 }, { jsonrpc: '2.0', result: 1, id: 1 })
const plain = (team: string) => post(`/teams/${team}/members`, { name: 'a' }, { id: 1, name: 'a' })

async function shown(): Promise<Record<string, number>> {
  const { rows } = await store.pool.query<{ path: string; calls: number }>(
    `SELECT replace(url, '${HOST}', '') AS path, call_count AS calls FROM endpoints
     WHERE root_id = id AND is_listed ORDER BY url`,
  )
  return Object.fromEntries(rows.map(({ path, calls }) => [path, calls]))
}

const calls = () => TEAMS.flatMap((team) => [plain(team), graphql(team, 'orders'), rpc(team, 'users.list')])
const MERGED = {
  '/teams/STRING/graphql/query/orders': 26,
  '/teams/STRING/members': 26,
  '/teams/STRING/rpc/users.list': 26,
}

test('operations of protocols follow their path into a template, and what is split gives them back', async () => {
  await engine.observe([...calls(), ...calls()], { collectionId })
  await engine.flush()
  expect(await shown()).toEqual(MERGED)
  await engine.observe([graphql('amber', 'orders'), graphql('violet', 'invoices')], { collectionId })
  await engine.flush()
  const later = { ...MERGED, '/teams/STRING/graphql/query/invoices': 1 }
  expect(await shown()).toEqual({ ...later, '/teams/STRING/graphql/query/orders': 27 })

  const evidence = await engine.explain(collectionId, `${HOST}/teams/STRING/rpc/users.list`)
  expect(evidence?.distinctValues).toBe(TEAMS.length)

  const moves = await engine.decide({
    kind: 'SPLIT',
    collectionId,
    method: 'POST',
    url: `${HOST}/teams/STRING/graphql/query/orders`,
    decidedBy: 'ann',
  })
  expect(moves).toContainEqual({
    method: 'POST',
    from: `${HOST}/teams/STRING/graphql/query/orders`,
    to: `${HOST}/teams/hazel/graphql/query/orders`,
  })
  expect(moves.filter(({ to }) => to.endsWith('/graphql'))).toEqual([])
  const { rows: told } = await store.pool.query("SELECT FROM template_moves WHERE from_url LIKE '%/graphql'")
  expect(told).toEqual([])
  const split = await shown()
  expect(split).toMatchObject({
    '/teams/STRING/members': 26,
    '/teams/STRING/rpc/users.list': 26,
    '/teams/STRING/graphql/query/invoices': 1,
  })
  const orders = (team: string) => split[`/teams/${team}/graphql/query/orders`] ?? Number.NaN
  // Which team each call of the template was of is not known: it keeps them, and all are still shown.
  expect([...TEAMS, 'STRING'].reduce((sum, team) => sum + orders(team), 0)).toBe(27)
  await engine.observe([graphql('amber', 'orders')], { collectionId })
  await engine.flush()
  expect((await shown())['/teams/amber/graphql/query/orders']).toBe(orders('amber') + 1)
})
