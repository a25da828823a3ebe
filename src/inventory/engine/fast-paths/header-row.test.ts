import { expect, test } from 'vitest'
import { DEFAULT_RULES } from '../../../data-types/index.ts'
import { readSampleMessage, ScannedBatch } from '../../../http/index.ts'
import { Batch } from '../intake/batch.ts'
import { ExchangeView } from '../learn/exchange-view.ts'
import { learnExchange } from '../learn/learn-exchange.ts'
import { targetOf } from '../place/target.ts'
import { EndpointState } from '../state/index.ts'
import { FAST_PATHS } from './index.ts'
import { memoryOf } from './place-memory.ts'

const FIRST = 1_795_000_000

function message(i: number): Record<string, string> {
  const odd = i % 7 === 3 ? { 'x-odd': 'here' } : {}
  return {
    method: 'GET',
    path: '/orders',
    requestHeaders: JSON.stringify({
      host: 'shop.example',
      accept: 'application/json',
      cookie: `a=${i}; theme=dark`,
      'x-contact': `user${i}@mail.example`,
      // Usually a word, a number for once.
      'x-device': i % 50 === 49 ? '12345' : 'web',
      'content-length': String(i),
      ...odd,
    }),
    responseHeaders: JSON.stringify({
      'content-type': 'application/json',
      'set-cookie': `sid=${i}; Path=/`,
      'x-request-id': `${i}a`,
    }),
    responsePayload: '{}',
    statusCode: '200',
    time: String(FIRST + (i % 2 === 0 ? i : 2000 - i)),
    ip: '203.0.113.9',
  }
}

/** Facts of headers and cookies after so many messages, as `place name type` with count and times. */
function learned(count: number, isInPlace: boolean): Map<string, number[]> {
  const place = { collectionId: 1, method: 'GET', url: '/orders', origin: '', isTemplate: false }
  const endpoint = new EndpointState(place, FIRST)
  const texts = new ScannedBatch()
  const facts = new Map<string, number[]>()
  for (let from = 0; from < count; from += 30) {
    const batch = new Batch(DEFAULT_RULES, FAST_PATHS)
    const messages = Array.from({ length: Math.min(30, count - from) }, (_, i) => message(from + i))
    expect(texts.read(Buffer.from(JSON.stringify(messages)))).toBe(true)
    messages.forEach((each, i) => {
      const exchange = isInPlace ? texts.exchange(i, 'OTHER', FIRST) : readSampleMessage(each)
      if (exchange === null || typeof exchange === 'string') throw new Error('not read')
      learnExchange(endpoint, new ExchangeView(exchange, targetOf(exchange)), [], batch, true)
    })
    batch.settle()
    expect(new Set(batch.touched).size).toBe(batch.touched.length)
    for (const fact of batch.touched) {
      facts.set(`${fact.kind} ${fact.name} ${fact.type}`, [fact.total, fact.firstSeen, fact.lastSeen])
      fact.fresh = 0
    }
  }
  return new Map([...facts].sort())
}

test('headers counted together say the same as headers counted one by one', () => {
  const together = learned(1000, true)
  expect(together).toEqual(learned(1000, false))
  expect(together.get('REQUEST_HEADER host GENERIC')?.[0]).toBe(1000)
  expect(together.get('REQUEST_HEADER x-contact EMAIL')?.[0]).toBe(1000)
  expect(together.get('REQUEST_HEADER x-device INTEGER_32')?.[0]).toBe(20)
  expect(together.get('REQUEST_HEADER x-odd GENERIC')?.[0]).toBe(143)
  expect(together.get('RESPONSE_HEADER x-request-id GENERIC')?.[0]).toBe(1000)
})

test('a value that becomes sensitive is noticed while headers are counted together', () => {
  const place = { collectionId: 1, method: 'GET', url: '/a', origin: '', isTemplate: false }
  const endpoint = new EndpointState(place, FIRST)
  const texts = new ScannedBatch()
  const batch = new Batch(DEFAULT_RULES, FAST_PATHS)
  for (let i = 0; i < 400; i++) {
    const note = i < 200 ? 'web' : `user${i}@mail.example`
    const each = {
      method: 'GET',
      path: '/a',
      requestHeaders: JSON.stringify({ host: 'h', 'x-note': note }),
      statusCode: '200',
    }
    texts.read(Buffer.from(JSON.stringify([each])))
    const exchange = texts.exchange(0, 'OTHER', FIRST)
    if (exchange === null || typeof exchange === 'string') throw new Error('not read')
    learnExchange(endpoint, new ExchangeView(exchange, targetOf(exchange)), [], batch, true)
  }
  expect([...endpoint.sensitiveInRequest]).toContain('EMAIL')
})

test('headers that settle later are counted together from then on', () => {
  const place = { collectionId: 1, method: 'GET', url: '/a', origin: '', isTemplate: false }
  const endpoint = new EndpointState(place, FIRST)
  const texts = new ScannedBatch()
  const batch = new Batch(DEFAULT_RULES, FAST_PATHS)
  const asked = new Set<number>()
  for (let i = 0; i < 1500; i++) {
    const headers = JSON.stringify({ 'x-number': i < 200 ? String(i) : 'word' })
    const each = { method: 'GET', path: '/a', requestHeaders: headers, statusCode: '200' }
    texts.read(Buffer.from(JSON.stringify([each])))
    const exchange = texts.exchange(0, 'OTHER', FIRST)
    if (exchange === null || typeof exchange === 'string') throw new Error('not read')
    learnExchange(endpoint, new ExchangeView(exchange, targetOf(exchange)), [], batch, true)
    const { layout } = exchange.request
    const { rows } = memoryOf(endpoint.tree('REQUEST_HEADER', -1))
    const row = rows.find((one) => one.layout === layout)
    if (row) asked.add(row.single.length)
  }
  expect([...asked]).toEqual([1, 0])
})
