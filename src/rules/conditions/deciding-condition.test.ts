import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { EMPTY_LOOKUPS } from '../lookups.ts'
import { MessageView } from '../messages/message-view.ts'
import { Variables } from '../variables/variables.ts'
import { entryOf } from '../yaml/node.ts'
import { readYaml } from '../yaml/read-yaml.ts'
import { compileCondition } from './compile-condition.ts'
import { evaluate } from './evaluate.ts'

const sample = new MessageView({
  request: {
    method: 'POST',
    target: 'https://shop.example/orders/7?page=2',
    version: 'HTTP/1.1',
    headers: ['host', 'shop.example', 'x-plan', 'gold'],
    body: '{"quantity":3}',
  },
  response: { status: 404, reason: '', headers: ['content-type', 'application/json'], body: '' },
  at: 1,
  clientIp: '',
  serverIp: '',
  source: 'OTHER',
  direction: 1,
  vxlanId: 0,
})

function decisionOf(yaml: string): string {
  const { root } = readYaml(yaml)
  return decisionOn(root!)
}

function decisionOn(root: NonNullable<ReturnType<typeof readYaml>['root']>): string {
  const condition = compileCondition(root, 'test', [])
  return evaluate(condition!, {
    phase: 'filter',
    endpoint: { collectionId: 1, url: '/orders/INTEGER', method: 'POST' },
    sample,
    attempt: null,
    variables: new Variables(),
    lookups: EMPTY_LOOKUPS,
  }).decision
}

describe('the deciding condition as a sentence', () => {
  test.each([
    ['method: { eq: GET }', 'The method is not GET.'],
    ['response_code: { gte: 200, lt: 300 }', 'The response status is not 200–299.'],
    ['response_code: { gte: 500 }', 'The response status is less than 500.'],
    ['response_payload: { length: { gt: 0 } }', 'The response body is empty.'],
    ['url: { contains_either: [login, sign-in] }', 'The endpoint URL does not contain login or sign-in.'],
    ['url: { not_contains: [orders, search] }', 'The endpoint URL contains one of orders or search.'],
    [
      'query_param: { for_one: { key: { regex: "(?i)(?:^|_)(?:url|uri|host|domain|feed)$" } } }',
      'No query parameter is named like url, uri, host, domain or others.',
    ],
    [
      'request_headers: { for_one: { key: { eq: authorization } } }',
      'No request header is named authorization.',
    ],
    [
      'request_headers: { for_one: { key: { contains_either: [token, session] } } }',
      'No request header has a name that contains token or session.',
    ],
    [
      'request_payload: { for_one: { key: { eq: quantity }, value: { gt: 5 } } }',
      'No request body field that is named quantity has a value that is greater than 5.',
    ],
    [
      'request_headers: { for_one: { value: { contains_jwt: true } } }',
      'No request header has a value that holds a JSON Web Token.',
    ],
    [
      'response_payload: { for_one: { value: { datatype: IBAN } } }',
      'No response body field has a value that is of type IBAN.',
    ],
    ['response_payload: { for_one: { key: { regex: ".+" } } }', 'There is no response body field.'],
    ['private_variable_context: { gt: 0 }', 'The request has no identifier that only its own user sent.'],
    ['include_roles_access: { param: ADMIN }', 'The role ADMIN was not seen reaching the endpoint.'],
  ])('%s', (yaml, sentence) => {
    expect(decisionOf(yaml)).toBe(sentence)
  })

  test('alternatives of one comparison are one list', () => {
    const yaml = 'or: [{ method: { eq: GET } }, { method: { eq: PUT } }, { method: { eq: PATCH } }]'
    expect(decisionOf(yaml)).toBe('The method is not GET, PUT or PATCH.')
  })

  test('of conditions that must all hold, the first that did not decides', () => {
    const yaml = 'method: { eq: POST }\nresponse_code: { gte: 200, lt: 300 }\nurl: { contains_either: login }'
    expect(decisionOf(yaml)).toBe('The response status is not 200–299.')
  })

  test('other alternatives are listed side by side', () => {
    const yaml =
      'or: [{ request_headers: { for_one: { key: { eq: cookie } } } }, { url: { contains_either: login } }]'
    expect(decisionOf(yaml)).toBe(
      'No request header is named cookie, and the endpoint URL does not contain login.',
    )
  })

  test('a judgement that holds has none', () => {
    expect(decisionOf('method: { eq: POST }')).toBe('')
  })
})

test('every selection of the library that does not hold says why, without a fallback or a value of the message', async () => {
  const sentences = new Set<string>()
  for await (const file of glob('templates/tests/**/*.yaml')) {
    if (file.endsWith('.cases.yaml')) continue
    const filters = entryOf(readYaml(readFileSync(file, 'utf8')).root as never, 'api_selection_filters')
    if (filters === undefined) continue
    const sentence = decisionOn(filters)
    if (sentence === '') continue
    sentences.add(sentence)
    expect(sentence, file).toMatch(/^[A-Z][^\n]{10,240}\.$/)
    expect(sentence, file).not.toMatch(/hold together|undefined|null|\(\?|404|gold/)
  }
  expect(sentences.size).toBeGreaterThan(5)
})
