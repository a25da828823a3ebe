import { expect, test } from 'vitest'
import { killDuringAttack } from './kill-during-attack.ts'

test('no acknowledged attack is lost and none counts twice in six kills of the server', async () => {
  const report = await killDuringAttack(6, 11, 21_492)
  expect(report.problems).toEqual([])
  expect(report.probes).toBeGreaterThan(0)
}, 600_000)
