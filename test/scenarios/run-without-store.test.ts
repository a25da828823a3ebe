import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore } from '../../src/store/owner.ts'
import { startTestServer, type TestServer } from '../harness.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'
import { freshStorePlace, type StorePlace } from '../store-fixture.ts'
import { RUN_ORDER } from '../use-vigil.ts'

const PATHS = ['/orders', '/users', '/redirect?to=/home']
const TESTS = ['OPEN_REDIRECT_QUERY', 'CACHEABLE_PRIVATE_RESPONSE', 'NEGATIVE_QUANTITY']

let place: StorePlace
let server: TestServer
let target: Server
let apiCollectionId: number

const call = (operation: string, body: unknown): Promise<Record<string, unknown>> =>
  vigilOf(server).call(operation, body)

beforeAll(async () => {
  place = await freshStorePlace()
  await breaking(place, 'run_summaries', 'left_out_at', 1)
  await breaking(place, 'run_shards', 'done_at', 4)
  server = await startTestServer({}, place)
  target = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end('{"ok":true}')
  })
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(target.address() as AddressInfo).port}`
  await call('ingestData', {
    batchData: PATHS.map((path) => ({
      method: 'GET',
      path,
      requestHeaders: { host, authorization: 'Bearer abcdefghijklmnop' },
      responseHeaders: { 'content-type': 'application/json' },
      statusCode: 200,
      responsePayload: '{"ok":true}',
      ip: '203.0.113.9',
      time: 1_795_000_000,
      source: 'MIRRORING',
    })),
  })
  const { apiCollections } = (await call('getAllCollectionsBasic', {})) as {
    apiCollections: { id: number; hostName: string | null }[]
  }
  apiCollectionId = apiCollections.find(({ hostName }) => hostName === host)!.id
})

afterAll(async () => {
  target?.closeAllConnections()
  await new Promise((resolve) => target.close(resolve))
  await server?.stop()
  await place?.dispose()
})

/** Refuses the first changes of a column of a table as a server does that ends the connection, or whose disk is full. */
async function breaking(place: StorePlace, table: string, column: string, times: number): Promise<void> {
  const store = await openStore({ databaseUrl: place.databaseUrl ?? undefined, dataDir: place.dataDir })
  await store.pool.query(`CREATE SEQUENCE ${table}_breaks`)
  await store.pool.query(`CREATE FUNCTION ${table}_break() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE number bigint;
    BEGIN
      IF NEW.${column} > 0 THEN
        number := nextval('${table}_breaks');
        IF number <= ${times} THEN
          RAISE EXCEPTION 'the database breaks off' USING ERRCODE = CASE WHEN number = 1 THEN '57P01' ELSE '53100' END;
        END IF;
      END IF;
      RETURN NEW;
    END $$`)
  await store.pool.query(`CREATE TRIGGER ${table}_break BEFORE UPDATE OF ${column} ON ${table}
    FOR EACH ROW EXECUTE FUNCTION ${table}_break()`)
  await store.close()
}

test('a run completes, with one result for each check, when the database breaks off its plan and four times its checks', async () => {
  const run = await call('startTest', {
    ...RUN_ORDER,
    testName: 'breaks',
    apiCollectionId,
    selectedTests: TESTS,
  })
  const testingRunSummaryId = String(run['testingRunResultSummaryHexId'])
  const state = async () => (await call('fetchTestingRunResultsSummary', { testingRunSummaryId }))['state']
  await expect.poll(state, { timeout: 240_000 }).not.toMatch(/RUNNING|SCHEDULED/)
  expect(await state()).toBe('COMPLETED')
  const { testingRunResults } = (await call('fetchTestingRunResults', {
    testingRunResultSummaryHexId: testingRunSummaryId,
    queryMode: 'ALL',
    sortKey: 'time',
    sortOrder: 1,
    limit: 100,
    skip: 0,
    queryValue: '',
  })) as { testingRunResults: unknown[] }
  expect(testingRunResults).toHaveLength(PATHS.length * TESTS.length)
  const breaks = server.logText().split('the database breaks off').length - 1
  expect(breaks).toBeGreaterThanOrEqual(5)
}, 300_000)
