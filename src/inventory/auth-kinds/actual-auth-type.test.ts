import { describe, expect, it } from 'vitest'
import type { AuthCombination } from './actual-auth-type.ts'
import { actualAuthType } from './actual-auth-type.ts'

function seen(kinds: string[], succeeded: number, rest: Partial<AuthCombination> = {}): AuthCombination {
  return { kinds, succeeded, refused: 0, other: 0, clients: succeeded > 0 ? 1 : 0, ...rest }
}

describe('actualAuthType', () => {
  it('is the union of the combinations that count', () => {
    const result = actualAuthType([seen(['BEARER'], 50), seen(['API_KEY', 'BEARER'], 50)])
    expect(result).toMatchObject({ kinds: ['API_KEY', 'BEARER'], state: 'AUTHENTICATED' })
  })

  it('leaves out a combination below 5 % from few clients', () => {
    expect(actualAuthType([seen(['JWT'], 99), seen(['BASIC'], 1)]).kinds).toEqual(['JWT'])
    expect(actualAuthType([seen(['JWT'], 990), seen(['BASIC'], 5, { clients: 5 })]).kinds).toEqual([
      'BASIC',
      'JWT',
    ])
  })

  it('stays authenticated after one anonymous probe, and says so', () => {
    const result = actualAuthType([seen(['JWT'], 40), seen([], 1)])
    expect(result).toMatchObject({ kinds: ['JWT'], state: 'MIXED', anonymousCount: 1 })
  })

  it('is unauthenticated after anonymous success three times or from two clients', () => {
    expect(actualAuthType([seen(['JWT'], 40), seen([], 3)]).kinds).toEqual(['UNAUTHENTICATED'])
    expect(actualAuthType([seen(['JWT'], 40), seen([], 2, { clients: 2 })]).kinds).toEqual([
      'UNAUTHENTICATED',
    ])
  })

  it('does not count anonymous answers that differ from authenticated ones', () => {
    expect(actualAuthType([seen(['JWT'], 40), seen([], 30, { answersAlike: false })]).state).toBe('MIXED')
  })

  it('is unauthenticated when nobody authenticates, even after one call', () => {
    expect(actualAuthType([seen([], 1)]).state).toBe('UNAUTHENTICATED')
    expect(actualAuthType([seen([], 1), seen(['JWT'], 0, { refused: 2 })]).state).toBe('UNAUTHENTICATED')
  })

  it('knows enforcement from refused anonymous calls', () => {
    const result = actualAuthType([seen(['JWT'], 10), seen([], 0, { refused: 2 })])
    expect(result).toMatchObject({ state: 'AUTHENTICATED', enforcement: 'OBSERVED' })
  })

  it('says unknown when only refused anonymous calls were seen', () => {
    expect(actualAuthType([seen([], 0, { refused: 2 })])).toMatchObject({
      kinds: [],
      state: 'UNKNOWN',
      enforcement: 'OBSERVED',
    })
    expect(actualAuthType([])).toMatchObject({ kinds: [], state: 'UNKNOWN' })
  })
})
