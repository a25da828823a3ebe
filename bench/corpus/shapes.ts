import type { Exchange } from '../../src/http/index.ts'

/** A made-up exchange, and the path of its endpoint with template words. */
export interface Shape {
  readonly sample: Exchange
  readonly path: string
}

const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3Iiwicm9sZSI6InVzZXIifQ.c2lnbmF0dXJl'
const RECORD =
  '{"id":7,"user_id":"u-7","email":"ann@shop.test","role":"user","url":"https://shop.test/a","total":39.8,"items":[{"sku":"x","price":5}]}'
const FIELDS = {
  id: '7',
  user_id: 'u-7',
  username: 'ann',
  email: 'ann@shop.test',
  password: 'secret-1',
  old_password: 'secret-0',
  phone: '5550100',
  otp: '123456',
  captcha: 'abcd',
  csrf_token: 'tok',
  coupon: 'SAVE5',
  amount: 5,
  quantity: 2,
  price: 10,
  status: 'open',
  date: '2026-01-31',
  url: 'https://shop.test/img.png',
  redirect_url: 'https://shop.test/home',
  file: 'a.txt',
  query: 'shoes',
  limit: 10,
  role: 'user',
  name: 'Ann',
  fromUserId: 'u-7',
  toUserId: 'u-8',
  userKey: 'u-7',
}
const GRAPHQL = JSON.stringify({
  operationName: 'user',
  query: 'query user($id: ID!) { user(id: $id) { id name email orders { id total } } }',
  variables: { id: 'u-7' },
})
const XML = '<?xml version="1.0"?><order><id>7</id><user>ann</user><url>https://shop.test/a</url></order>'
const BOUNDARY = 'bench-boundary'
const FORM = new URLSearchParams(
  Object.entries(FIELDS).map(([key, value]): [string, string] => [key, String(value)]),
).toString()
const QUERY = FORM.replaceAll('%3A', ':').replaceAll('%2F', '/')

function multipart(): string {
  const field = (name: string, value: string): string =>
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const file = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\nPNG\r\n`
  return `${field('id', '7')}${field('url', 'https://shop.test/a')}${file}--${BOUNDARY}--\r\n`
}

function shape(
  method: string,
  path: string,
  request: { query?: string; type?: string; body?: string; at?: string },
  answer: { status?: number; type?: string; body?: string; headers?: readonly string[] } = {},
): Shape {
  const query = request.query === undefined ? '' : `?${request.query}`
  return {
    path,
    sample: {
      request: {
        method,
        target: `http://shop.test${request.at ?? path}${query}`,
        version: 'HTTP/1.1',
        headers: [
          ...[
            'host',
            'shop.test',
            'authorization',
            `Bearer ${TOKEN}`,
            'cookie',
            `session=${TOKEN}; theme=dark`,
          ],
          ...['accept', '*/*', 'user-agent', 'bench', 'referer', 'https://shop.test/'],
          ...['origin', 'https://shop.test', 'x-csrf-token', 'tok', 'x-forwarded-for', '203.0.113.5'],
          ...(request.type === undefined ? [] : ['content-type', request.type]),
          ...(request.body === undefined ? [] : ['content-length', String(request.body.length)]),
          ...['x-user-id', '7'],
        ],
        body: request.body ?? '',
      },
      response: {
        status: answer.status ?? 200,
        reason: 'OK',
        headers: [
          ...['content-type', answer.type ?? 'application/json', 'server', 'nginx/1.18.0'],
          ...['set-cookie', 'session=abc; Max-Age=9999999', ...(answer.headers ?? [])],
        ],
        body: answer.body ?? RECORD,
      },
      at: 1_700_000_000 as Exchange['at'],
      clientIp: '203.0.113.5',
      serverIp: '203.0.113.9',
      source: 'HAR',
      direction: 1,
      vxlanId: 0,
    },
  }
}

const json = { type: 'application/json', body: JSON.stringify(FIELDS) }

/** One made-up exchange of each usual shape. */
export const SHAPES: readonly Shape[] = [
  shape('GET', '/api/v1/users/INTEGER/orders/INTEGER', { at: '/api/v1/users/7/orders/9', query: QUERY }),
  shape('POST', '/api/v1/orders', { ...json, query: 'dry=1' }),
  shape('PUT', '/api/v1/users/INTEGER', { ...json, at: '/api/v1/users/7' }),
  shape('PATCH', '/api/v1/users/INTEGER', { ...json, at: '/api/v1/users/7' }),
  shape('DELETE', '/api/v1/users/INTEGER', { at: '/api/v1/users/7', query: 'id=7' }),
  shape('POST', '/api/v1/login', { type: 'application/x-www-form-urlencoded', body: FORM }),
  shape('POST', '/api/v1/users/password/reset', json),
  shape('POST', '/api/v1/signup', json),
  shape('POST', '/graphql', { type: 'application/json', body: GRAPHQL }),
  shape(
    'POST',
    '/soap/orders',
    { type: 'application/xml', body: XML },
    { type: 'application/xml', body: XML },
  ),
  shape('POST', '/api/v1/upload', { type: `multipart/form-data; boundary=${BOUNDARY}`, body: multipart() }),
  shape(
    'GET',
    '/home',
    { query: 'q=shoes&lang=en' },
    { type: 'text/html', body: '<html><body>Shop</body></html>' },
  ),
  shape('GET', '/api/v1/items/STRING', { at: '/api/v1/items/0b5f9a52-3c1e-4f7a-9d57-2f6f1f1d7a10' }),
  shape(
    'GET',
    '/go/STRING',
    { at: '/go/https://shop.test.com/home' },
    { status: 302, headers: ['location', 'https://shop.test.com/home'] },
  ),
  shape('OPTIONS', '/api/v1/orders', {}, { body: '' }),
  shape(
    'GET',
    '/api/v1/go',
    { query: 'redirect_url=/home' },
    { status: 302, headers: ['location', '/home'] },
  ),
]
