import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compiled, filterTexts } from '../../bench/threat/filters.ts'
import { filterScoreText, percentOf, scoreFilters } from './score-filters.ts'

const SCORE = new URL('../../bench/threat/quality.txt', import.meta.url)

test('the filters find and flag what their score says, and that is enough', () => {
  const score = scoreFilters(filterTexts().map(compiled))
  const flagged = (set: string): number => percentOf(score.sets.get(set)!)
  expect(flagged('gtw-attack')).toBeGreaterThanOrEqual(80)
  expect(flagged('gtw-large')).toBe(100)
  expect(flagged('evasion')).toBeGreaterThanOrEqual(85)
  const plain = percentOf(score.techniques.get('plain')!)
  for (const share of score.techniques.values()) expect(percentOf(share)).toBeGreaterThanOrEqual(0.9 * plain)
  expect(flagged('rest')).toBeLessThanOrEqual(0.3)
  expect(flagged('gtw-falsepos')).toBeLessThanOrEqual(2)
  expect(flagged('rest-hard')).toBeLessThanOrEqual(8)
  expect(score.grave).toEqual([])
  // Better or worse: run `node bench/threat/quality.ts --write` and look at the difference.
  expect(filterScoreText(score)).toBe(readFileSync(SCORE, 'utf8'))
})
