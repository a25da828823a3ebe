import { describe, expect, it } from 'vitest'
import { CallError } from '../../contract/browser.ts'
import { errorRow } from '../../contract/errors.ts'
import { describeError, loadRemedies } from './describe-error.ts'

describe('describeError', () => {
  it('gives the sentence of the server and the remedy of the error table', async () => {
    const error = new CallError(422, ['No such collection exists'], 'NO_SUCH_COLLECTION')
    const words = describeError(error, await loadRemedies())
    expect(words.title).toBe('No such collection exists')
    expect(words.remedy).toBe(errorRow('NO_SUCH_COLLECTION')?.remedy)
    expect(describeError(error).remedy).toContain('Correct')
    expect(words.facts).toContain('NO_SUCH_COLLECTION')
  })

  it('says how long to wait when the server asks for it', () => {
    expect(describeError(new CallError(503, ['busy'], 'OVERLOADED', 7)).remedy).toContain('7 seconds')
  })

  it('says who finds the cause of a fault, and under which ID', async () => {
    const error = new CallError(500, ['Internal error'], 'INTERNAL')
    const findRemedy = await loadRemedies()
    expect(describeError(error, findRemedy).title).toBe('The server failed while it answered')
    expect(describeError(error, findRemedy).remedy).toContain('its log says why')
    error.requestId = 'a1b2c3'
    const { remedy, facts } = describeError(error, findRemedy)
    expect(remedy).toContain('the request ID a1b2c3')
    expect(facts).toBe('status 500, code INTERNAL: Internal error, request id a1b2c3')
  })

  it('names a server that does not answer', () => {
    expect(describeError(new TypeError('Failed to fetch')).title).toBe('The server does not answer')
  })

  it('shows codes it does not know by their status', async () => {
    const findRemedy = await loadRemedies()
    expect(describeError(new CallError(502, ['Bad gateway'], null), findRemedy).remedy).toContain('proxy')
    expect(describeError(new CallError(400, ['odd'], '__proto__'), findRemedy).remedy).toContain('Correct')
  })
})
