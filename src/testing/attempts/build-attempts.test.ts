import { decodeProtectedHeader, importJWK, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { attemptEnvironment } from '../../../test/attempt-environment.ts'
import { rawOutgoing, rawSample } from '../../../test/raw-sample.ts'
import { templateText } from '../../../test/template-text.ts'
import { Variables } from '../../rules/index.ts'
import { parseTemplate } from '../template/parse-template.ts'
import { resolveWordLists } from '../word-lists/resolve-word-lists.ts'
import { buildAttempts } from './build-attempts.ts'
import { draftOf } from './draft-of.ts'
import type { AttemptEnvironment } from './environment.ts'
import { outgoingRequest } from './outgoing-request.ts'

const GET = 'GET /orders?id=7&q=x HTTP/1.1\nhost: shop.test\nauthorization: Bearer victim\n\n'
const JSON_POST =
  'POST /orders HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"id":7,"name":"ann"}'

/** What the first step sends for a sample; a failure as its only text. */
function sent(
  request: string,
  parts: Parameters<typeof templateText>[0],
  captures: Readonly<Record<string, Parameters<Variables['capture']>[1]>> = {},
  changes: Partial<AttemptEnvironment> = {},
): string[] {
  const { template, problems } = parseTemplate(templateText(parts), 'case.yaml')
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
  const sample = rawSample(request)
  const source = { own: sample, ofCollection: () => [sample] }
  const variables = new Variables(resolveWordLists(template!.wordLists, source))
  for (const [name, value] of Object.entries(captures)) variables.capture(name, value)
  const list = buildAttempts(
    template!.execute.steps[0]!,
    draftOf(sample),
    attemptEnvironment(variables, changes),
  )
  return [...list].map((built) =>
    'failure' in built ? `failure: ${built.failure}` : rawOutgoing(outgoingRequest(built.draft)),
  )
}

const queriesOf = (texts: readonly string[]): string[] => texts.map((text) => /\?(\S*)/.exec(text)?.[1] ?? '')
const bodiesOf = (texts: readonly string[]): string[] =>
  texts.map((text) => text.slice(text.indexOf('\n\n') + 2))
const CAPTURE_K = '  or:\n    - query_param: {for_one: {key: {regex: id, extract: k}}}'

describe('counting of attempts', () => {
  it('sends no media type of a body that GET leaves out, but one that the template sets', () => {
    const operations = (more = '') => `        - modify_method: GET\n        - replace_body: ""${more}`
    const [bare, set] = ['', '\n        - modify_header: {content-type: text/plain}'].map(
      (more) => sent(JSON_POST, { operations: operations(more) })[0],
    )
    expect(bare).toBe('GET /orders HTTP/1.1\nhost: shop.test\n\n')
    expect(set).toBe('GET /orders HTTP/1.1\nhost: shop.test\ncontent-type: text/plain\n\n')
    const recorded = GET.replace('host:', 'content-type: application/json\nhost:')
    expect(sent(recorded, { operations: '        - add_header: {x-a: b}' })[0]).toContain('content-type')
  })

  it('zips lists of different operations, the shorter one cycling', () => {
    const texts = sent(GET, {
      wordLists: '  a: [1, 2, 3]\n  b: [x, y]',
      operations: '        - modify_query_param: {id: "${a}"}\n        - modify_query_param: {q: "${b}"}',
    })
    expect(queriesOf(texts)).toEqual(['id=1&q=x', 'id=2&q=y', 'id=3&q=x'])
  })

  it('multiplies lists in one text, the left one changing slowest', () => {
    const texts = sent(GET, {
      wordLists: '  a: [1, 2, 3]\n  b: [x, y]',
      operations: '        - modify_query_param: {id: "${a}-${b}"}',
    })
    expect(queriesOf(texts).map((query) => query.slice(3, 6))).toEqual([
      '1-x',
      '1-y',
      '2-x',
      '2-y',
      '3-x',
      '3-y',
    ])
  })

  it('combines every key with every value when asked', () => {
    const texts = sent(GET, {
      wordLists: '  k: [id, q]\n  v: [1, 2]',
      operations: '        - modify_query_param: {"${k}": "${v}"}\n        - for_each_combination: true',
    })
    expect(queriesOf(texts)).toEqual(['id=1&q=x', 'id=2&q=x', 'id=7&q=1', 'id=7&q=2'])
  })

  it('refuses more combinations than a step may have', () => {
    const words = Array.from({ length: 1000 }, (_, i) => i).join(', ')
    const texts = sent(GET, {
      wordLists: `  a: [${words}]\n  b: [${words}]\n  c: [${words}]`,
      operations: '        - modify_query_param: {id: "${a}${b}${c}"}',
    })
    expect(texts).toEqual(['failure: the step has 1000000000 combinations; at most 1000 are sent'])
  })

  it('fails where a list is empty', () => {
    const texts = sent(GET, {
      wordLists: '  a: {source: sample_data, key: nothing}',
      operations: '        - modify_query_param: {id: "${a}"}',
    })
    expect(texts).toEqual(['failure: modify_query_param has no value to use: a list it names is empty'])
  })

  it('builds attempts when they are asked for, and the same ones again', () => {
    const { template } = parseTemplate(
      templateText({ wordLists: '  a: [1, 2]', operations: '        - modify_query_param: {id: "${a}"}' }),
      'case.yaml',
    )
    const variables = new Variables(new Map([['a', ['1', '2']]]))
    const list = buildAttempts(
      template!.execute.steps[0]!,
      draftOf(rawSample(GET)),
      attemptEnvironment(variables),
    )
    expect(list.count).toBe(2)
    expect(JSON.stringify([...list])).toBe(JSON.stringify([...list]))
  })
})

describe('attempts equal to the sample', () => {
  it('are left out', () => {
    expect(sent(GET, { operations: '        - modify_query_param: {absent: 1}' })).toEqual([])
    expect(sent(JSON_POST, { operations: '        - replace_body: \'{ "id": 7, "name": "ann" }\'' })).toEqual(
      [],
    )
  })

  it('are sent when the method was set to the same', () => {
    expect(sent(GET, { operations: '        - modify_method: GET' })).toEqual([GET])
  })

  it('are sent by a single plan without operations, and not by a multiple one', () => {
    expect(sent(GET, {})).toEqual([GET])
    expect(sent(GET, { type: 'multiple' })).toEqual([])
  })

  it('count as different by a header that is not sent', () => {
    expect(sent(GET, { operations: '        - add_header: {Content-Length: 3}' })).toEqual([GET])
  })
})

describe('values', () => {
  it('edit the key that was captured', () => {
    const texts = sent(
      GET,
      { filters: CAPTURE_K, operations: '        - modify_query_param: {k: 9}' },
      { k: 'id' },
    )
    expect(queriesOf(texts)).toEqual(['id=9&q=x'])
  })

  it('are literal where they equal a variable that the template does not capture', () => {
    const texts = sent(GET, { operations: '        - modify_query_param: {id: k}' }, { k: 'secret' })
    expect(queriesOf(texts)).toEqual(['id=k&q=x'])
  })

  it('keep the type they are written with, and are text from word lists', () => {
    expect(bodiesOf(sent(JSON_POST, { operations: '        - modify_body_param: {id: 5}' }))).toEqual([
      '{"name":"ann","id":5}',
    ])
    const fromList = { wordLists: '  a: [5]', operations: '        - modify_body_param: {id: "${a}"}' }
    expect(bodiesOf(sent(JSON_POST, fromList))).toEqual(['{"name":"ann","id":"5"}'])
  })

  it('are computed where the template writes a product', () => {
    const texts = sent(JSON_POST, { operations: '        - modify_body_param: {id: "${x} * 2"}' }, { x: 5 })
    expect(bodiesOf(texts)).toEqual(['{"name":"ann","id":10}'])
    const payload = { wordLists: '  a: ["7 * 7"]', operations: '        - modify_body_param: {id: "${a}"}' }
    expect(bodiesOf(sent(JSON_POST, payload))).toEqual(['{"name":"ann","id":"7 * 7"}'])
  })

  it('multiply over word lists inside lists and map arguments', () => {
    const inList = { wordLists: '  a: [8, 9]', operations: '        - modify_body_param: {id: [1, "${a}"]}' }
    expect(bodiesOf(sent(JSON_POST, inList))).toEqual([
      '{"name":"ann","id":["1","8"]}',
      '{"name":"ann","id":["1","9"]}',
    ])
    const inMap = {
      wordLists: '  a: [v1, v2]',
      operations: '        - modify_url: {token_insert: {location: 1, replace_with: "${a}"}}',
    }
    expect(sent(GET, inMap).map((text) => text.split('?')[0])).toEqual(['GET /v1/orders', 'GET /v2/orders'])
  })

  it('come in pairs from a context', () => {
    const texts = sent(
      GET,
      { operations: '        - modify_query_param: {"${p.key}": "${p.value}"}' },
      {
        context_p: {
          records: [
            { key: 'id', value: '8' },
            { key: 'q', value: 'z' },
          ],
        },
      },
    )
    expect(queriesOf(texts)).toEqual(['id=8&q=x', 'id=7&q=z'])
  })

  it('of a query are sent as they are written', () => {
    const texts = sent(GET, { operations: '        - modify_query_param: {id: "a%0d%0aX: y%"}' })
    expect(queriesOf(texts)).toEqual(['id=a%0d%0aX:%20y%25&q=x'])
  })

  it('of two pairs in one operation are both applied', () => {
    expect(queriesOf(sent(GET, { operations: '        - modify_query_param: {id: 1, q: 2}' }))).toEqual([
      'id=1&q=2',
    ])
  })
})

describe('loops', () => {
  const loop = {
    filters: '  request_headers: {for_one: {key: {regex: x-, extractMultiple: names}}}',
    operations:
      '        - ${names}:\n            for_all:\n              - modify_header:\n                  ${iteratorKey}: "${iteratorKey}.words"',
  }
  const request = 'GET / HTTP/1.1\nhost: shop.test\nx-a: 1\nx-b: 2\n\n'

  it('change every captured header in each attempt', () => {
    const captures = { names: ['x-a', 'x-b'], 'x-a.words': ['p', 'q'], 'x-b.words': ['r'] }
    expect(sent(request, loop, captures)).toEqual([
      'GET / HTTP/1.1\nhost: shop.test\nx-a: p\nx-b: r\n\n',
      'GET / HTTP/1.1\nhost: shop.test\nx-a: q\nx-b: r\n\n',
    ])
  })

  it('fail where nothing was captured', () => {
    expect(sent(request, loop)).toEqual(['failure: cannot loop: nothing was saved as names'])
  })
})

describe('credentials', () => {
  const bare = 'GET / HTTP/1.1\nhost: shop.test\n\n'

  it('that are not there cannot be removed', () => {
    expect(sent(bare, { operations: '        - remove_auth_header: true' })).toEqual([
      'failure: the request carries no known credential',
    ])
  })

  it('of the victim do not survive beside those of the attacker', () => {
    const request =
      'POST / HTTP/1.1\nhost: shop.test\nAuthorization: Bearer victim\ncookie: a=1; session=victim\ncontent-type: application/json\n\n{"access_token":"victim","n":1}'
    const [text] = sent(request, { operations: '        - replace_auth_header: true' })
    expect(text).not.toContain('victim')
    expect(text).toContain('Authorization: Bearer attacker')
    expect(text).toContain('cookie: a=1\n')
  })

  it('that are opaque are removed by token tampering', () => {
    expect(
      sent(GET, { operations: '        - replace_auth_header: ${auth_context.none_algo_token}' }),
    ).toEqual(['GET /orders?id=7&q=x HTTP/1.1\nhost: shop.test\n\n'])
  })

  it('that a role lacks discard every attempt of the step', () => {
    const texts = sent(GET, {
      wordLists: '  a: [1, 2]',
      operations:
        '        - modify_query_param: {id: "${a}"}\n        - modify_header: {"${roles_access_context.NOBODY}": 1}',
    })
    expect(texts).toEqual(['failure: there are no credentials for the role NOBODY'])
  })

  it('are signed by the key that the token names', async () => {
    const request =
      'GET / HTTP/1.1\nhost: shop.test\nauthorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3IiwiZXhwIjo1fQ.c2ln\n\n'
    const environment = attemptEnvironment()
    for (const word of ['jwk_added_token', 'jku_added_token']) {
      const [text] = sent(request, { operations: `        - replace_auth_header: \${auth_context.${word}}` })
      const token = /Bearer (\S+)/.exec(text!)![1]!
      const header = decodeProtectedHeader(token)
      const jwk = word === 'jwk_added_token' ? header.jwk! : environment.keys.published!.publicJwk
      const { payload } = await jwtVerify(token, await importJWK(jwk as never, 'RS256'), {
        currentDate: new Date(1_700_000_100_000),
      })
      expect(payload.sub).toBe('7')
      expect(header.jku).toBe(word === 'jku_added_token' ? environment.keys.published!.url : undefined)
    }
  })
})

describe('callbacks', () => {
  const parts = {
    wordLists: '  u: ["https://hook.test/${random_uuid}.xml", "ldap://hook.test/${random_uuid}"]',
    operations:
      '        - send_ssrf_req: {url: "https://hook.test/store/${random_uuid}", redirect_url: "http://x.test"}\n        - modify_query_param: {id: "${u}"}',
  }

  it('point to the listener of the installation', () => {
    expect(queriesOf(sent(GET, parts))).toEqual([
      'id=http://listen.test/c/id1.xml&q=x',
      'id=ldap://listen.test/c/id1&q=x',
    ])
  })

  it('fail without a listener', () => {
    expect(sent(GET, parts, {}, { callback: null })).toEqual([
      'failure: the installation has no callback listener',
    ])
  })
})

describe('path segments', () => {
  it.each([
    [
      'GET /api/v1/orders/7/ HTTP/1.1',
      'token_insert: {location: 3, replace_with: admin}',
      'GET /api/v1/admin/orders/7/',
    ],
    ['GET /a/b HTTP/1.1', 'token_insert: {location: 3, replace_with: c}', 'GET /a/b/c'],
    ['GET /a/b HTTP/1.1', 'token_replace: {location: 4, replace_with: c}', 'GET /a/b//c'],
    ['GET / HTTP/1.1', 'token_insert: {location: 1, replace_with: c}', 'GET /c'],
    ['GET http://shop.test:8080/a HTTP/1.1', 'regex_replace: {regex: a$, replace_with: b}', 'GET /b'],
  ])('of %s', (start, form, expected) => {
    const [text] = sent(`${start}\nhost: shop.test\n\n`, { operations: `        - modify_url: {${form}}` })
    expect(text!.split(' HTTP')[0]).toBe(expected)
  })
})

describe('bodies', () => {
  it('of a multipart form keep the parts that are not edited, to the byte', () => {
    const part = (name: string, value: string): string =>
      `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    const request = `POST / HTTP/1.1\nhost: shop.test\ncontent-type: multipart/form-data; boundary=b\n\n${part('a', '1')}${part('ü', 'é')}--b--\r\n`
    const [text] = sent(request, { operations: '        - modify_body_param: {a: x}' })
    expect(bodiesOf([text!])).toEqual([`${part('ü', 'é')}${part('a', 'x')}--b--\r\n`])
  })

  it('of SOAP are edited inside the envelope', () => {
    const envelope = (id: string): string =>
      `<s:Envelope xmlns:s="urn:s"><s:Header/><s:Body><m:get xmlns:m="urn:m"><m:id kind="n">${id}</m:id></m:get></s:Body></s:Envelope>`
    const request = `POST / HTTP/1.1\nhost: shop.test\ncontent-type: text/xml\n\n${envelope('7')}`
    const [text] = sent(request, { operations: '        - modify_body_param: {_text: "8"}' })
    expect(bodiesOf([text!])).toEqual([envelope('8')])
  })

  it('of XML bombs are not changed', () => {
    const bomb = '<!DOCTYPE a [<!ENTITY x "y"><!ENTITY z "&x;&x;">]><a><b>&z;</b></a>'
    const request = `POST / HTTP/1.1\nhost: shop.test\ncontent-type: text/xml\n\n${bomb}`
    const [text] = sent(request, { operations: '        - modify_body_param: {b: "1"}' })
    expect(bodiesOf([text!])).toEqual([bomb.replace('&z;', '1')])
  })

  it('nested too deep are sent as recorded', () => {
    const request = `POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n${'['.repeat(5000)}${']'.repeat(5000)}`
    expect(sent(request, { operations: '        - modify_body_param: {a: 1}' })).toEqual([])
  })

  it('keep a __proto__ key as a key', () => {
    const request =
      'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"__proto__":{"a":1}}'
    expect(bodiesOf(sent(request, { operations: '        - modify_body_param: {a: 2}' }))).toEqual([
      '{"__proto__":{"a":2}}',
    ])
    expect(({} as Record<string, unknown>)['a']).toBeUndefined()
  })
})
