import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnswerRule, TemplateCase } from '../../src/app/template-cases/case-file.ts'
import { exchangeOf } from '../../src/app/template-cases/exchange-text.ts'
import { type CaseDeps, runCase } from '../../src/app/template-cases/run-case.ts'
import { EMPTY_LOOKUPS } from '../../src/rules/index.ts'
import {
  CallbackListener,
  createSigningKeys,
  type PairResult,
  planRun,
  resolveWordLists,
} from '../../src/testing/index.ts'
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

const SAMPLE = {
  request: 'GET /orders/7?q=x',
  headers: { authorization: 'Bearer victim' },
  status: 200,
  responseHeaders: { 'content-type': 'application/json' },
  response: '{"id":7}',
}

/** Runs a test against a real server that answers by rules; what no rule answers is a 404. */
function ran(
  parts: Parts,
  answers: readonly AnswerRule[],
  given: Partial<TemplateCase> = {},
): Promise<PairResult> {
  return runCase(templateOf(parts), { name: 'case', expect: '', sample: SAMPLE, answers, ...given }, deps)
}

const OK: AnswerRule = { when: { path: '^/orders/7' }, status: 200, body: '{"id":7}' }
const stepsOf = ({ attempts }: PairResult): string[] => attempts.map(({ step }) => step)
/** A step that changes a header, its condition and where it leads. */
function step(probe: string, ...lines: string[]): string {
  return [
    `    - req:\n        - add_header: {probe: "${probe}"}`,
    ...lines.map((line) => `        - ${line}`),
  ].join('\n')
}

test('20: success that names no step ends the flow with the final check', async () => {
  const requests = step('1', 'validate: {response_code: {eq: 200}}', 'success: x13', 'failure: exit')
  const never = await ran({ type: 'multiple', requests, validate: '  response_code: {eq: 200}' }, [OK])
  expect(never.outcome).toBe('SECURE')
  const greater = '  compare_greater: ["${x1.response.response_len}", 1]'
  const held = await ran({ type: 'multiple', requests, validate: greater }, [OK])
  expect(held.outcome).toBe('VULNERABLE')
})

test('21: the final check knows compare_greater and no term', async () => {
  const requests = step('1', 'validate: {response_code: {eq: 200}}')
  const both = '  and:\n    - compare_greater: [2, 1]\n    - response_code: {gte: 1}'
  expect((await ran({ type: 'multiple', requests, validate: both }, [OK])).outcome).toBe('SECURE')
})

test('22: the median of an even count is the mean of the middle two, and a missing step compares false', async () => {
  const lists = '  w: [a, bbb, ccccccc, ddddddddddddddd]'
  const requests =
    '    - req:\n        - modify_query_param: {q: "${w}"}\n        - validate: {response_code: {eq: 700}}'
  const echoing: AnswerRule = { when: { path: '^/orders/7' }, status: 200, body: '${query.q}', echo: true }
  const medianOf = (validate: string) =>
    ran({ type: 'multiple', wordLists: lists, requests, validate: `  compare_greater: ${validate}` }, [
      echoing,
    ])
  const median = '"${x1.response.stats.median_response_len}"'
  expect((await medianOf(`[${median}, 4]`)).outcome).toBe('VULNERABLE')
  expect((await medianOf(`[${median}, 5]`)).outcome).toBe('SECURE')
  expect((await medianOf('["${x9.response.stats.median_response_len}", 0]')).outcome).toBe('SECURE')
})

test('23: a step that fails without failure ends the flow, when others follow', async () => {
  const requests = [
    step('1', 'validate: {response_code: {eq: 500}}'),
    step('2', 'validate: {response_code: {eq: 200}}'),
  ].join('\n')
  const result = await ran({ type: 'multiple', requests, validate: '  compare_greater: [2, 1]' }, [OK])
  expect([result.outcome, stepsOf(result)]).toEqual(['SECURE', ['x1']])
})

test('24: the condition of a step replaces that of the test', async () => {
  const requests = step('1', 'validate: {response_code: {eq: 200}}', 'success: vulnerable')
  const own = await ran({ type: 'multiple', requests, validate: '  response_code: {eq: 500}' }, [
    { ...OK, when: { headers: { probe: '1' } } },
  ])
  expect(own.outcome).toBe('VULNERABLE')
})

test('25: the first attempt that validates ends its step', async () => {
  const parts = { wordLists: '  w: [a, b, c]', operations: '        - modify_query_param: {q: "${w}"}' }
  const result = await ran(parts, [{ when: { path: 'q=b' }, status: 200, body: '{"found":1}' }])
  expect(result.outcome).toBe('VULNERABLE')
  expect(result.attempts.map(({ exchange }) => exchange.request.target.at(-1))).toEqual(['a', 'b'])
})

test('26: a page that the host gives for anything proves nothing', async () => {
  const page: AnswerRule = { when: {}, status: 200, body: '<h1>Welcome</h1>' }
  const result = await ran({ operations: '        - modify_query_param: {q: y}' }, [page])
  expect([result.outcome, result.attempts[0]?.validates]).toEqual(['BASELINE_CHANGED', false])
})

