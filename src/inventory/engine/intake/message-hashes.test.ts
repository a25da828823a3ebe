import { describe, expect, test } from 'vitest'
import { type Exchange, readSampleMessage, ScannedBatch } from '../../../http/index.ts'
import { packHashes, unpackHashes } from '../counts/index.ts'
import { hashExchange, RecentMessages } from './message-hashes.ts'

function exchange(over: Partial<Exchange> = {}): Exchange {
  return {
    request: { method: 'GET', target: '/a', version: 'HTTP/1.1', headers: ['host', 'h'], body: '' },
    response: { status: 200, reason: 'OK', headers: [], body: '{}' },
    at: 1_795_000_000,
    clientIp: '203.0.113.9',
    serverIp: '',
    source: 'MIRRORING',
    direction: 1,
    vxlanId: 0,
    ...over,
  }
}

describe('identity of a message', () => {
  test('the same content has the same hash, any difference another', () => {
    const first = hashExchange(exchange(), 0)
    expect(hashExchange(exchange(), 0)).toEqual(first)
    const others = [
      exchange({ at: 1_795_000_001 }),
      exchange({ clientIp: '203.0.113.8' }),
      exchange({ response: { ...exchange().response, body: '{"a":1}' } }),
      exchange({ response: { ...exchange().response, status: 201 } }),
      exchange({ request: { ...exchange().request, target: '/b' } }),
      exchange({ request: { ...exchange().request, headers: ['host', 'i'] } }),
    ]
    for (const other of others) expect(hashExchange(other, 0)).not.toEqual(first)
  })

  test('equal messages of one batch differ by their order', () => {
    expect(hashExchange(exchange(), 1)).not.toEqual(hashExchange(exchange(), 0))
  })

  test("only a sender's id decides", () => {
    const first = hashExchange(exchange({ messageId: 'm1' }), 0)
    expect(hashExchange(exchange({ messageId: 'm1', at: 5 }), 0)).toEqual(first)
    expect(hashExchange(exchange({ messageId: 'm2' }), 0)).not.toEqual(first)
  })

  test('a hundred thousand different messages have different hashes', () => {
    const seen = new Set<string>()
    for (let i = 0; i < 100_000; i++) {
      const { high, low } = hashExchange(
        exchange({ request: { ...exchange().request, target: `/a/${i}` } }),
        0,
      )
      seen.add(`${high} ${low}`)
    }
    expect(seen.size).toBe(100_000)
  })
})

describe('memory of recent messages', () => {
  test('remembers over the turn of a generation and forgets after two', () => {
    const recent = new RecentMessages()
    const hash = hashExchange(exchange(), 0)
    recent.add(hash, 1000)
    expect(recent.has(hash)).toBe(true)
    recent.add({ high: 1, low: 1 }, 1400)
    expect(recent.has(hash)).toBe(true)
    recent.add({ high: 2, low: 2 }, 1800)
    expect(recent.has(hash)).toBe(false)
  })

  test('tells apart hashes that share a slot', () => {
    const recent = new RecentMessages()
    recent.add({ high: 1, low: 7 }, 1000)
    recent.add({ high: 2, low: 7 }, 1000)
    expect(recent.has({ high: 1, low: 7 })).toBe(true)
    expect(recent.has({ high: 2, low: 7 })).toBe(true)
    expect(recent.has({ high: 3, low: 7 })).toBe(false)
  })

  test('hashes come back from the store as they went', () => {
    const hashes = [
      { high: -1, low: 1 },
      { high: 0, low: -(2 ** 31) },
    ]
    expect(unpackHashes(packHashes(hashes))).toEqual(hashes)
  })
})

test('a message has the same identity whether it was read in place or not', () => {
  const messages = [
    {
      method: 'GET',
      path: '/a?b=1',
      requestHeaders: '{"host":"h"}',
      statusCode: '200',
      responsePayload: '{}',
    },
    {
      method: 'post',
      path: '/orders',
      requestHeaders: JSON.stringify({ host: 'h', authorization: `Bearer ${'x'.repeat(50)}`, 'x-q': '"a"' }),
      requestPayload: '{"name":"Zoë"}',
      responseHeaders: '{"content-type":"application/json"}',
      responsePayload: 'abc',
      ip: '203.0.113.9',
      time: '1795000000',
    },
  ]
  const batch = new ScannedBatch()
  expect(batch.read(Buffer.from(JSON.stringify(messages)))).toBe(true)
  messages.forEach((message, i) => {
    const inPlace = batch.exchange(i, 'OTHER', 1_795_000_000)
    const read = readSampleMessage(message, { at: 1_795_000_000 })
    if (inPlace === null || typeof inPlace === 'string' || typeof read === 'string')
      throw new Error('not read')
    expect(hashExchange(inPlace, 3, 7)).toEqual(hashExchange(read, 3, 7))
  })
})
