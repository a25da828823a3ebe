import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MARATHON, RARE_PROGRAM } from '../../scripts/test-files.ts'
import type { TestBroker } from '../brokers/broker.ts'
import { type CliServer, startCli } from '../cli-process.ts'
import { startTestServer, testKey } from '../harness.ts'
import { killPrograms } from '../start-program.ts'
import { freshStorePlace, type StorePlace, testedEngine } from '../store-fixture.ts'
import { until } from '../until.ts'

const TOPIC = 'akto.api.logs'

/** A message as the reference's collectors publish it: every value is text. */
function message(path: string, changes: Record<string, unknown> = {}): string {
  return JSON.stringify({
    path,
    method: 'GET',
    type: 'HTTP/1.1',
    requestHeaders: '{"host":"shop.test"}',
    responseHeaders: '{"content-type":"application/json"}',
    requestPayload: '',
    responsePayload: '{"id":77,"total":12.5}',
    statusCode: '200',
    status: 'OK',
    ip: '203.0.113.9',
    time: '1769850000',
    akto_account_id: '1000000',
    akto_vxlan_id: '0',
    is_pending: 'false',
    source: 'MIRRORING',
    ...changes,
  })
}

interface Totals {
  received: number
  accepted: number
  duplicates: number
  rejected: number
  dropped: Record<string, number>
}

async function totals(baseUrl: string): Promise<Totals> {
  const answer = await fetch(`${baseUrl}/api/fetchTrafficLedger`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': testKey },
    body: '{}',
  })
  return ((await answer.json()) as { totals: Totals }).totals
}

async function metric(baseUrl: string, name: string): Promise<number> {
  const answer = await fetch(`${baseUrl}/metrics`, { headers: { 'x-api-key': testKey } })
  const line = (await answer.text()).split('\n').find((one) => one.startsWith(`${name} `))
  return line === undefined ? Number.NaN : Number(line.slice(name.length))
}

/** Calls counted for all endpoints of the host. */
async function calls(baseUrl: string): Promise<number> {
  return (await totals(baseUrl)).accepted
}

