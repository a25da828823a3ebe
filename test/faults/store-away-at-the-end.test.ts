import { afterEach, beforeEach, expect, test } from 'vitest'
import { type CuttableProxy, startProxy } from '../cuttable-proxy.ts'
import { startTestServer, type TestServer } from '../harness.ts'
import { freshStorePlace, type StorePlace, testedEngine } from '../store-fixture.ts'

/** Patience of the parts, the pools' own, and a machine under load. */
const BOUND_MS = 20_000

let place: StorePlace
let proxy: CuttableProxy
let server: TestServer

beforeEach(async () => {
  if (testedEngine !== 'postgres') return
  place = await freshStorePlace()
  const url = new URL(place.databaseUrl!)
  proxy = await startProxy(Number(url.port || 5432))
  url.host = `127.0.0.1:${proxy.port}`
  server = await startTestServer({}, { ...place, databaseUrl: url.href })
})

afterEach(async () => {
  if (testedEngine !== 'postgres') return
  await proxy.close()
  await place.dispose()
})

function ingest(id: string): Promise<Response> {
  const message = {
    id,
    method: 'GET',
    path: '/stock',
    requestHeaders: { host: 'away.example' },
    responseHeaders: { 'content-type': 'application/json' },
    responsePayload: '{"n":1}',
    statusCode: 200,
    ip: '203.0.113.9',
    time: 1_795_000_000,
    source: 'MIRRORING',
  }
  return server.post('/api/ingestData', { batchData: [message] })
}

async function stopMs(patienceMs?: number): Promise<number> {
  const started = performance.now()
  await server.stop(patienceMs)
  return performance.now() - started
}

test.runIf(testedEngine === 'postgres')(
  'the server ends when its database had been away and is back',
  async () => {
    expect((await ingest('before')).status).toBe(200)
    const port = proxy.port
    const target = Number(new URL(place.databaseUrl!).port || 5432)
    await proxy.cut()
    expect((await ingest('away')).status).toBe(503)
    proxy = await startProxy(target, port)
    await expect.poll(async () => (await ingest('back')).status).toBe(200)
    expect(await stopMs()).toBeLessThan(BOUND_MS)
  },
)

test.runIf(testedEngine === 'postgres')(
  'the server ends while its database refuses connections',
  { tags: ['marathon'] },
  async () => {
    expect((await ingest('before')).status).toBe(200)
    await proxy.cut()
    expect(await stopMs()).toBeLessThan(BOUND_MS)
  },
)

test.runIf(testedEngine === 'postgres')(
  'the server ends while its database takes statements and answers none',
  { tags: ['marathon'] },
  async () => {
    expect((await ingest('before')).status).toBe(200)
    proxy.silence()
    const unanswered = ingest('away').catch(() => null)
    expect(await stopMs(1_000)).toBeLessThan(BOUND_MS + 5_000)
    await unanswered
  },
)
