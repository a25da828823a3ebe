import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import type { ResponseMessage } from '../../http/index.ts'
import { Failure } from '../../kit/index.ts'
import { draftOf, type RequestDraft } from '../attempts/index.ts'
import type { SentRequest } from '../run/tools.ts'
import { withFreshValues } from './fresh-values.ts'

const START = draftOf(
  rawSample(
    'POST http://beers.test/users HTTP/1.1\ncontent-type: application/json\n\n{"email":"ann@beers.test","role":"user"}',
  ),
)

/** Takes each address once: what is taken is answered with a refusal, or not at all. */
function registry(isSilent: boolean, refusal = { status: 409, body: '' }) {
  const taken = new Set(['ann@beers.test'])
  const asked: string[] = []
  const transmit = (draft: RequestDraft): Promise<SentRequest> => {
    const { email } = JSON.parse(draft.body.text) as { email: string }
    asked.push(email === 'ann@beers.test' ? 'recorded' : 'fresh')
    if (taken.has(email) && isSilent) return Promise.reject(new Failure('TARGET_TIMEOUT', { seconds: 30 }))
    const answer = taken.has(email) ? refusal : { status: 201, body: '' }
    taken.add(email)
    const exchange = rawSample('POST http://beers.test/users HTTP/1.1\nhost: beers.test\n\n')
    return Promise.resolve({
      exchange: { ...exchange, response: { ...exchange.response, ...answer } },
      responseTimeMs: 1,
      isTruncated: false,
    })
  }
  return { asked, transmit }
}

test('values that were taken once are not sent again', async () => {
  const { asked, transmit } = registry(false)
  let areTaken = false
  const known = () => ({ areTaken, mayBeSilent: false, note: () => (areTaken = true) })
  const send = () => withFreshValues({ draft: START, start: START }, transmit, undefined, known())
  expect((await send()).exchange.response.status).toBe(201)
  expect((await send()).exchange.response.status).toBe(201)
  expect(asked).toEqual(['recorded', 'fresh', 'fresh'])
})

test('a refusal with 200 that says that a value is taken gets others', async () => {
  const body = '{"status":"fail","message":"User already exists. Please log in."}'
  const { asked, transmit } = registry(false, { status: 200, body })
  const sent = await withFreshValues({ draft: START, start: START }, transmit)
  expect([asked, sent.exchange.response.status]).toEqual([['recorded', 'fresh'], 201])
})

test('a target that leaves taken values unanswered gets others, if everything may be sent', async () => {
  const { asked, transmit } = registry(true)
  const known = (mayBeSilent: boolean) => ({ areTaken: false, mayBeSilent, note: () => {} })
  const wanted = { draft: START, start: START }
  expect((await withFreshValues(wanted, transmit, undefined, known(true))).exchange.response.status).toBe(201)
  expect(asked).toEqual(['recorded', 'fresh'])
  await expect(withFreshValues(wanted, transmit, undefined, known(false))).rejects.toThrow('TARGET_TIMEOUT')
})

/** Refuses every first request with an answer; a request with other values gets the second one, or none. */
function refusing(first: Partial<ResponseMessage>, second: Partial<ResponseMessage> | null) {
  const exchange = rawSample('POST http://beers.test/users HTTP/1.1\nhost: beers.test\n\n')
  let notes = 0
  const transmit = ({ body }: RequestDraft): Promise<SentRequest> => {
    const answer = body.text.includes('"ann@beers.test"') ? first : second
    if (answer === null) return Promise.reject(new Failure('TARGET_TIMEOUT', { seconds: 30 }))
    const response = { ...exchange.response, ...answer }
    return Promise.resolve({ exchange: { ...exchange, response }, responseTimeMs: 1, isTruncated: false })
  }
  const known = { areTaken: false, mayBeSilent: true, note: () => notes++ }
  const send = () => withFreshValues({ draft: START, start: START }, transmit, undefined, known)
  return { send, notes: () => notes }
}

test('values count as taken only if others are accepted', async () => {
  const missing = { status: 400, body: '{"error":"User does not exist"}' }
  const wrong = refusing(missing, missing)
  expect((await wrong.send()).exchange.response.status).toBe(400)
  expect(wrong.notes()).toBe(0)
  const silent = refusing(missing, null)
  await expect(silent.send()).rejects.toThrow('TARGET_TIMEOUT')
  expect(silent.notes()).toBe(0)
  const taken = refusing({ status: 500, body: 'E11000 duplicate key' }, { status: 201 })
  await taken.send()
  expect(taken.notes()).toBe(1)
})
