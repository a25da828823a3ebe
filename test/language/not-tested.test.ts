import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnswerRule, TemplateCase } from '../../src/app/template-cases/case-file.ts'
import { type CaseDeps, runCase } from '../../src/app/template-cases/run-case.ts'
import type { PairResult } from '../../src/testing/index.ts'
import {
  attemptFault,
  CallbackListener,
  createSigningKeys,
  draftOf,
  isSameOnWire,
} from '../../src/testing/index.ts'
import { requestEditor } from '../../src/testing/run/request-changes.ts'
import { attemptEnvironment } from '../attempt-environment.ts'
import { rawSample } from '../raw-sample.ts'
import { type Parts, templateOf } from './language-tools.ts'

let deps: CaseDeps

beforeAll(async () => {
  const callback = await CallbackListener.start({
    callbackHost: '127.0.0.1',
    callbackPort: 0,
    callbackUrl: null,
  })
  deps = { callback, keys: createSigningKeys(callback.keysUrl), templates: new Map() }
})
afterAll(() => deps.callback.close())

const JSON_TYPE = { 'content-type': 'application/json' }
const SAMPLE = {
  request: 'GET /orders/7?q=x',
  headers: { authorization: 'Bearer victim' },
  status: 200,
  responseHeaders: JSON_TYPE,
  response: '{"id":7}',
}
const OK: AnswerRule = { when: { path: '^/orders/7' }, status: 200, headers: JSON_TYPE, body: '{"id":7}' }
const NEVER = '  response_code: {eq: 299}'
const CHANGES_QUERY = '        - modify_query_param: {q: y}'

function ran(
  parts: Parts,
  answers: readonly AnswerRule[],
  given: Partial<TemplateCase> = {},
): Promise<PairResult> {
  const one = { name: 'case', expect: '', sample: SAMPLE, answers, ...given }
  return runCase(templateOf({ validate: NEVER, ...parts }), one, deps)
}

