import { describe, expect, it } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import type { Exchange } from '../../http/index.ts'
import { Variables } from '../../rules/index.ts'
import type { SampleLookup } from '../template/template.ts'
import { findInSamples } from './find-in-samples.ts'
import { provideDynamicLists, resolveWordLists } from './resolve-word-lists.ts'

function sample(id: number, response = '{}'): Exchange {
  const exchange = rawSample(
    `POST /a?user_id=q${id} HTTP/1.1\nhost: shop.test\nX-User-Id: h${id}\ncontent-type: application/json\n\n{"user_id":"p${id}","deep":[{"user_id":{"a":${id}}}]}`,
  )
  return { ...exchange, response: { ...exchange.response, body: response } }
}

const lookup = (changes: Partial<SampleLookup>): SampleLookup => ({
  key: { name: 'user_id' },
  location: null,
  allApis: false,
  ...changes,
})

describe('look-ups in samples', () => {
  it('find values at each location, in requests and responses', () => {
    const one = [sample(1, '{"USER_ID":9}')]
    expect(findInSamples(lookup({ location: 'query_param' }), one)).toEqual(['q1'])
    expect(findInSamples(lookup({ location: 'header', key: { pattern: 'X-User' } }), one)).toEqual(['h1'])
    expect(findInSamples(lookup({ location: 'payload' }), one)).toEqual(['p1', '{"a":1}', '9'])
    expect(findInSamples(lookup({}), one)).toEqual(['q1', 'p1', '{"a":1}', '9'])
    expect(findInSamples(lookup({ location: 'payload', key: { pattern: '^user' } }), one)).toEqual([
      'p1',
      '{"a":1}',
    ])
  })

  it('collect names of fields inside an object', () => {
    const found = findInSamples(lookup({ location: 'terminal_keys', key: { name: 'user' } }), [
      sample(1, '{"user":{"id":1,"role":"x","inner":{"no":1}}}'),
    ])
    expect(found).toEqual(['id', 'role'])
  })

  it('keep ten distinct values at most', () => {
    const many = Array.from({ length: 20 }, (_, i) => sample(i))
    expect(findInSamples(lookup({ location: 'query_param' }), many)).toHaveLength(10)
    expect(findInSamples(lookup({ location: 'query_param' }), [sample(1), sample(1)])).toEqual(['q1'])
  })

  it('search other samples only when told to', () => {
    const source = { own: sample(1), ofCollection: () => [sample(1), sample(2)] }
    const spec = { name: 'w', kind: 'samples', ...lookup({ location: 'query_param' }) } as const
    expect(resolveWordLists([spec], source).get('w')).toEqual(['q1'])
    expect(resolveWordLists([{ ...spec, allApis: true }], source).get('w')).toEqual(['q1', 'q2'])
  })
})

describe('word lists', () => {
  const source = { own: null, ofCollection: () => [] }

  it('of random numbers have ten digits each', () => {
    const words = resolveWordLists([{ name: 'r', kind: 'random', count: 3 }], source).get('r')!
    expect(words).toHaveLength(3)
    for (const word of words) expect(word).toMatch(/^[1-9]\d{9}$/)
  })

  it('of the installation win', () => {
    const lists = resolveWordLists(
      [{ name: 'a', kind: 'words', words: ['1'] }],
      source,
      new Map([['a', ['2']]]),
    )
    expect(lists.get('a')).toEqual(['2'])
  })

  it('for captured names are found for each of them', () => {
    const variables = new Variables()
    variables.capture('names', ['user_id', 'none'])
    const own = { own: sample(1), ofCollection: () => [] }
    const spec = { name: '${iteratorKey}.words', kind: 'dynamic', variable: 'names', only: 'all' } as const
    const wanted = lookup({ key: { name: '${iteratorKey}' }, location: 'query_param' })
    provideDynamicLists([{ ...spec, lookup: wanted }], own, variables)
    expect(variables.get('user_id.words')).toEqual(['q1'])
    expect(variables.get('none.words')).toEqual([])
  })
})
