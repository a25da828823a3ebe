import { expect, test } from 'vitest'
import type { Exchange } from '../../http/index.ts'
import { deletionUrl } from './clean-up.ts'

function made(status: number, body: string, headers: string[] = [], method = 'POST'): Exchange {
  return {
    request: { method, target: 'http://shop.test/orders?x=1', version: 'HTTP/1.1', headers: [], body: '' },
    response: { status, reason: '', headers, body },
    at: 0,
    clientIp: '',
    serverIp: '',
    source: 'OTHER',
    direction: 1,
    vxlanId: 0,
  }
}

test.each([
  ['an identifier at the root', made(201, '{"id":7,"user":{"id":3}}'), 'http://shop.test/orders/7'],
  ['one that data wraps', made(200, '{"data":{"uuid":"a-1"}}'), 'http://shop.test/orders/a-1'],
  ['a location below the address', made(201, '', ['Location', '/orders/9?y=2']), 'http://shop.test/orders/9'],
  ['a location elsewhere', made(201, '', ['location', 'http://other.test/orders/9']), null],
  ['a location beside it', made(201, '', ['location', '/users/9']), null],
  ['an identifier of something else', made(201, '{"user":{"id":3}}'), null],
  ['an identifier that is a path', made(201, '{"id":"../users"}'), null],
  ['a refusal', made(400, '{"id":7}'), null],
  ['another method', made(200, '{"id":7}', [], 'PUT'), null],
  ['no JSON', made(200, 'id 7'), null],
])('%s', (_what, exchange, url) => {
  expect(deletionUrl(exchange)).toBe(url)
})