function token(claims: object): string {
  const coded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${coded({ alg: 'HS256' })}.${coded(claims)}.c2lnbmF0dXJl`
}

describe('an attack request that cannot be built as meant is not sent, and the check is not tested', () => {
  const ATTACKER = '        - replace_auth_header: true'

  test.each<[string, Parts, Partial<TemplateCase>, string]>([
    [
      'nothing in the request can be changed',
      { operations: '        - modify_query_param: {none: y}' },
      {},
      'nothing in the recorded request can be changed',
    ],
    [
      'the change is lost when it is sent: a GET carries no body',
      { operations: '        - add_body_param: {admin: true}' },
      {},
      'nothing in the recorded request can be changed',
    ],
    [
      'the recorded request already carries the credentials of the attacker',
      { operations: ATTACKER },
      { attacker: { authorization: 'Bearer victim' } },
      'has no other owner to act against',
    ],
    [
      'the attacker is the recorded caller with a newer token',
      { operations: ATTACKER },
      {
        sample: {
          ...SAMPLE,
          headers: { authorization: `Bearer ${token({ email: 'ann@shop.test', iat: 1 })}` },
        },
        attacker: { authorization: `Bearer ${token({ email: 'ann@shop.test', iat: 2 })}` },
      },
      'are those of ann@shop.test',
    ],
    [
      'the request has no place for the credentials of the attacker',
      { operations: ATTACKER },
      { sample: { ...SAMPLE, headers: { cookie: 'session=v' } }, attacker: { 'x-api-key': 'k' } },
      'carries none of the credentials of the attacker',
    ],
    [
      'a role acts beside the credentials of the recorded caller',
      { operations: '        - modify_header: {"${roles_access_context.MEMBER}": 1}' },
      {
        sample: { ...SAMPLE, headers: { authorization: 'Bearer victim', cookie: 'theme=dark' } },
        roles: { MEMBER: { cookie: 'theme=light' } },
      },
      "caller's credential authorization is still in the request",
    ],
    [
      'a placeholder has no value',
      {
        filters:
          '  or:\n    - response_code: {eq: 200}\n    - query_param: {for_one: {key: {eq: none, extract: k}}}',
        operations: '        - modify_query_param: {q: "${k}"}',
      },
      {},
      'the placeholder ${k} has no value',
    ],
  ])('%s', async (_what, parts, given, reason) => {
    const result = await ran(parts, [{ ...OK, when: {} }], given)
    expect([result.outcome, result.attempts.length]).toEqual(['NO_API_REQUEST', 0])
    expect(result.explanation).toContain(reason)
  })

  test('the settings of the run undo the change', () => {
    const start = draftOf(rawSample('GET /orders?q=x HTTP/1.1\nhost: shop.test\n\n'))
    const attempt = { ...start, query: 'q=attack' }
    const change = { operatorType: 'MODIFY_QUERY_PARAM', operationsGroupList: [{ key: 'q', value: 'fixed' }] }
    expect(isSameOnWire(attempt, start, (draft) => draft)).toBe(false)
    expect(isSameOnWire(attempt, start, requestEditor([change as never])!)).toBe(true)
  })

  test('the credentials of a role were edited away again', () => {
    const [step] = templateOf({
      operations: '        - replace_auth_header: true\n        - delete_header: authorization',
    }).execute.steps
    const start = draftOf(
      rawSample('GET /orders?q=x HTTP/1.1\nhost: shop.test\nauthorization: Bearer victim\n\n'),
    )
    const bare = { ...start, headers: [] }
    expect(attemptFault(step!, bare, start, attemptEnvironment())).toBe(
      'the credentials of the attacker are not in the request',
    )
  })

  test('a payload that looks like a placeholder is sent', async () => {
    const result = await ran({ operations: '        - modify_query_param: {q: "${7*7}${IFS}"}' }, [OK])
    expect(result.outcome).toBe('SECURE')
  })
})

describe('a check whose attack request was not processed is not verified', () => {
  const attacked = { path: 'q=y' }
  test.each<[string, AnswerRule, string, string]>([
    ['429', { when: attacked, status: 429, body: '{}' }, 'ATTACK_NOT_PROCESSED', '429'],
    ['500', { when: attacked, status: 500, body: '{}' }, 'ATTACK_NOT_PROCESSED', 'server error (500)'],
    ['503', { when: attacked, status: 503, body: '{}' }, 'ATTACK_NOT_PROCESSED', 'server error (503)'],
    [
      'a block page with 200',
      {
        when: attacked,
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: '<h1>Sorry</h1>Your request has been blocked. Web Application Firewall, incident 77.',
      },
      'ATTACK_NOT_PROCESSED',
      'block page (200)',
    ],
    [
      'a block page with 403',
      {
        when: attacked,
        status: 403,
        headers: { 'content-type': 'text/html' },
        body: '<h1>403 Forbidden</h1>',
      },
      'ATTACK_NOT_PROCESSED',
      'HTML page (403)',
    ],
  ])('%s', async (_what, rule, outcome, reason) => {
    const result = await ran({ operations: CHANGES_QUERY }, [rule, OK])
    expect(result.outcome).toBe(outcome)
    expect(result.explanation).toContain(reason)
  })

  test.each<[string, AnswerRule, string]>([
    ['the endpoint is gone', { when: {}, status: 404, body: '{}' }, '404 instead of 200'],
    ['the baseline is rate-limited', { when: {}, status: 429, body: '{}' }, '429 instead of 200'],
    [
      'the endpoint says something else',
      { when: {}, status: 200, headers: JSON_TYPE, body: '{"error":"maintenance"}' },
      'other content than recorded',
    ],
    [
      'a page replaces the JSON',
      { when: {}, status: 200, headers: { 'content-type': 'text/html' }, body: '<p>Back soon</p>' },
      'other content than recorded',
    ],
  ])('%s', async (_what, rule, reason) => {
    const result = await ran({ operations: CHANGES_QUERY }, [rule])
    expect(result.outcome).toBe('BASELINE_CHANGED')
    expect(result.explanation).toContain(reason)
  })

  test('one of several requests got no answer', async () => {
    const result = await ran(
      { wordLists: '  w: [a, b, c]', operations: '        - modify_query_param: {q: "${w}"}' },
      [{ when: { path: 'q=b' }, closes: true }, OK],
    )
    expect([result.outcome, result.attempts.length]).toEqual(['API_REQUEST_FAILED', 2])
  })

  test('a refused write is verified only where the original request still succeeds', async () => {
    const sample = {
      request: 'POST /orders',
      headers: { authorization: 'Bearer victim', 'content-type': 'application/json' },
      body: '{"name":"x"}',
      status: 201,
      responseHeaders: JSON_TYPE,
      response: '{"id":7}',
    }
    const operations = '        - modify_body_param: {name: attack}'
    const refused: AnswerRule = {
      when: { body: 'attack' },
      status: 400,
      headers: JSON_TYPE,
      body: '{"error":1}',
    }
    const works: AnswerRule = { when: { body: '"x"' }, status: 201, headers: JSON_TYPE, body: '{"id":8}' }
    const taken: AnswerRule = { when: { body: '"x"' }, status: 409, headers: JSON_TYPE, body: '{"error":2}' }
    expect((await ran({ operations }, [refused, works], { sample })).outcome).toBe('SECURE')
    expect((await ran({ operations }, [refused, taken], { sample })).outcome).toBe('BASELINE_CHANGED')
    const removal = { ...sample, request: 'DELETE /orders', status: 200 }
    expect((await ran({ operations }, [refused, works], { sample: removal })).outcome).toBe(
      'BASELINE_CHANGED',
    )
  })

  describe('where failures are answered with 200', () => {
    const sample = {
      request: 'POST /transfers/7/confirmation',
      headers: { authorization: 'Bearer victim', 'content-type': 'application/json' },
      body: '{"name":"x"}',
      status: 200,
      responseHeaders: JSON_TYPE,
      response: '{"success":true}',
    }
    const answers = (when: AnswerRule['when'], body: string): AnswerRule => ({
      when,
      status: 200,
      headers: JSON_TYPE,
      body,
    })
    const done = '{"success":false,"error":"transfer 7 is not pending"}'
    const unknown = '{"success":false,"error":"invalid token"}'

    test('a refused write is verified only where the original request still succeeds', async () => {
      const operations = '        - modify_body_param: {name: attack}'
      const refused = answers({ body: 'attack' }, '{"success":false,"error":"name"}')
      const works = answers({ body: '"x"' }, '{"success":true}')
      expect((await ran({ operations }, [refused, works], { sample })).outcome).toBe('SECURE')
      const stale = await ran({ operations }, [refused, answers({ body: '"x"' }, done)], { sample })
      expect([stale.outcome, stale.explanation]).toEqual([
        'BASELINE_CHANGED',
        expect.stringContaining('"success": false'),
      ])
    })

    test('a stranger who gets the failure of a stale request is not refused', async () => {
      const operations = '        - remove_auth_header: true'
      expect((await ran({ operations }, [answers({}, done)], { sample })).outcome).toBe('BASELINE_CHANGED')
      expect((await ran({ operations }, [answers({}, unknown)], { sample })).outcome).toBe('SECURE')
    })

    test('a read that fails now proves nothing', async () => {
      const listed = {
        ...sample,
        request: 'GET /orders?q=x',
        body: '',
        response: '{"success":true,"orders":[]}',
      }
      const result = await ran({ operations: CHANGES_QUERY }, [answers({}, unknown)], { sample: listed })
      expect([result.outcome, result.explanation]).toEqual([
        'BASELINE_CHANGED',
        expect.stringContaining('"success": false'),
      ])
    })
  })

  test('where the weakness is a missing limit, a refusal for too many requests is the sound answer', async () => {
    const result = await ran({ operations: CHANGES_QUERY, info: '  cwe: [CWE-307]' }, [
      { when: attacked, status: 429, body: '{}' },
      OK,
    ])
    expect(result.outcome).toBe('SECURE')
  })
})

test('a sound answer to an attack that was processed is a pass', async () => {
  expect((await ran({ operations: CHANGES_QUERY }, [OK])).outcome).toBe('SECURE')
})
