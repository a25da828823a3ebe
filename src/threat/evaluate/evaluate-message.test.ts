import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../http/index.ts'
import { compileFilter, problemText } from '../filters/compile-filter.ts'
import type { Filter } from '../filters/filter.ts'
import { evaluateMessage } from './evaluate-message.ts'
import { FilterSet } from './filter-set.ts'
import type { ThreatMessage, Verdict } from './hit.ts'

interface Parts {
  target?: string
  method?: string
  headers?: readonly string[]
  body?: string
  status?: number
  responseBody?: string
  actorAddress?: string
  country?: string
}

function message(parts: Parts = {}): ThreatMessage {
  const exchange: Exchange = {
    request: {
      method: parts.method ?? 'POST',
      target: parts.target ?? '/orders',
      version: 'HTTP/1.1',
      headers: parts.headers ?? ['host', 'shop.example', 'content-type', 'application/json'],
      body: parts.body ?? '',
    },
    response: {
      status: parts.status ?? 200,
      reason: '',
      headers: ['content-type', 'application/json'],
      body: parts.responseBody ?? '',
    },
    at: 1,
    clientIp: '198.51.100.1',
    serverIp: '10.0.0.5',
    source: 'OTHER',
    direction: 1,
    vxlanId: 0,
  }
  return {
    exchange,
    actorAddress: parts.actorAddress ?? '203.0.113.9',
    country: parts.country ?? 'DE',
    collectionId: 77,
  }
}

function filter(body: string, id = 'F'): Filter {
  const yaml = `id: ${id}\ninfo: {category: {name: C}, severity: HIGH}\n${body}`
  const { filter, problems } = compileFilter(yaml)
  if (filter === null) throw new Error(problems.map(problemText).join('\n'))
  return filter
}

function judge(body: string, parts: Parts): Verdict {
  return evaluateMessage(new FilterSet([filter(body)]), message(parts))
}

