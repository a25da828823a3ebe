import type { Exchange } from '../../src/http/index.ts'

function exchange(
  method: string,
  target: string,
  contentType: string,
  body: string,
  response: string,
): Exchange {
  return {
    request: {
      method,
      target,
      version: 'HTTP/1.1',
      headers: [
        ...['host', 'shop.test', 'authorization', `Bearer ${TOKEN}`, 'cookie', 'session=abc; theme=dark'],
        ...['user-agent', 'bench', 'referer', 'https://shop.test/', 'origin', 'https://shop.test'],
        ...(contentType === '' ? [] : ['content-type', contentType]),
      ],
      body,
    },
    response: {
      status: 200,
      reason: 'OK',
      headers: ['content-type', 'application/json', 'set-cookie', 'session=abc; Max-Age=9999999'],
      body: response,
    },
    at: 1_700_000_000 as Exchange['at'],
    clientIp: '203.0.113.5',
    serverIp: '203.0.113.9',
    source: 'HAR',
    direction: 1,
    vxlanId: 0,
  }
}

const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl'
const RECORD =
  '{"id":7,"user_id":"u-7","email":"a@shop.test","url":"https://shop.test/a","items":[{"sku":"x","price":5}]}'

/** One made-up sample of each usual shape. */
export const SAMPLES: ReadonlyMap<string, Exchange> = new Map([
  [
    'JSON GET',
    exchange('GET', '/api/v1/users/7/orders/9?user_id=7&next=/home&page=1&file=a.txt', '', '', RECORD),
  ],
  ['JSON POST', exchange('POST', '/api/v1/orders?dry=1', 'application/json', RECORD, RECORD)],
  [
    'form POST',
    exchange(
      'POST',
      '/api/v1/login',
      'application/x-www-form-urlencoded',
      'username=ann&password=secret&redirect_url=https%3A%2F%2Fshop.test&amount=5',
      RECORD,
    ),
  ],
])
