import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../http/index.ts'
import { EMPTY_LOOKUPS } from '../lookups.ts'
import { MessageView } from '../messages/message-view.ts'
import { Variables } from '../variables/variables.ts'
import type { Problem } from '../yaml/node.ts'
import { readYaml } from '../yaml/read-yaml.ts'
import { compileCondition } from './compile-condition.ts'
import { evaluate } from './evaluate.ts'
import type { Judgement, Reason } from './judgement.ts'

const TRACE = 'Error: boom\n    at Object.<anonymous> (/srv/app/index.js:10:5)\n    at node:internal/main:1'

interface Sent {
  readonly type?: string
  readonly body: string
}

function exchangeOf(request: Sent, response: Sent): Exchange {
  const headers = ({ type = 'application/json' }: Sent): string[] => ['content-type', type]
  return {
    request: {
      method: 'POST',
      target: 'https://shop.test/orders',
      version: 'HTTP/1.1',
      headers: headers(request),
      body: request.body,
    },
    response: { status: 500, reason: '', headers: headers(response), body: response.body },
    at: 1,
    clientIp: '',
    serverIp: '',
    source: 'OTHER',
    direction: 1,
    vxlanId: 0,
  }
}

function judged(yaml: string, response: Sent, request: Sent = { body: '' }): [Judgement, Variables] {
  const problems: Problem[] = []
  const condition = compileCondition(readYaml(yaml).root!, 'test', problems)
  expect(problems).toEqual([])
  const variables = new Variables()
  const sample = new MessageView(exchangeOf(request, response))
  const endpoint = { collectionId: 1, url: '/orders', method: 'POST' }
  const scene = { phase: 'filter', endpoint, sample, attempt: null, variables } as const
  return [evaluate(condition!, { ...scene, lookups: EMPTY_LOOKUPS }), variables]
}

function observed({ children, observed: own }: Reason): string {
  return own ?? children.map(observed).join('')
}

const LINE_BREAK = String.raw`response_payload: {regex: '\n\s{4}at \S+ \(/srv'}`

describe('a pattern that looks for line breaks finds a stack trace', () => {
  test.each([
    ['in a text', { type: 'text/plain', body: TRACE }],
    ['in a value of JSON', { body: JSON.stringify({ error: { stack: TRACE } }) }],
    ['in JSON within a text of JSON', { body: JSON.stringify({ cause: JSON.stringify({ stack: TRACE }) }) }],
    [
      'in one line of many',
      { type: 'application/x-ndjson', body: `{"a":1}\n${JSON.stringify({ stack: TRACE })}\n` },
    ],
    ['in JSON that was cut', { body: JSON.stringify({ stack: TRACE, more: 'x' }).slice(0, -15) }],
    ['in an event', { type: 'text/event-stream', body: `data: ${JSON.stringify({ stack: TRACE })}\n\n` }],
    ['in a form', { type: 'application/x-www-form-urlencoded', body: `e=${encodeURIComponent(TRACE)}` }],
    ['in XML', { type: 'application/xml', body: `<e><stack>${TRACE.replace(/<|>/g, '')}</stack></e>` }],
  ])('%s', (_where, response) => {
    const condition = String.raw`response_payload: {regex: '\n\s{4}at \S+ \(/srv'}`
    expect(judged(condition, response)[0].holds).toBe(true)
    const ofRequest = condition.replace('response', 'request')
    expect(judged(ofRequest, { body: '' }, response)[0].holds).toBe(true)
  })
})

test('the explanation says in which value the pattern was found, and shows the match', () => {
  const stack = `${'x'.repeat(1_000)}${TRACE}`
  const [{ reasons }] = judged(LINE_BREAK, { body: JSON.stringify({ errors: [{ stack }] }) })
  expect(observed(reasons)).toMatch(/^errors\[0\]\.stack, decoded: …x+Error: boom\n {4}at Object/)
  const [inner] = judged(LINE_BREAK, { body: JSON.stringify({ cause: JSON.stringify({ stack: TRACE }) }) })
  expect(observed(inner.reasons)).toContain('cause > stack, decoded: Error: boom\n')
  const [plain] = judged('response_payload: {regex: boom}', {
    type: 'text/plain',
    body: `${'y'.repeat(900)}boom`,
  })
  expect(observed(plain.reasons)).toBe(`…${'y'.repeat(40)}boom`)
})

test('what is extracted is found in decoded values as well', () => {
  const body = JSON.stringify({ message: 'token="abc"\nend' })
  const [, variables] = judged(`response_payload: {regex_extract: 'token="(\\w+)"', extract: found}`, {
    body,
  })
  expect(variables.captured('found')).toBe('abc')
})

test('characters that were escaped without need are read as they are', () => {
  const body = '{"path":"\\/etc\\/pass\\u0077d"}'
  expect(judged('response_payload: {regex: /etc/passwd}', { body })[0].holds).toBe(true)
})

test('the ends of the body stay its ends: no value of it stands for the whole', () => {
  const body = '{"role":"admin","note":"a \\"b\\""}'
  expect(judged('response_payload: {regex: ^admin$}', { body })[0].holds).toBe(false)
  expect(judged("response_payload: {regex: '^.{0,3}$'}", { body: '{"a":"x","b":"y"}' })[0].holds).toBe(false)
})

test('scripts in pages are not read: a page is one text', () => {
  const body = `<script>var e = ${JSON.stringify({ stack: TRACE })}</script>`
  expect(judged(LINE_BREAK, { type: 'text/html', body })[0].holds).toBe(false)
})
