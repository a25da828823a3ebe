import { expect, test } from 'vitest'
import { freePort } from '../../../test/server-process.ts'
import { openTestStore } from '../../../test/store-fixture.ts'
import { readSettings } from '../../kit/index.ts'
import { createLog } from '../../kit/log.ts'
import type { StoreAddress } from '../../store/index.ts'
import { TestRuns } from './test-runs.ts'

test('a thread that cannot open its store leaves a line in the log, and the process continues', async () => {
  const { store, close } = await openTestStore()
  const databaseUrl = `postgres://127.0.0.1:${await freePort()}/none`
  const address: StoreAddress = { kind: 'postgres', databaseUrl, statementMs: 1000, newsName: 'none' }
  const lines: string[] = []
  const runs = new TestRuns({
    store: { ...store, addressFor: () => address },
    settings: readSettings({}).settings,
    log: createLog('warn', { write: (line: string) => lines.push(line) }),
    callback: null,
    player: { play: () => Promise.reject(new Error('nobody signs in here')) },
    own: [],
  })
  try {
    expect(runs.wake()).toBeUndefined()
    await expect.poll(() => lines.join(''), { timeout: 60_000 }).toContain('"part":"test runs"')
  } finally {
    await runs.close().catch(() => {}) // its thread may have ended before it
    await close()
  }
}, 120_000)
