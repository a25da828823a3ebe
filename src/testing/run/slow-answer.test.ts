import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import { draftOf, type RequestDraft } from '../attempts/index.ts'
import type { Trial } from './judge.ts'
import type { AttemptRecord } from './pair-result.ts'
import { isSlowed } from './slow-answer.ts'
import type { SentRequest } from './tools.ts'

const QUICK = rawSample(
  'POST /mail HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"mail":"a"}',
)
const USUAL = { responseTimeMs: 10, exchange: QUICK } as AttemptRecord
const SLOW = { responseTimeMs: 2000 } as SentRequest
const FAST = { responseTimeMs: 10 } as SentRequest

/** What an application answers to the slow request and to the quick one, in the order in which it is asked. */
async function judged(slow: readonly SentRequest[], quick: readonly SentRequest[]) {
  const [repeated, references] = [[...slow], [...quick]]
  const send = async ({ body }: RequestDraft): Promise<SentRequest> =>
    (body.text.includes('"a"') ? references.shift() : repeated.shift())!
  const trial = { tools: { send } } as unknown as Trial
  const draft = draftOf({ ...QUICK, request: { ...QUICK.request, body: '{"mail":"aaaa!"}' } })
  return isSlowed(trial, { draft, sent: SLOW }, { followRedirects: false, testId: 'T' }, [USUAL, USUAL])
}

test('an answer counts as slow when it is so each time, and the first request of the series never', async () => {
  expect(await judged([SLOW, SLOW], [FAST, FAST])).toBe(true)
  expect(await judged([SLOW, FAST], [FAST, FAST])).toBe(false)
  expect(await judged([SLOW, SLOW], [FAST, SLOW])).toBe(false)
  expect(await judged([SLOW, SLOW], [SLOW, FAST])).toBe(false)
})

/** An application that works on one slow request at a time; its answers come when the test lets them. */
function application() {
  const waiting: ((sent: SentRequest) => void)[] = []
  const send = ({ body }: RequestDraft): Promise<SentRequest> =>
    body === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(FAST)
  const trial = { tools: { send } } as unknown as Trial
  const judge = (url: string): Promise<boolean> =>
    isSlowed(
      trial,
      { draft: { url } as RequestDraft, sent: SLOW },
      { followRedirects: false, testId: 'REDOS_EMAIL' },
      [USUAL, USUAL],
    )
  return { waiting, judge }
}

test('the delay of one endpoint is not taken for that of another: repetitions at an origin wait for each other', async () => {
  const { waiting, judge } = application()
  const first = judge('http://shop.test/mail')
  const second = judge('http://shop.test/register')
  await expect.poll(() => waiting.length).toBe(1)
  waiting[0]!(SLOW)
  await expect.poll(() => waiting.length).toBe(2)
  waiting[1]!(SLOW)
  expect(await first).toBe(true)
  await expect.poll(() => waiting.length).toBe(3)
  waiting[2]!(FAST)
  expect(await second).toBe(false)
})

test('repetitions at other origins do not wait, nor do those behind one that failed', async () => {
  const { waiting, judge } = application()
  const one = judge('http://shop.test/mail')
  const other = judge('http://bank.test/mail')
  await expect.poll(() => waiting.length).toBe(2)
  waiting[0]!(Promise.reject(new Error('gone')) as never)
  await expect(one).rejects.toThrow('gone')
  const next = judge('http://shop.test/mail')
  await expect.poll(() => waiting.length).toBe(3)
  for (const answer of waiting.slice(1)) answer(FAST)
  expect(await Promise.all([other, next])).toEqual([false, false])
})
