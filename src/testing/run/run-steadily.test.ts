import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import { templateText } from '../../../test/template-text.ts'
import type { Exchange } from '../../http/index.ts'
import type { RequestDraft } from '../attempts/index.ts'
import { parseTemplate, type Template } from '../template/index.ts'
import type { AttemptRecord, PairResult } from './pair-result.ts'
import { runSteadily } from './run-steadily.ts'
import type { SentRequest } from './tools.ts'

const ENDPOINT = { collectionId: 1, method: 'GET', url: '/users/INTEGER' }
const SAMPLE = rawSample('GET /users/7 HTTP/1.1\nhost: shop.test\nauthorization: Bearer a\n\n')
const COMPARES = '  response_payload:\n    percentage_match_meaning: {gte: 60}'

const answered = (body: string, status = 200): Exchange => ({
  ...SAMPLE,
  response: { ...SAMPLE.response, status, body },
})

/** Whether each run of a pair may share answers, whose attempt got one while another test changed the object. */
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
}): Promise<boolean[]> {
  const template = parseTemplate(templateText({ validate }), 'case.yaml').template as Template
  const runs: boolean[] = []
  const draft = {} as RequestDraft
  const forgotten: unknown[] = []
  const record = { exchange: attempt, validates: outcome === 'VULNERABLE', percentageMatch: 50 }
  await runSteadily(
    template,
    ENDPOINT,
    {
      sampleOf: () => SAMPLE,
      freshAnswer: async () => (forgotten.length === 0 ? answered('{"mail":"old@shop.test"}') : now),
      forgetFresh: (endpoint) => forgotten.push(endpoint),
      async send(_draft, { mayShare }) {
        runs.push(mayShare === true)
        return {} as SentRequest
      },
    },
    async ({ send }) => {
      await send(draft, { followRedirects: false, testId: 'CASE', mayShare: true })
      return { outcome, attempts: [record as AttemptRecord] } as unknown as PairResult
    },
  )
  return runs
}

test('a pair is run again, with no shared answer, when an attempt got what the unchanged request gets now', async () => {
  expect(await runsOf({})).toEqual([true, false])
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
  expect(await runsOf(parts)).toEqual([true])
})
