import { expect, test } from 'vitest'
import { databaseGoesAway } from './database-goes-away.ts'

test('batches refused while the database is away are taken again, and nothing is lost', async ({ skip }) => {
  const report = await databaseGoesAway()
  if (report === null) return skip('this machine has no PostgreSQL server')
  expect(report.problems).toEqual([])
  expect(report.acknowledged).toBeGreaterThan(0)
}, 300_000)
