import { expect, test } from 'vitest'
import { killDuringAttack } from './kill-during-attack.ts'

test('no acknowledged attack is lost and none counts twice when the server is killed', async () => {
  const report = await killDuringAttack(2, 7, 21_491)
  expect(report.problems).toEqual([])
  expect(report.probes).toBeGreaterThan(0)
}, 180_000)
