import { expect, test } from 'vitest'
import type { RequestMessage } from './exchange.ts'
import { cleanHost, hostProblem, requestHostProblem } from './host.ts'

test('user information is not part of a host', () => {
  expect(cleanHost('user:secret@shop.example', 'https')).toBe('shop.example')
  expect(hostProblem('user:secret@shop example')).toBe('"shop example" is not a host: it holds a blank')
})

test.each([
  ['<script>', '"<script>" is not a host: it holds <'],
  ['sh^op.test:8080', '"sh^op.test:8080" is not a host: it holds ^'],
  ['shop.test:eighty', '"shop.test:eighty" is not a host: its port is not a number'],
  ['shop.test:', '"shop.test:" is not a host: its port is not a number'],
  ['-shop.test', '"-shop.test" is not a host: it is neither a name nor an address'],
  ['[::1', '"[::1" is not a host: it is neither a name nor an address'],
  ['bücher .test', '"bücher .test" is not a host: it holds a blank'],
  ['xn--\u00fc.test', '"xn--\u00fc.test" is not a host: there is no encoded form of it (RFC 5891)'],
  ['a\u0000b', '"a b" is not a host: it holds  '],
  ['', 'the host is empty'],
  ['a'.repeat(300), `"${'a'.repeat(100)}…" is not a host: it is longer than 255 characters`],
])('%j: %s', (authority, problem) => {
  expect(hostProblem(authority)).toBe(problem)
})

test.each(['shop.test', 'SHOP.test.:443', '10.0.0.1:8080', '[::1]:3000', 'bücher.test', 'my_host'])(
  '%s is a host',
  (authority) => expect(hostProblem(authority)).toBeUndefined(),
)

test('the host of a request is that of an absolute target, else of its header', () => {
  const request = (target: string, headers: string[]): RequestMessage => ({
    method: 'GET',
    target,
    version: 'HTTP/1.1',
    headers,
    body: '',
  })
  expect(requestHostProblem(request('https://a b/x', ['host', 'shop.test']))).toContain('"a b" is not a host')
  expect(requestHostProblem(request('/x', ['Host', 'a b']))).toContain('"a b" is not a host')
  expect(requestHostProblem(request('https://shop.test/x', ['Host', 'a b']))).toBeUndefined()
  expect(requestHostProblem(request('/x', []))).toBeUndefined()
})
