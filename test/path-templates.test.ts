import { describe, expect, it } from 'vitest'
import { playCase, playMergeAndSplit } from '../bench/path-templates/adversarial.ts'
import { adversarialCases } from '../bench/path-templates/adversarial-cases.ts'

describe('adversarial path templates', () => {
  for (const one of adversarialCases()) {
    it(`${one.kind}: ${one.name}`, () => {
      expect(playCase(one)).toEqual([])
    })
  }

  it.each([1, 2, 3, 4, 5, 6, 7])('split(merge(x)) is x, variation %i', (seed) => {
    expect(playMergeAndSplit(seed)).toEqual([])
  })
})
