import { expect, test } from 'vitest'
import type { RequestDraft } from '../attempts/index.ts'
import type { Trial } from './judge.ts'
import type { AttemptRecord } from './pair-result.ts'
import { isSlowed } from './slow-answer.ts'
import type { SentRequest } from './tools.ts'

const FAST = { responseTimeMs: 10 } as AttemptRecord
const SLOW = { responseTimeMs: 2000 } as SentRequest

/** An application that works on one slow request at a time; its answers come when the test lets them. */
function application() {
  const waiting: ((sent: SentRequest) => void)[] = []
  const send = (): Promise<SentRequest> => new Promise((resolve) => waiting.push(resolve))
  const trial = { tools: { send } } as unknown as Trial
  const judge = (url: string): Promise<boolean> =>
    isSlowed(
      trial,
      { draft: { url } as RequestDraft, sent: SLOW },
      { followRedirects: false, testId: 'REDOS_EMAIL' },
      [FAST, FAST],
    )
  return { waiting, judge }
}

test('the delay of one endpoint is not taken for that of another: repetitions at an origin wait for each other', async () => {
  const { waiting, judge } = application()
  const first = judge('http://shop.test/mail')
  const second = judge('http://shop.test/register')
  await expect.poll(() => waiting.length).toBe(1)
  waiting[0]!(SLOW)
  expect(await first).toBe(true)
  await expect.poll(() => waiting.length).toBe(2)
  waiting[1]!({ ...SLOW, responseTimeMs: 10 })
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
  for (const answer of waiting.slice(1)) answer(SLOW)
  expect(await Promise.all([other, next])).toEqual([true, true])
})