test('27: an endpoint that answers without credentials is skipped where authentication is asked for', async () => {
  const parts = { rest: 'auth: {authenticated: true}', operations: '        - modify_query_param: {q: y}' }
  expect((await ran(parts, [OK])).outcome).toBe('SKIPPING_EXECUTION_BECAUSE_AUTH')
  const guarded: AnswerRule = { ...OK, when: { headers: { authorization: 'victim' } } }
  expect((await ran(parts, [guarded])).outcome).toBe('UNCONFIRMED')
})

test('an endpoint that gives guests a different answer is not public', async () => {
  const parts = { rest: 'auth: {authenticated: true}', operations: '        - modify_query_param: {q: y}' }
  const own: AnswerRule = { ...OK, when: { headers: { authorization: 'victim' } }, body: '{"id":7,"cart":3}' }
  const guest: AnswerRule = { ...OK, body: '{"id":0,"cart":0}' }
  expect((await ran(parts, [own, guest])).outcome).toBe('UNCONFIRMED')
})

test('a test that swaps identities says that everybody gets the answer', async () => {
  const parts = { rest: 'auth: {authenticated: true}', operations: '        - replace_auth_header: true' }
  const result = await ran(parts, [OK], { attacker: { authorization: 'Bearer other' } })
  expect(result.outcome).toBe('OPEN_TO_EVERYBODY')
  expect(result.explanation).toContain('MISSING_AUTHENTICATION')
})

test('28: without the role that a test needs nothing is sent', async () => {
  let requests = 0
  const server: Server = createServer((_request, response) => {
    requests++
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const exchange = exchangeOf(SAMPLE)
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders/7`
  const sample = { ...exchange, request: { ...exchange.request, target } }
  const template = templateOf({
    operations: '        - modify_header: {"${roles_access_context.MEMBER}": 1}',
  })
  const tools = { sampleOf: () => sample, wordsFor: () => new Map(), lookups: EMPTY_LOOKUPS }
  const endpoint = { collectionId: 1, method: 'GET', url: '/orders/INTEGER' }
  const plan = planRun([endpoint], [template], tools, { roles: new Set(), hasCallbacks: false })
  expect(plan.pairs).toEqual([])
  expect(plan.leftOut).toMatchObject([
    { code: 'ROLE_NOT_FOUND', explanation: expect.stringContaining('MEMBER') },
  ])
  expect(requests).toBe(0)
  await new Promise((resolve) => server.close(resolve))
})

test('37: run_once gives one result for each collection, of an endpoint that it applies to', () => {
  const template = templateOf({
    rest: 'strategy: {run_once: /}',
    filters: '  url: {contains_either: users}',
    operations: '        - add_header: {probe: "1"}',
  })
  const endpoints = [1, 1, 2].map((collectionId, i) => ({ collectionId, method: 'GET', url: `/users/${i}` }))
  const before = { collectionId: 1, method: 'GET', url: '/orders' }
  const tools = {
    sampleOf: () => exchangeOf(SAMPLE),
    wordsFor: () => resolveWordLists(template.wordLists, { own: null, ofCollection: () => [] }),
    lookups: EMPTY_LOOKUPS,
  }
  const plan = planRun([before, ...endpoints], [template], tools, { roles: new Set(), hasCallbacks: false })
  expect(plan.pairs.map(({ endpoint }) => endpoint)).toEqual([endpoints[0], endpoints[2]])
})

describe('a test whose pattern runs over its budget is not tested, neither secure nor vulnerable', () => {
  /** A pattern so large that a text of this length is beyond it. */
  const filters = "  response_payload: {regex: '(?<=a{1,500})b'}"
  const long = `${'a'.repeat(100_000)}`
  const sentence =
    /^Not tested: the pattern \(\?<=a\{1,500\}\)b cannot be searched for in more than \d+ characters\.$/

  test('when it judges an attempt', async () => {
    const answer: AnswerRule = { when: { path: '^/orders/7' }, status: 200, body: long }
    const parts = { operations: '        - modify_query_param: {q: y}', validate: filters }
    const result = await ran(parts, [answer])
    expect([result.outcome, result.explanation]).toEqual(['TEST_TIMED_OUT', expect.stringMatching(sentence)])
  })

  test('when it selects the endpoint, in a run and in its plan', async () => {
    const template = templateOf({ filters, operations: '        - modify_query_param: {q: y}' })
    const sample = { ...SAMPLE, response: long }
    const result = await runCase(template, { name: 'case', expect: '', sample, answers: [] }, deps)
    expect([result.outcome, result.explanation]).toEqual(['TEST_TIMED_OUT', expect.stringMatching(sentence)])
    const tools = {
      sampleOf: () => exchangeOf(sample),
      wordsFor: () => new Map(),
      lookups: EMPTY_LOOKUPS,
    }
    const endpoint = { collectionId: 1, method: 'GET', url: '/orders/INTEGER' }
    const plan = planRun([endpoint], [template], tools, { roles: new Set(), hasCallbacks: false })
    expect(plan.pairs).toEqual([])
    expect(plan.leftOut).toMatchObject([
      { code: 'TEST_TIMED_OUT', explanation: expect.stringMatching(sentence) },
    ])
  })
})
