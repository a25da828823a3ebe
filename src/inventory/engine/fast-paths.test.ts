import { beforeAll, describe, expect, test } from 'vitest'
import { mixedMessage } from '../../../test/engine-fixture.ts'
import { openTestStore } from '../../../test/store-fixture.ts'
import type { Store } from '../../store/index.ts'
import { InventoryEngine } from './engine.ts'
import { FAST_PATHS } from './fast-paths/index.ts'
import { type FastPaths, NO_FAST_PATHS } from './values/index.ts'

/** Enough for every key to be judged only now and then, and for bodies to get shapes and headers to get rows. */
const MESSAGES = 1600
const BATCH = 200

const STORED = [
  `SELECT method, url, call_count, first_seen, last_seen, response_codes, access_types, sensitive_in_request,
     sensitive_in_response, actual_auth_types FROM endpoints ORDER BY method, url`,
  `SELECT e.method, e.url, f.kind, f.response_code, f.name, f.value_type, f.count, f.first_seen, f.last_seen
     FROM endpoint_facts f JOIN endpoints e ON e.id = f.endpoint_id
     ORDER BY e.method, e.url, f.kind, f.response_code, f.name, f.value_type`,
  `SELECT e.method, e.url, sum(c.count) AS calls FROM call_minutes c JOIN endpoints e ON e.id = c.endpoint_id
     GROUP BY e.method, e.url ORDER BY e.method, e.url`,
]

async function storedBy(fastPaths: FastPaths | null): Promise<unknown[][]> {
  const opened = await openTestStore()
  try {
    const engine = await InventoryEngine.open(opened.store, undefined, fastPaths)
    for (let from = 0; from < MESSAGES; from += BATCH) {
      const batchData = Array.from({ length: BATCH }, (_, n) => mixedMessage(from + n))
      const outcome = await engine.ingest(
        new TextEncoder().encode(JSON.stringify({ batchData })),
        { byHost: true },
        'OTHER',
      )
      expect(outcome.accepted).toBe(BATCH)
    }
    await engine.close()
    return await rowsOf(opened.store)
  } finally {
    await opened.close()
  }
}

async function rowsOf({ pool }: Store): Promise<unknown[][]> {
  const tables: unknown[][] = []
  for (const sql of STORED) tables.push((await pool.query(sql)).rows)
  return tables
}

const { learnBody, learnHeaders, countCall, noteCall } = FAST_PATHS

const WAYS: Record<string, FastPaths> = {
  'messages read in place': NO_FAST_PATHS,
  'known bodies': { ...NO_FAST_PATHS, learnBody },
  'header rows': { ...NO_FAST_PATHS, learnHeaders },
  'call profiles': { ...NO_FAST_PATHS, countCall, noteCall },
  'all fast paths': FAST_PATHS,
}

describe('the general way of the engine', () => {
  let general: unknown[][]
  beforeAll(async () => {
    general = await storedBy(null)
    expect(general[0]!.length).toBeGreaterThanOrEqual(4)
    expect(general[1]!.length).toBeGreaterThan(50)
  })

  test.each(Object.keys(WAYS))('stores the same as with %s', async (name) => {
    expect(await storedBy(WAYS[name]!)).toEqual(general)
  })
})
