import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestStore } from '../../../../test/store-fixture.ts'
import { type Exchange, readSampleMessage } from '../../../http/index.ts'
import type { Store } from '../../../store/index.ts'
import { InventoryEngine } from '../engine.ts'
import type { FindingsHook, FoundMessage } from './findings.ts'

let store: Store
let closeStore: () => Promise<void>
let engine: InventoryEngine
let written: FoundMessage[][]
let refusals: number
/** Looks at messages while their transaction is open. */
let onWrite: (messages: readonly FoundMessage[]) => void

const hook: FindingsHook = {
  read: (bytes) => new Map(JSON.parse(Buffer.from(bytes).toString()) as [number, unknown][]),
  async write(client, messages) {
    await client.query(`INSERT INTO settings (name, value, updated_at) VALUES ($1, '1', 0)`, [
      `found ${messages[0]!.hash} ${Math.random()}`,
    ])
    if (refusals-- > 0) throw Object.assign(new Error('deadlock'), { code: '40P01' })
    onWrite(messages)
    written.push([...messages])
  },
}

beforeAll(async () => {
  const opened = await openTestStore()
  store = opened.store
  closeStore = opened.close
  engine = await InventoryEngine.open(store, hook)
})

beforeEach(() => {
  written = []
  refusals = 0
  onWrite = () => {}
})

afterAll(async () => {
  await engine.close()
  await closeStore()
})

const message = (path: string, status = 200) => ({
  method: 'GET',
  path,
  requestHeaders: { host: 'shop.example' },
  responseHeaders: { 'content-type': 'application/json' },
  responsePayload: '{"a":1}',
  statusCode: status,
  ip: '203.0.113.9',
  time: 1_795_000_000,
})

function ingest(messages: object[], found: [number, unknown][]) {
  return engine.ingest(
    Buffer.from(JSON.stringify({ batchData: messages })),
    { byHost: true },
    'OTHER',
    null,
    Buffer.from(JSON.stringify(found)),
  )
}

describe('findings of others', () => {
  test('are written with the messages they belong to', async () => {
    await ingest([message('/a1'), message('/b?id=7'), message('/c')], [[1, 'bad']])
    const [found] = written[0]!
    expect(found).toMatchObject({ finding: 'bad', template: '/b', isRedacted: false })
    expect(found!.exchange().request.target).toBe('/b?id=7')
    expect(found!.hash).toMatch(/^[0-9a-f]{16}$/)
    expect(found!.collectionId).not.toBe(0)
  })

  test('of a long body come with the message as it is where nothing is masked', async () => {
    const long = { ...message('/long'), responsePayload: JSON.stringify({ a: 'x'.repeat(70_000) }) }
    await ingest([long], [[0, 'bad']])
    const [found] = written[0]!
    expect(found!.masked()).toEqual(found!.exchange())
  })

  test('of messages read in place come with the messages of the same call, until the next transaction', async () => {
    const usual = (path: string) => ({
      ...message(path),
      requestHeaders: '{"host":"kept.example"}',
      requestPayload: '{"note":"\\"é\\""}',
      responseHeaders: '{"content-type":"application/json"}',
      statusCode: '200',
      time: '1795000000',
    })
    const paths = ['/k1?a=1', '/k2?a=ü', '/k3?a=3', '/k4?a=4']
    let seen: Exchange[] = []
    onWrite = (messages) => {
      seen = seen.concat(messages.map((found) => found.exchange()))
    }
    await Promise.all(paths.map((path) => ingest([usual('/other'), usual(path)], [[1, 'bad']])))
    expect(seen.map(({ request }) => request.target).sort()).toEqual(paths)
    for (const exchange of seen)
      expect(exchange).toEqual(readSampleMessage(usual(exchange.request.target), { source: 'OTHER' }))
    onWrite = () => {}
    await ingest([usual('/k5')], [[0, 'bad']])
    const [found] = written.at(-1)!
    await ingest([usual('/k6')], [])
    expect(() => found!.exchange()).toThrow('after the transaction it was kept for')
  })

  test('of messages that the inventory leaves out are kept as well', async () => {
    const answer = await ingest([message('/wp-admin.php', 404)], [[0, 'scan']])
    expect(answer.dropped).toEqual({ probe: 1 })
    expect(written[0]).toMatchObject([{ finding: 'scan', template: null }])
  })

  test('of a redelivered message are not', async () => {
    await ingest([message('/a3')], [[0, 'bad']])
    const again = await ingest([message('/a3')], [[0, 'bad']])
    expect(again.duplicates).toBe(1)
    expect(written).toHaveLength(1)
  })

  test('of imported exchanges come through the same hook', async () => {
    const exchange = readSampleMessage(message('/a4'))
    if (typeof exchange === 'string') throw new Error(exchange)
    await engine.observe([exchange], { byHost: true }, 'import', Buffer.from('[[0,"bad"]]'))
    expect(written[0]).toMatchObject([{ finding: 'bad' }])
  })

  test('are written once when the transaction is tried again', async () => {
    refusals = 1
    await ingest([message('/a5')], [[0, 'bad']])
    expect(written).toHaveLength(1)
    const { rows } = await store.pool.query('SELECT name FROM settings WHERE name LIKE $1', [
      `found ${written[0]![0]!.hash} %`,
    ])
    expect(rows).toHaveLength(1)
  })

  test('that cannot be written keep the message from being accepted', async () => {
    refusals = 9
    await expect(ingest([message('/a6')], [[0, 'bad']])).rejects.toMatchObject({ code: 'OVERLOADED' })
    const answer = await ingest([message('/a6')], [])
    expect(answer.accepted).toBe(1)
  })
})
