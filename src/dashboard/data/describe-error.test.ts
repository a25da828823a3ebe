import { describe, expect, it } from 'vitest'
import { CallError } from '../../contract/browser.ts'
import { describeError } from './describe-error.ts'

describe('describeError', () => {
  it('gives the sentence of the server and the remedy of the error table', () => {
    const words = describeError(new CallError(422, ['No such collection exists'], 'NO_SUCH_COLLECTION'))
    expect(words.title).toBe('No such collection exists')
    expect(words.remedy.length).toBeGreaterThan(10)
    expect(words.facts).toContain('NO_SUCH_COLLECTION')
  })

  it('says how long to wait when the server asks for it', () => {
    expect(describeError(new CallError(503, ['busy'], 'OVERLOADED', 7)).remedy).toContain('7 seconds')
  })

  it('names a server that does not answer', () => {
    expect(describeError(new TypeError('Failed to fetch')).title).toBe('The server does not answer')
  })

  it('shows codes it does not know by their status', () => {
    expect(describeError(new CallError(502, ['Bad gateway'], null)).remedy).toContain('proxy')
    expect(describeError(new CallError(400, ['odd'], '__proto__')).remedy).toContain('Correct')
  })
})