describe('conditions', () => {
  test.each<[string, string, Parts, boolean]>([
    [
      'patterns of a list',
      'filter: {or: [{url: {regex: [nope, "/etc/pass\\\\w+"]}}]}',
      { target: '/a?f=/etc/passwd' },
      true,
    ],
    ['percent codes', 'filter: {url: {regex: "/etc/passwd"}}', { target: '/a?f=%2fetc%2fpasswd' }, true],
    ['text as sent', 'filter: {url: {regex: "%2[fF]etc"}}', { target: '/a?f=%2fetc' }, true],
    [
      'another part',
      'filter: {request_payload: {regex: "/etc/passwd"}}',
      { target: '/a?f=/etc/passwd' },
      false,
    ],
    [
      'escapes of JSON',
      'filter: {request_payload: {regex: "<script"}}',
      { body: '{"a":"\\u003cscript>"}' },
      true,
    ],
    [
      'JSON as sent',
      'filter: {request_payload: {regex: \'"role"\\s*:\\s*"admin"\'}}',
      { body: '{"role": "admin"}' },
      true,
    ],
    [
      'pairs of a form as sent',
      'filter: {request_payload: {regex: "role=admin&"}}',
      { body: 'role=admin&x=1', headers: ['content-type', 'application/x-www-form-urlencoded'] },
      true,
    ],
    ['a status between bounds', 'filter: {response_code: {gte: 500, lt: 600}}', { status: 503 }, true],
    ['a status out of bounds', 'filter: {response_code: {gte: 500, lt: 600}}', { status: 404 }, false],
    [
      'two conditions',
      'filter: {and: [{response_code: {eq: 200}}, {url: {contains_either: [ORDERS]}}]}',
      {},
      true,
    ],
    [
      'two conditions, one not',
      'filter: {and: [{response_code: {eq: 201}}, {url: {contains_either: [ORDERS]}}]}',
      {},
      false,
    ],
    ['an address inside', 'filter: {source_ip: {contains_either_cidr: ["203.0.113.0/24"]}}', {}, true],
    ['an address outside', 'filter: {source_ip: {not_contains_cidr: ["203.0.113.0/24"]}}', {}, false],
    ['a country', 'filter: {country_code: {contains_either: [DE, FR]}}', {}, true],
    ['an unknown country', 'filter: {country_code: {neq: DE}}', { country: '' }, false],
    ['a method', 'filter: {method: {eq: post}}', {}, true],
    ['a collection', 'filter: {api_collection_id: {eq: "77"}}', {}, true],
    [
      'all words, in several fields',
      'filter: {request_payload: {contains_all: [one, two]}}',
      { body: '{"a":"One","b":"TWO"}' },
      true,
    ],
    [
      'not all words',
      'filter: {request_payload: {contains_all: [one, two]}}',
      { body: '{"a":"One"}' },
      false,
    ],
    ['no word', 'filter: {request_payload: {not_contains: [one]}}', { body: '{"a":"two"}' }, true],
    [
      'a word that is denied',
      'filter: {request_payload: {not_contains: [one]}}',
      { body: '{"a":"o\\u006ee"}' },
      false,
    ],
    [
      'some word missing',
      'filter: {request_payload: {not_contains_either: [one, two]}}',
      { body: '{"a":"two"}' },
      true,
    ],
    ['a whole text', 'filter: {request_payload: {eq: ping}}', { body: ' PING ', headers: [] }, true],
    [
      'a header by name',
      'filter: {request_headers: {for_one: {key: {eq: user-agent}, value: {regex: "(?i)sqlmap"}}}}',
      { headers: ['User-Agent', 'SQLMAP/1'] },
      true,
    ],
    [
      'another header',
      'filter: {request_headers: {for_one: {key: {eq: user-agent}, value: {regex: "(?i)sqlmap"}}}}',
      { headers: ['User-Agent', 'x', 'referer', 'sqlmap'] },
      false,
    ],
    [
      'a header name',
      'filter: {request_headers: {for_one: {key: {eq: x-evil}}}}',
      { headers: ['X-Evil', '1'] },
      true,
    ],
    ['a header line', 'filter: {request_headers: {regex: "x-evil: ?1"}}', { headers: ['x-evil', '1'] }, true],
    [
      'every value',
      'filter: {query_param: {for_all: {value: {regex: "^\\\\d+$"}}}}',
      { target: '/a?x=1&y=22' },
      true,
    ],
    [
      'not every value',
      'filter: {query_param: {for_all: {value: {regex: "^\\\\d+$"}}}}',
      { target: '/a?x=1&y=b' },
      false,
    ],
    [
      'no value at all',
      'filter: {query_param: {for_all: {value: {regex: "^\\\\d+$"}}}}',
      { target: '/a' },
      false,
    ],
    [
      'numbers of a body',
      'filter: {request_payload: {for_one: {key: {eq: amount}, value: {gt: 100}}}}',
      { body: '{"amount": 500}' },
      true,
    ],
    [
      'a field decoded',
      'filter: {request_payload: {for_one: {key: {eq: q}, value: {contains_either: ["<b>"]}}}}',
      { body: '{"q":"&lt;b&gt;"}' },
      true,
    ],
    ['a long target', 'filter: {url: {length: {gt: 20}}}', { target: `/${'x'.repeat(30)}` }, true],
    ['a short body', 'filter: {request_payload: {length: {gt: 20}}}', { body: '{"a":1}' }, false],
    ['the query as sent', 'filter: {query_param: {regex: "^a=1&b="}}', { target: '/p?a=1&b=2' }, true],
    [
      'words with signs of variables',
      'filter: {request_payload: {contains_either: ["${jndi:"]}}',
      { body: '{"a":"${JNDI:x}"}' },
      true,
    ],
    [
      'a pattern that looks around',
      'filter: {request_payload: {regex: "eval(?!uate)"}}',
      { body: '{"a":"evaluate eval(1)"}' },
      true,
    ],
    [
      'an answer',
      'filter: {response_payload: {regex: "at [\\\\w.]+\\\\([A-Z]\\\\w+\\\\.java:\\\\d+\\\\)"}}',
      { responseBody: '{"error":"at com.shop.Order.get(Order.java:42)"}' },
      true,
    ],
    [
      'markup as sent',
      'filter: {request_payload: {regex: "<soap:Envelope"}}',
      { body: '<?xml version="1.0"?><soap:Envelope/>', headers: ['content-type', 'text/xml'] },
      true,
    ],
    ['a text without words', 'filter: {request_payload: {regex: "^.$"}}', { body: '{"a":"x"}' }, true],
  ])('%s', (_, body, parts, isHit) => {
    expect(judge(body, parts).hits.map(({ part }) => part)).toEqual(isHit ? ['filter'] : [])
  })
})

