import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { PGlite } from '@electric-sql/pglite'
import { expect, test } from 'vitest'
import { answerOf } from './answer-of.ts'
import { isIdleAfter, simpleQuery } from './protocol-text.ts'

const MIB = 1024 * 1024
const ANSWERS = 20

function usedMiB(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed / MIB
}

test('the engine keeps nothing of what it answered', async () => {
  const database = await PGlite.create()
  try {
    const message = simpleQuery(`SELECT repeat('x', 1024) FROM generate_series(1, 1024)`)
    await answerOf(database, message)
    const before = usedMiB()
    for (let n = 0; n < ANSWERS; n++) {
      const answer = await answerOf(database, message)
      expect(answer.length).toBeGreaterThan(MIB)
      expect(isIdleAfter(answer)).toBe(true)
    }
    expect(usedMiB() - before).toBeLessThan(ANSWERS / 2)
  } finally {
    await database.close()
  }
})
