import { describe, expect, test } from 'vitest'
import { compileFilter } from '../filters/compile-filter.ts'
import { evaluateMessage } from './evaluate-message.ts'
import { FilterSet } from './filter-set.ts'
import type { Hit } from './hit.ts'

const TRACE = 'Error: boom\n    at Object.handle (/srv/app/index.js:10:5)'
const PATTERN = String.raw`\n\s{4}at \S+ \(/srv`

function hits(
  location: 'request_payload' | 'response_payload',
  type: string,
  body: string,
  pattern = PATTERN,
): readonly Hit[] {
  const yaml = `id: F\ninfo: {category: {name: C}, severity: HIGH}\nfilter:\n  ${location}: {regex: '${pattern}'}\n`
  const { filter, problems } = compileFilter(yaml)
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
  const headers = ['host', 'shop.test', 'content-type', type]
  const isRequest = location === 'request_payload'
  const exchange = {
    request: { method: 'POST', target: '/', version: 'HTTP/1.1', headers, body: isRequest ? body : '' },
    response: { status: 500, reason: '', headers, body: isRequest ? '' : body },
    at: 1,
    clientIp: '198.51.100.1',
    serverIp: '10.0.0.5',
    source: 'OTHER',
    direction: 1,
    vxlanId: 0,
  } as const
  const message = { exchange, actorAddress: '198.51.100.1', country: '', collectionId: 1 }
  return evaluateMessage(new FilterSet([filter!]), message).hits
}

describe.each(['request_payload', 'response_payload'] as const)(
  'a filter finds line breaks in a %s',
  (location) => {
    test.each([
      ['in a text', 'text/plain', TRACE],
      ['in a value of JSON', 'application/json', JSON.stringify({ error: { stack: TRACE } })],
      [
        'in JSON within a text of JSON',
        'application/json',
        JSON.stringify({ cause: JSON.stringify({ stack: TRACE }) }),
      ],
      ['in a form', 'application/x-www-form-urlencoded', `e=${encodeURIComponent(TRACE)}`],
      ['in XML', 'application/xml', `<e><stack>${TRACE}</stack></e>`],
    ])('%s', (_where, type, body) => {
      const [hit] = hits(location, type, body)
      expect(hit?.evidence[0]).toMatchObject({ location, phrase: expect.stringContaining('\n    at ') })
    })

    test('with a pattern of structure, which is searched for in the raw body', () => {
      const body = JSON.stringify({ a: 1, stack: TRACE })
      expect(
        hits(location, 'application/json', body, String.raw`Error: \w+\n\s+at [^"{}]{5,80}\.js`),
      ).toHaveLength(1)
      expect(hits(location, 'application/json', body, String.raw`(?m)^\s{4}at `)).toHaveLength(1)
      expect(hits(location, 'application/json', body, String.raw`\{"a":1,"stack":"`)).toHaveLength(1)
    })
  },
)