test('a hit tells where it stands and how it was read', () => {
  const { hits } = judge('filter: {request_payload: {regex: "(?i)union\\\\s+select"}}', {
    body: '{"items":[{"name":"x UNION%20SELECT 1"}]}',
  })
  expect(hits[0]!.evidence).toEqual([
    {
      ...{ location: 'request_payload', name: 'items.name', view: 'percent' },
      ...{ start: 2, end: 14, phrase: 'UNION SELECT' },
    },
  ])
})

test('a hit in a cookie says so, and what was undone first stands first', () => {
  const { hits } = judge('filter: {request_headers: {regex: "<script"}}', {
    headers: ['host', 'shop.example', 'cookie', `a=1; t=${btoa('hi%20there <%73cript>')}`],
  })
  expect(hits[0]!.evidence).toMatchObject([
    { location: 'request_headers', name: 'cookie t', view: 'base64, percent', phrase: '<script' },
  ])
})

test('of a long match the last part is the evidence', () => {
  const { hits } = judge('filter: {request_payload: {regex: "<a(?:x|y)+b>"}}', {
    body: JSON.stringify({ v: `<a${'xy'.repeat(2_000)}b>` }),
  })
  expect(hits[0]!.evidence).toMatchObject([{ start: 3_804, end: 4_004, phrase: `${'xy'.repeat(99)}b>` }])
})

test('a text that is still encoded after the last decoded layer is reported; a decoded one is not', () => {
  const layered = (layers: number): Verdict => {
    let text = "1' union select password from users"
    for (let i = 0; i < layers; i++) text = btoa(text)
    return judge('filter: {request_payload: {regex: "union select"}}', { body: JSON.stringify({ v: text }) })
  }
  expect(layered(4)).toMatchObject({ isTruncated: false, hits: [{ evidence: [{ phrase: 'union select' }] }] })
  expect(layered(5)).toMatchObject({ isTruncated: true, hits: [] })
})

test('ignore calls a filter off', () => {
  const body = 'filter: {url: {contains_either: [orders]}}\nignore: {response_code: {gte: 400}}'
  expect(judge(body, { status: 200 }).hits).toHaveLength(1)
  expect(judge(body, { status: 404 }).hits).toHaveLength(0)
})

test('two kinds of hits are distinguished, and what rules count by is read', () => {
  const body = `success_filter: {response_code: {lt: 300}}
failure_filter: {response_code: {gte: 400}}
aggregation_rules:
  - rule:
      name: guessing
      condition:
        matchCount: 5
        windowThreshold: 5
        incrementFilter: failure_filter
        thresholdBreachFilter: success_filter
        distinctIdentifier: {count: 5, source: request_payload, key: User}
        perEndpoint: true`
  const { hits } = judge(body, { status: 401, body: '{"user":"eve"}' })
  expect(hits).toMatchObject([
    {
      part: 'failure',
      distinctValues: ['eve'],
      filter: {
        rules: [{ ...{ name: 'guessing', matchCount: 5, windowMinutes: 5, scope: 'actor-endpoint' } }],
      },
    },
  ])
  expect(judge(body, { status: 200 }).hits[0]).toMatchObject({ part: 'success', distinctValues: [null] })
})

test('special categories label, and make no hits', () => {
  const named = (category: string, id: string): Filter => {
    const { filter } = compileFilter(
      `id: ${id}\ninfo: {category: {name: ${category}}, severity: LOW}\nfilter: {url: {contains_either: [orders]}}`,
    )
    return filter!
  }
  const set = new FilterSet([
    named('SuccessfulExploit', 'S'),
    named('IgnoredEvent', 'I'),
    named('Other', 'O'),
  ])
  const verdict = evaluateMessage(set, message())
  expect(verdict.hits.map((hit) => hit.filter.id)).toEqual(['O'])
  expect(verdict).toMatchObject({ isSuccessfulExploit: true, isIgnored: true, isTruncated: false })
})

test('messages leave nothing behind for the next', () => {
  const set = new FilterSet([filter('filter: {url: {contains_either: [orders]}}')])
  expect(evaluateMessage(set, message()).hits).toHaveLength(1)
  expect(evaluateMessage(set, message({ target: '/other' })).hits).toHaveLength(0)
  expect(evaluateMessage(set, message()).hits).toHaveLength(1)
})
