import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestStore } from '../../test/store-fixture.ts'
import type { Store } from '../store/index.ts'
import { fingerprintOf } from './fingerprint.ts'
import { moveIssues } from './move-issues.ts'

let opened: Awaited<ReturnType<typeof openTestStore>>
let store: Store
const COLLECTION = 1_700_000_001

beforeEach(async () => {
  opened = await openTestStore()
  store = opened.store
  await store.pool.query(
    `INSERT INTO collections (id, name, kind, created_at) VALUES ($1, 'shop', 'MANUAL', 1)`,
    [COLLECTION],
  )
})
afterEach(() => opened.close())

async function endpoint(id: number, url: string, root = id): Promise<void> {
  await store.pool.query(
    `INSERT INTO endpoints (id, collection_id, method, url, root_id, first_seen, last_seen, discovered_at)
     VALUES ($1, $2, 'GET', $3, $4, 1, 1, 1)`,
    [id, COLLECTION, url, root],
  )
}

async function issue(
  id: number,
  url: string,
  fields: { status: string; severity: string; at: number },
): Promise<void> {
  const key = {
    testId: 'T',
    source: 'AUTOMATED_TESTING',
    collectionId: COLLECTION,
    method: 'GET',
    url,
  } as const
  await store.pool.query(
    `INSERT INTO issues (id, fingerprint, test_id, category, source, collection_id, method, url, severity, status,
       created_at, last_seen, last_tested, last_updated)
     VALUES ($1, $2, 'T', 'BOLA', 'AUTOMATED_TESTING', $3, 'GET', $4, $5, $6, $7, $7, $7, $7)`,
    [id, fingerprintOf(key), COLLECTION, url, fields.severity, fields.status, fields.at],
  )
}

async function issues(): Promise<unknown[]> {
  const { rows } = await store.pool.query(
    'SELECT id, url, status, severity, created_at, last_seen FROM issues ORDER BY id',
  )
  return rows
}

test('issues of endpoints that became one template become one', async () => {
  await endpoint(90, '/orders/INTEGER')
  await endpoint(91, '/orders/1', 90)
  await endpoint(92, '/orders/2', 90)
  await endpoint(93, '/users')
  await issue(1, '/orders/1', { status: 'FIXED', severity: 'HIGH', at: 10 })
  await issue(2, '/orders/2', { status: 'OPEN', severity: 'LOW', at: 20 })
  await issue(3, '/users', { status: 'OPEN', severity: 'LOW', at: 30 })
  await store.pool.query(
    `INSERT INTO issue_history (issue_id, kind, at) VALUES (1, 'CREATED', 10), (2, 'CREATED', 20), (2, 'STATUS', 25)`,
  )
  expect(await moveIssues(store)).toBe(2)
  expect(await issues()).toEqual([
    { id: 1, url: '/orders/INTEGER', status: 'OPEN', severity: 'HIGH', created_at: 10, last_seen: 20 },
    { id: 3, url: '/users', status: 'OPEN', severity: 'LOW', created_at: 30, last_seen: 30 },
  ])
  const { rows } = await store.pool.query('SELECT issue_id, kind, at FROM issue_history ORDER BY at')
  expect(rows, 'one issue began once').toEqual([
    { issue_id: 1, kind: 'CREATED', at: 10 },
    { issue_id: 1, kind: 'STATUS', at: 25 },
  ])
  expect(await moveIssues(store)).toBe(0)
})