/** What every broker must give. @param start the broker, or null where this machine has none */
export function streamScenarios(name: string, start: () => Promise<TestBroker | null>): void {
  describe(`traffic from ${name}`, { tags: [RARE_PROGRAM] }, () => {
    let broker: TestBroker
    let isThere = false

    beforeAll(async () => {
      const started = await start()
      if (started === null)
        console.warn(`\nSKIPPED: traffic from ${name}, which this machine does not have.\n`)
      else broker = started
      isThere = started !== null
    }, 120_000)
    afterAll(async () => {
      await killPrograms()
      if (isThere) await broker.stop()
    })

    test('the messages of a topic are counted, and what cannot be read is a dead letter with its reason', async ({
      skip,
    }) => {
      if (!isThere) skip()
      const topic = `a.${TOPIC}`
      const batch = JSON.stringify({
        batchData: [JSON.parse(message('/batch/1')), JSON.parse(message('/batch/2'))],
      })
      await broker.publish(topic, [
        ...Array.from({ length: 30 }, (_, i) => message(`/v1/orders/${i % 3}?q=${i}`)),
        // Equal calls of one second are calls of their own.
        message('/same'),
        message('/same'),
        batch,
        message('/half', { is_pending: 'true' }),
        '{"group_name":"eu-prod","vxlanId":"1422","vpc_cidr":["10.8.0.0/16"],"account_id":"1000000"}',
        'not JSON',
        message('', { method: 'GET' }),
        JSON.stringify({ batchData: [JSON.parse(message('/x'))], apiCollectionId: 12_345 }),
      ])
      const server = await startTestServer({ 'stream-url': broker.url, 'stream-topic': topic })
      try {
        await until('everything is acknowledged', () => metric(server.baseUrl, 'vigil_stream_lag'), {
          isRight: (lag) => lag === 0,
        })
        expect(await totals(server.baseUrl)).toMatchObject({
          received: 37,
          accepted: 34,
          duplicates: 0,
          rejected: 3,
        })
        const letters = await broker.deadLetters(topic)
        expect(letters.map(({ reason }) => reason).sort()).toEqual([
          '"path" is missing',
          'NO_SUCH_COLLECTION',
          'the record is not JSON in UTF-8',
        ])
        expect(letters.find(({ reason }) => reason.includes('JSON'))?.value).toBe('not JSON')
        expect(await (await fetch(`${server.baseUrl}/health`)).json()).toMatchObject({
          parts: { stream: 'ok' },
        })
      } finally {
        await server.close()
      }
    }, 120_000)

    test('a killed process loses nothing, and what is delivered again counts once', {
      tags: [MARATHON],
      timeout: 180_000,
    }, async ({ skip }) => {
      if (!isThere) skip()
      const topic = `b.${TOPIC}`
      const place = await freshStorePlace()
      const flags = flagsFor(place, broker.url, topic)
      try {
        await broker.prepare(topic)
        const first = await startCli(flags)
        const sending = publishAll(broker, topic, 12_000)
        await until('some are counted', () => calls(first.baseUrl), { isRight: (count) => count > 0 })
        first.process.kill('SIGKILL')
        await first.ended
        await sending
        const second = await startCli(flags)
        await until('everything is counted', () => calls(second.baseUrl), {
          isRight: (count) => count >= 12_000,
        })
        await until('everything is acknowledged', () => metric(second.baseUrl, 'vigil_stream_lag'), {
          isRight: (lag) => lag === 0,
        })
        expect(await calls(second.baseUrl)).toBe(12_000)
        await end(second)
      } finally {
        await killPrograms()
        await place.dispose()
      }
    })

    test('processes on one database divide a topic; one that is killed is replaced, and every message counts once', {
      tags: [MARATHON],
      timeout: 240_000,
    }, async ({ skip }) => {
      if (!isThere) skip()
      if (testedEngine === 'embedded') skip('several processes need PostgreSQL')
      const topic = `c.${TOPIC}`
      const place = await freshStorePlace()
      const flags = flagsFor(place, broker.url, topic)
      try {
        await broker.prepare(topic)
        const [first, second] = await Promise.all([startCli(flags), startCli(flags)])
        const sending = publishAll(broker, topic, 12_000)
        const share = 'vigil_stream_messages{outcome="accepted"}'
        for (const one of [first, second])
          await until('it has a share', () => metric(one.baseUrl, share), { isRight: (count) => count > 0 })
        first.process.kill('SIGKILL')
        await first.ended
        await sending
        await until('everything is counted', () => calls(second.baseUrl), {
          isRight: (count) => count >= 12_000,
          ms: 90_000,
        })
        await until('everything is acknowledged', () => metric(second.baseUrl, 'vigil_stream_lag'), {
          isRight: (lag) => lag === 0,
          ms: 90_000,
        })
        expect(await calls(second.baseUrl)).toBe(12_000)
        await end(second)
      } finally {
        await killPrograms()
        await place.dispose()
      }
    })
  })
}

function flagsFor(place: StorePlace, url: string, topic: string): string[] {
  const store = place.databaseUrl === null ? [] : ['--database-url', place.databaseUrl]
  const key = ['--api-key', testKey, '--crawls-at-once', '0']
  return ['--data-dir', place.dataDir, ...store, '--stream-url', url, '--stream-topic', topic, ...key]
}

async function publishAll(broker: TestBroker, topic: string, count: number): Promise<void> {
  const slice = 500
  for (let from = 0; from < count; from += slice) {
    const values = Array.from({ length: slice }, (_, i) => message(`/v1/items/${(from + i) % 50}`))
    await broker.publish(topic, values)
  }
}

async function end(server: CliServer): Promise<void> {
  server.process.kill('SIGTERM')
  const { code } = await server.ended
  expect(code).toBe(0)
}
