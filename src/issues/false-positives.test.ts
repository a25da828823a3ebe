import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestStore, testedEngine } from '../../test/store-fixture.ts'
import { until } from '../../test/until.ts'
import { type Store, usingTransaction } from '../store/index.ts'
import { changeRule, countHits, deleteRule } from './false-positives.ts'

let opened: Awaited<ReturnType<typeof openTestStore>>
let store: Store
const COLLECTION = 1_700_000_001
const RULE = 5

beforeEach(async () => {
  opened = await openTestStore()
  store = opened.store
  await store.pool.query(
    `INSERT INTO collections (id, name, kind, created_at) VALUES ($1, 'shop', 'MANUAL', 1)`,
    [COLLECTION],
  )
  await store.pool.query(
    `INSERT INTO false_positive_rules (id, test_id, scope, collection_id, method, url, reason, created_by, created_at,
       updated_by, updated_at)
     VALUES ($1, 'T', 'ENDPOINT', $2, 'GET', '/ignored', 'Public', 'a', 1, 'a', 1)`,
    [RULE, COLLECTION],
  )
  await store.pool.query(
    `INSERT INTO issues (fingerprint, test_id, category, source, collection_id, method, url, severity, status,
       created_at, last_seen, last_tested, last_updated, ignore_reason, rule_id)
     SELECT d.url, 'T', 'BOLA', 'AUTOMATED_TESTING', $1, 'GET', d.url, 'HIGH', d.status, 1, 1, 1, 1, d.reason, d.rule
     FROM (VALUES ('/ignored', 'IGNORED', 'Public', $2::bigint), ('/open', 'OPEN', NULL, NULL))
       AS d (url, status, reason, rule)`,
    [COLLECTION, RULE],
  )
})
afterEach(() => opened.close())

const changes = {
  widened: () =>
    changeRule(store, RULE, { reason: 'All is public', scope: 'COLLECTION', visible: null }, 'ann'),
  deleted: () => deleteRule(store, RULE, null, 'ann'),
}

// The embedded store has one transaction at a time.
test.runIf(testedEngine === 'postgres').each([
  ['widened', '/ignored'],
  ['widened', '/open'],
  ['deleted', '/ignored'],
] as const)(
  'a rule is %s while a run holds the issue %s and then counts a hit of the rule',
  async (how, url) => {
    const changed = await usingTransaction(store.pool, async (run) => {
      await run.query('SELECT FROM issues WHERE fingerprint = $1 FOR NO KEY UPDATE', [url])
      const change = changes[how]()
      await until('the change of the rule waits for the issue', async () => {
        const { rowCount } = await store.pool.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
        return rowCount === 1
      })
      await countHits(run, [RULE], 9)
      return { change }
    })
    expect(await changed.change).toBe(true)
    const { rows } = await store.pool.query('SELECT url, status, rule_id FROM issues ORDER BY url')
    expect(rows).toEqual(
      how === 'widened'
        ? [
            { url: '/ignored', status: 'IGNORED', rule_id: RULE },
            { url: '/open', status: 'IGNORED', rule_id: RULE },
          ]
        : [
            { url: '/ignored', status: 'OPEN', rule_id: null },
            { url: '/open', status: 'OPEN', rule_id: null },
          ],
    )
  },
)
