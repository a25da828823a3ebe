import { expect, test } from 'vitest'
import { issueRank } from './issue-rank.ts'

test('worse issues outrank any number of those below, and unknown ones come last', () => {
  const rows = [{ LOW: 1_001 }, null, { MEDIUM: 1 }, {}, { HIGH: 2, LOW: 1 }, { HIGH: 10 }]
  expect([...rows].sort((a, b) => (issueRank(a) < issueRank(b) ? 1 : -1))).toEqual([
    { HIGH: 10 },
    { HIGH: 2, LOW: 1 },
    { MEDIUM: 1 },
    { LOW: 1_001 },
    {},
    null,
  ])
})
