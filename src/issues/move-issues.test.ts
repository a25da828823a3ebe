import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestStore } from '../../test/store-fixture.ts'
import type { Store } from '../store/index.ts'
import { fingerprintOf } from './fingerprint.ts'
import { readImportedFinding } from './imported-findings.ts'
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
  fields: { status: string; severity: string; at: number; until?: number; rule?: number; tags?: string[] },
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
       created_at, last_seen, last_tested, last_updated, ignore_reason, ignored_until, rule_id, tags)
     VALUES ($1, $2, 'T', 'BOLA', 'AUTOMATED_TESTING', $3, 'GET', $4, $5, $6, $7, $7, $7, $7,
       CASE WHEN $6 = 'IGNORED' THEN 'Reason of ' || $4 END, $8, $9, $10)`,
    [
      ...[id, fingerprintOf(key), COLLECTION, url, fields.severity, fields.status, fields.at],
      ...[fields.until ?? 0, fields.rule ?? null, fields.tags ?? []],
    ],
  )
}

async function issues(): Promise<unknown[]> {
  const { rows } = await store.pool.query(
    'SELECT id, url, status, severity, created_at, last_seen FROM issues ORDER BY id',
  )
  return rows
}

test('an issue that two became keeps all tags of both', async () => {
  await endpoint(90, '/orders/INTEGER')
  await endpoint(91, '/orders/1', 90)
  await endpoint(92, '/orders/2', 90)
  const tags = Array.from({ length: 40 }, (_, at) => `tag-${at + 10}`)
  await issue(1, '/orders/1', { status: 'OPEN', severity: 'HIGH', at: 10, tags: tags.slice(0, 20) })
  await issue(2, '/orders/2', { status: 'OPEN', severity: 'HIGH', at: 20, tags: tags.slice(20) })
  await moveIssues(store)
  const { rows } = await store.pool.query<{ tags: string[] }>('SELECT tags FROM issues')
  expect(rows).toEqual([{ tags }])
})

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

async function template(): Promise<void> {
  await endpoint(90, '/orders/INTEGER')
  await endpoint(91, '/orders/1', 90)
}

test('a merged issue has the tags of both, and is ignored as long and by the rule that the ignored one was', async () => {
  await template()
  await issue(1, '/orders/INTEGER', {
    status: 'FIXED',
    severity: 'HIGH',
    at: 10,
    tags: ['payments', 'team-b'],
  })
  await issue(2, '/orders/1', {
    ...{ status: 'IGNORED', severity: 'HIGH', at: 20 },
    ...{ until: 9_000, rule: 7, tags: ['payments', 'audit'] },
  })
  expect(await moveIssues(store)).toBe(1)
  const { rows } = await store.pool.query(
    'SELECT id, status, ignore_reason, ignored_until, rule_id, tags FROM issues',
  )
  expect(rows).toEqual([
    {
      ...{ id: 1, status: 'IGNORED', ignore_reason: 'Reason of /orders/1', ignored_until: 9_000, rule_id: 7 },
      tags: ['audit', 'payments', 'team-b'],
    },
  ])
})

test('a merged issue that is open is not ignored by anything', async () => {
  await template()
  await issue(1, '/orders/INTEGER', { status: 'IGNORED', severity: 'HIGH', at: 10, until: 9_000, rule: 7 })
  await issue(2, '/orders/1', { status: 'OPEN', severity: 'HIGH', at: 20 })
  expect(await moveIssues(store)).toBe(1)
  const { rows } = await store.pool.query('SELECT status, ignore_reason, ignored_until, rule_id FROM issues')
  expect(rows).toEqual([{ status: 'OPEN', ignore_reason: null, ignored_until: 0, rule_id: null }])
})

test('rules for false positives move to the template with or without an issue', async () => {
  await template()
  await endpoint(92, '/carts/INTEGER')
  await endpoint(93, '/carts/1', 92)
  await endpoint(94, '/users')
  await issue(1, '/orders/1', { status: 'IGNORED', severity: 'HIGH', at: 10, rule: 1 })
  await store.pool.query(
    `INSERT INTO false_positive_rules (id, test_id, scope, collection_id, method, url, reason, created_by, created_at,
       updated_by, updated_at)
     SELECT d.id, 'T', d.scope, $1, 'GET', d.url, 'Public', 'a', 1, 'a', 1
     FROM (VALUES (1, 'ENDPOINT', '/orders/1'), (2, 'COLLECTION', '/carts/1'), (3, 'ENDPOINT', '/users'))
       AS d (id, scope, url)`,
    [COLLECTION],
  )
  expect(await moveIssues(store)).toBe(1)
  const { rows } = await store.pool.query('SELECT id, url FROM false_positive_rules ORDER BY id')
  expect(rows).toEqual([
    { id: 1, url: '/orders/INTEGER' },
    { id: 2, url: '/carts/INTEGER' },
    { id: 3, url: '/users' },
  ])
})

test('a merged issue keeps what other scanners showed for both, the newest first', async () => {
  await endpoint(90, '/orders/INTEGER')
  await endpoint(91, '/orders/1', 90)
  await endpoint(92, '/orders/2', 90)
  await issue(1, '/orders/1', { status: 'OPEN', severity: 'HIGH', at: 10 })
  await issue(2, '/orders/2', { status: 'OPEN', severity: 'LOW', at: 20 })
  const evidence = (names: readonly string[]) =>
    JSON.stringify(names.map((part) => ({ part, explanation: '', message: null })))
  const many = Array.from({ length: 19 }, (_, i) => `query b${i}`)
  await store.pool.query(
    `INSERT INTO imported_findings (issue_id, import_id, tool, found_at, evidence)
     VALUES (1, 'older', 'ZAP', 10, $1), (2, 'newer', 'ZAP', 20, $2)`,
    [evidence(['query a1', 'query a2']), evidence(many)],
  )
  await moveIssues(store)
  expect(await readImportedFinding(store, 1)).toEqual({
    ...{ tool: 'ZAP', importId: 'newer', foundAt: 20 },
    evidence: JSON.parse(evidence([...many, 'query a1'])),
  })
})
