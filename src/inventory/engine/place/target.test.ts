import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../http/index.ts'
import { targetOf } from './target.ts'

function request(target: string, headers: string[] = []): Exchange {
  return {
    request: { method: 'GET', target, version: 'HTTP/1.1', headers, body: '' },
    response: { status: 200, reason: '', headers: [], body: '' },
    at: 1,
    clientIp: '',
    serverIp: '',
    source: 'HAR',
    direction: 1,
    vxlanId: 0,
  }
}

describe('target of a request', () => {
  test.each([
    ['https://Shop.Example:443/a/b?x=1#f', [], 'https://shop.example', 'shop.example', '/a/b', 'x=1'],
    ['http://shop.example:8080', [], 'http://shop.example:8080', 'shop.example:8080', '/', ''],
    ['wss://shop.example/socket', [], 'https://shop.example', 'shop.example', '/socket', ''],
    ['/a?b=/c?d', ['Host', 'shop.example.'], 'https://shop.example', 'shop.example', '/a', 'b=/c?d'],
    ['/a', ['host', '10.0.0.1:8080'], 'http://10.0.0.1:8080', '10.0.0.1:8080', '/a', ''],
    [
      '/a',
      ['host', 'shop.example', 'x-forwarded-proto', 'http'],
      'http://shop.example',
      'shop.example',
      '/a',
      '',
    ],
    ['/a', [], '', '', '/a', ''],
    ['/a', ['host', '<script>'], '', '', '/a', ''],
    ['https://Bücher.test/a', [], 'https://xn--bcher-kva.test', 'xn--bcher-kva.test', '/a', ''],
    [
      '/a',
      ['host', 'bücher.test:8080'],
      'https://xn--bcher-kva.test:8080',
      'xn--bcher-kva.test:8080',
      '/a',
      '',
    ],
    ['/a', ['host', 'b\u00fccher <script>.test'], '', '', '/a', ''],
    ['http://[::1]:3000/a', [], 'http://[::1]:3000', '[::1]:3000', '/a', ''],
  ])('%s', (target, headers, origin, host, path, query) => {
    expect(targetOf(request(target, headers))).toEqual({ origin, host, path, query })
  })
})

test('invalid hosts are not remembered, however long they are', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const held = (): number => {
    collect()
    return getHeapStatistics().used_heap_size
  }
  const before = held()
  for (let i = 0; i < 1000; i++) {
    expect(targetOf(request('/a', ['host', `${i}${'x'.repeat(50_000)}`])).host).toBe('')
  }
  expect(held() - before).toBeLessThan(10_000_000)
})
