import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import { pairOf } from '../../../test/test-results.ts'
import { DEFAULT_RULES } from '../../data-types/index.ts'
import { sensitiveValues } from '../../inventory/index.ts'
import { SecretMask } from '../../testing/index.ts'
import { keepEvidence } from '../../testing/records/evidence.ts'

const CARD = '4111111111111111'

test('evidence shows no card number, number of a person or address, and can be revealed', () => {
  const plain = rawSample('GET /orders?mail=ann.lee%40shop.example HTTP/1.1\nhost: shop.test\n\n')
  const body = JSON.stringify({ state: 'paid', card: CARD, ssn: '536-90-4399', mail: 'ann.lee@shop.example' })
  const exchange = { ...plain, response: { ...plain.response, body } }
  const mask = new SecretMask([], [], (message) => sensitiveValues(message, DEFAULT_RULES))
  mask.scan([exchange])
  const { value, secrets } = mask.noting(() => mask.exchange(exchange))
  for (const clear of [CARD, '536-90-4399', 'ann.lee@', 'ann.lee%40'])
    expect(JSON.stringify(value)).not.toContain(clear)
  expect(JSON.parse(value.response.body)).toMatchObject({ state: 'paid' })
  expect([...secrets.values()]).toEqual(expect.arrayContaining([CARD, '536-90-4399', 'ann.lee@shop.example']))
  expect(mask.text(`The answer holds ${CARD}.`)).not.toContain(CARD)
  mask.scan([plain])
  expect(mask.text(`The answer holds ${CARD}.`), 'those of other messages are forgotten').toContain(CARD)
})

test('codes of three digits, and credentials of no known form, are masked under their names', () => {
  const plain = rawSample(
    'POST /pay?token=abc-123&page=2 HTTP/1.1\nhost: shop.test\n\n{"cvv":123,"count":123}',
  )
  const body = '{"cvv":"123","client_secret":"opaque-value-of-ann","token":"string"}'
  const exchange = { ...plain, response: { ...plain.response, body } }
  const mask = new SecretMask([], [], (message) => sensitiveValues(message, DEFAULT_RULES))
  mask.scan([exchange])
  const { request, response } = mask.exchange(exchange)
  expect(request.target).toMatch(/token=\*\*\*\w+&page=2$/)
  expect(JSON.parse(request.body).cvv).not.toBe(123)
  const shown = JSON.parse(response.body)
  expect(shown).toMatchObject({ token: 'string', client_secret: expect.not.stringContaining('-value') })
  expect(shown.cvv).not.toBe('123')
})

test('reasons of a verdict show no part of what is masked in its messages', () => {
  const plain = rawSample('GET /cards HTTP/1.1\nhost: shop.test\nauthorization: Bearer opaque-token-1\n\n')
  const body = `{"card":${CARD},"n":1}`
  const exchange = { ...plain, response: { ...plain.response, body } }
  const reason = (observed: string) => ({ text: 'regex', holds: true, observed, line: 1, children: [] })
  const attempt = {
    ...{ step: 'x1', exchange, validates: true, percentageMatch: 1, responseTimeMs: 1, isTruncated: false },
    reasons: {
      text: 'and',
      holds: true,
      line: 1,
      children: [reason(body), reason('…{"card":41111111…'), reason('Bearer opaque-token-1')],
    },
  }
  const mask = new SecretMask([], [], (message) => sensitiveValues(message, DEFAULT_RULES))
  const { text } = keepEvidence(pairOf({ baseline: exchange, attempts: [attempt] }), mask)
  for (const part of [CARD, '41111', 'opaque-token']) expect(text).not.toContain(part)
  expect(text).toContain('{\\"card\\":')
})
