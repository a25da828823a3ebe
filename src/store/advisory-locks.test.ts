import { expect, test } from 'vitest'
import { openTestStore, testedEngine } from '../../test/store-fixture.ts'
import { advisoryLocks, lockTransaction } from './advisory-locks.ts'
import { usingTransaction } from './transaction.ts'

const names = Object.keys(advisoryLocks) as (keyof typeof advisoryLocks)[]

// The embedded store runs one transaction at a time.
test.skipIf(testedEngine !== 'postgres')('no feature waits for the lock of another', async () => {
  const { store, close } = await openTestStore()
  try {
    for (const held of names)
      await usingTransaction(store.pool, async (client) => {
        await lockTransaction(client, held)
        for (const other of names)
          if (other !== held) await usingTransaction(store.pool, (beside) => lockTransaction(beside, other))
      })
  } finally {
    await close()
  }
})

test('all locks have numbers of their own', () => {
  expect(new Set(Object.values(advisoryLocks)).size).toBe(names.length)
})
