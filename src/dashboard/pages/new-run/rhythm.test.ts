import { expect, it } from 'vitest'
import { rhythmOf } from './rhythm.ts'

it('knows the rhythm of a period', () => {
  expect([0, -1, 86_400, 604_800, 2_592_000, 7].map(rhythmOf)).toEqual([
    'once',
    'continuous',
    'daily',
    'weekly',
    'monthly',
    'once',
  ])
})
