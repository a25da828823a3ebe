import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import { Failure } from '../../kit/index.ts'
import { draftOf, type RequestDraft } from '../attempts/index.ts'
import type { SentRequest } from '../run/tools.ts'
import { withFreshValues } from './fresh-values.ts'

const START = draftOf(
  rawSample(
    'POST http://beers.test/users HTTP/1.1\ncontent-type: application/json\n\n{"email":"ann@beers.test","role":"user"}',
  ),
)

/** Takes each address once: what is taken is answered with 409, or not at all. */
function registry(isSilent: boolean) {
  const taken = new Set(['ann@beers.test'])
  const asked: string[] = []
  const transmit = (draft: RequestDraft): Promise<SentRequest> => {
    const { email } = JSON.parse(draft.body.text) as { email: string }
    asked.push(email === 'ann@beers.test' ? 'recorded' : 'fresh')
    if (taken.has(email) && isSilent) return Promise.reject(new Failure('TARGET_TIMEOUT', { seconds: 30 }))
    const status = taken.has(email) ? 409 : 201
    taken.add(email)
    const exchange = rawSample('POST http://beers.test/users HTTP/1.1\nhost: beers.test\n\n')
    return Promise.resolve({
      exchange: { ...exchange, response: { ...exchange.response, status } },
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

test('a target that leaves taken values unanswered gets others, if everything may be sent', async () => {
  const { asked, transmit } = registry(true)
  const known = (mayBeSilent: boolean) => ({ areTaken: false, mayBeSilent, note: () => {} })
  const wanted = { draft: START, start: START }
  expect((await withFreshValues(wanted, transmit, undefined, known(true))).exchange.response.status).toBe(201)
  expect(asked).toEqual(['recorded', 'fresh'])
  await expect(withFreshValues(wanted, transmit, undefined, known(false))).rejects.toThrow('TARGET_TIMEOUT')
})
