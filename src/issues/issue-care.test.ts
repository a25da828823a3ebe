import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestStore, testedEngine } from '../../test/store-fixture.ts'
import { until } from '../../test/until.ts'
import { usingTransaction } from '../store/index.ts'
import { readDeadlines, setDeadlines } from './issue-care.ts'

let opened: Awaited<ReturnType<typeof openTestStore>>

beforeEach(async () => {
  opened = await openTestStore()
})
afterEach(() => opened.close())

// The embedded store has one transaction at a time.
test.runIf(testedEngine === 'postgres')(
  'deadlines that two people set at once are those of the later one',
  async () => {
    const { pool } = opened.store
    let second: Promise<void> | undefined
    await usingTransaction(pool, async (client) => {
      await client.query("INSERT INTO issue_deadlines (severity, days) VALUES ('CRITICAL', 7), ('HIGH', 30)")
      second = setDeadlines(opened.store, { CRITICAL: 3 })
      second.catch(() => {})
      await until('the second waits for the first', async () => {
        const { rowCount } = await pool.query(
          "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        )
        return rowCount === 1
      })
    })
    await second
    expect(await readDeadlines(opened.store)).toEqual({ CRITICAL: 3 })
  },
)
