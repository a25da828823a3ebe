import { expect, test } from 'vitest'
import { readEvidence } from './read-evidence.ts'

const exchange = {
  request: {
    method: 'GET',
    target: 'http://shop.test/orders/1',
    version: 'HTTP/1.1',
    headers: ['Accept', '*/*', 'X-A', '1'],
    body: '',
  },
  response: { status: 200, headers: ['Content-Type', 'application/json'], body: '{"owner":"bob"}' },
}

test('reads attempts with their commands, control and condition', () => {
  const { attempts, control, identities } = readEvidence({
    cannotBeJudged: '',
    evidence: {
      baseline: exchange,
      attempts: [
        {
          step: 'x1',
          exchange,
          validates: true,
          reasons: {
            text: 'response_code',
            holds: true,
            line: 12,
            children: [{ text: 'gte 200', holds: true, observed: '200', line: 13, children: [] }],
          },
          percentageMatch: 91,
          responseTimeMs: 4,
          isTruncated: false,
        },
      ],
      control: { kind: 'stranger', confirms: true, explanation: 'It differs.', attempt: null },
      identities: ['', 'MEMBER'],
      selection: null,
    },
    curl: { attempts: ['curl http://shop.test/orders/1'], control: null },
  })
  expect(attempts[0]).toMatchObject({
    curl: 'curl http://shop.test/orders/1',
    exchange: {
      status: 200,
      request: {
        line: 'GET http://shop.test/orders/1 HTTP/1.1',
        headers: [
          ['Accept', '*/*'],
          ['X-A', '1'],
        ],
      },
    },
    reasons: { children: [{ text: 'gte 200', observed: '200' }] },
  })
  expect(control).toEqual({ kind: 'stranger', confirms: true, explanation: 'It differs.', attempt: null })
  expect(identities).toEqual(['', 'MEMBER'])
})

test('bounds the depth of a condition', () => {
  let reason: unknown = { text: 'leaf', holds: true, line: 1, children: [] }
  for (let at = 0; at < 500; at++) reason = { text: 'and', holds: true, line: 1, children: [reason] }
  let node = readEvidence({ evidence: { selection: reason } }).selection
  let depth = 0
  while (node) {
    depth++
    node = node.children[0] ?? null
  }
  expect(depth).toBeLessThan(50)
})

test('takes anything without breaking', () => {
  const nothing = { attempts: [], control: null, baseline: null, identities: [], selection: null }
  for (const odd of [null, undefined, 7, 'text', [], {}, { evidence: [] }, { evidence: { attempts: {} } }]) {
    expect(readEvidence(odd)).toMatchObject(nothing)
  }
  expect(readEvidence({ evidence: { attempts: [null, {}, { exchange: 3 }] } }).attempts).toHaveLength(1)
})
