import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import { templateText } from '../../../test/template-text.ts'
import type { Exchange } from '../../http/index.ts'
import { parseTemplate, type Template } from '../template/index.ts'
import type { AttemptRecord, PairResult } from './pair-result.ts'
import { runSteadily } from './run-steadily.ts'

const ENDPOINT = { collectionId: 1, method: 'GET', url: '/users/INTEGER' }
const SAMPLE = rawSample('GET /users/7 HTTP/1.1\nhost: shop.test\nauthorization: Bearer a\n\n')
const COMPARES = '  response_payload:\n    percentage_match_meaning: {gte: 60}'

const answered = (body: string, status = 200): Exchange => ({
  ...SAMPLE,
  response: { ...SAMPLE.response, status, body },
})

/** How often a pair is run whose attempt got an answer while another test changed the object. */
async function runsOf({
  validate = COMPARES,
  outcome = 'SECURE',
  attempt = answered('{"mail":"new@shop.test"}'),
  now = answered('{"mail":"new@shop.test"}'),
}: {
  validate?: string
  outcome?: PairResult['outcome']
  attempt?: Exchange
  now?: Exchange | null
}): Promise<number> {
  const template = parseTemplate(templateText({ validate }), 'case.yaml').template as Template
  let runs = 0
  const forgotten: unknown[] = []
  const record = { exchange: attempt, validates: outcome === 'VULNERABLE', percentageMatch: 50 }
  await runSteadily(
    template,
    ENDPOINT,
    {
      sampleOf: () => SAMPLE,
      freshAnswer: async () => (forgotten.length === 0 ? answered('{"mail":"old@shop.test"}') : now),
      forgetFresh: (endpoint) => forgotten.push(endpoint),
    },
    async () => {
      runs++
      return { outcome, attempts: [record as AttemptRecord] } as unknown as PairResult
    },
  )
  return runs
}

test('a pair is run again when an attempt got what the unchanged request gets now, and passed', async () => {
  expect(await runsOf({})).toBe(2)
})

test.each([
  ['the unchanged request gets something else', { now: answered('{"mail":"other@shop.test"}') }],
  ['the unchanged request is not answered', { now: null }],
  [
    'the attempt was refused',
    { attempt: answered('{"error":"no"}', 401), now: answered('{"error":"no"}', 401) },
  ],
  ['the test found something', { outcome: 'VULNERABLE' as const }],
  ['the test compares nothing', { validate: '  response_code: {eq: 500}' }],
])('a pair is run once when %s', async (_, parts) => {
  expect(await runsOf(parts)).toBe(1)
})
