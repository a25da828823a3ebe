import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePartitions, partitionedTables } from '../../src/store/index.ts'
import { startTestServer, type TestServer } from '../harness.ts'
import { ask, endpointsOf, message, messageLines } from './ask.ts'

const DAY = 86_400

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ 'sample-days': '30', 'ledger-days': '0', 'import-days': '10' })
})
afterAll(() => server.close())

/** Makes the stored rows of a table older. */
async function age(table: string, column: string, by: number): Promise<void> {
  await server.running.app.store.pool.query(`UPDATE ${table} SET ${column} = ${column} - $1`, [by])
}

test('what outlived its settings is removed, the endpoints with their calls stay', async () => {
  const now = Math.floor(Date.now() / 1000)
  const path = 'https://kept.test/a'
  const { pool } = server.running.app.store
  const [partition] = await makePartitions(
    server.running.app.store,
    partitionedTables.callMinutes,
    now - 100 * DAY,
  )
  const messages = [
    { path, time: now },
    { path, time: now - 100 * DAY },
  ]
  const { apiCollectionId, uploadId } = await ask(server, 'importTraffic', {
    apiCollectionName: 'kept',
    content: messageLines(messages),
  })
  const key = { apiCollectionId, method: 'GET', url: path }
  const samples = async () =>
    ((await ask(server, 'fetchSampleData', key)).sampleDataList ?? []).flatMap((item) => item.samples).length
  const calls = async () => {
    const { result } = await ask(server, 'fetchApiCallStats', { ...key, startEpoch: 0, endEpoch: now + 60 })
    return result!.apiCallStats.length
  }
  await ask(server, 'ingestData', { batchData: [message({ path: 'https://gone.test/b' })] })
  expect([await samples(), await calls()]).toEqual([2, 2])
  const { retention } = server.running

  // A recording is as old as its import, calls per minute are as old as the calls.
  expect(await retention.purge()).toMatchObject({ call_minutes: 2 })
  expect((await pool.query('SELECT to_regclass($1) AS found', [partition])).rows).toEqual([{ found: null }])
  expect([await samples(), await calls()]).toEqual([2, 1])
  await ask(server, 'fetchImportReport', { uploadId })

  await age('samples', 'stored_at', 29 * DAY)
  expect(await retention.purge()).toEqual({})
  await age('samples', 'stored_at', 2 * DAY)
  await age('imports', 'created_at', 11 * DAY)
  await age('traffic_ledger', 'day', 5000)
  expect(await retention.purge()).toEqual({ samples: 3, imports: 1 })
  expect(await samples()).toBe(0)
  expect((await server.post('/api/fetchImportReport', { uploadId })).status).toBe(422)
  const { totals } = await ask(server, 'fetchTrafficLedger', { startTimestamp: 0, endTimestamp: 0 })
  expect(totals.accepted).toBe(3)
  expect(await endpointsOf(server, apiCollectionId)).toEqual([`GET ${path}`])
  const { apiInfo } = await ask(server, 'getSingleEndpoint', key)
  expect(apiInfo.callCount).toBe(2)
  expect(server.logText()).toContain('"event":"retention.purged"')
})
