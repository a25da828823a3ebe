import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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

test('all locks have unique numbers', () => {
  expect(new Set(Object.values(advisoryLocks)).size).toBe(names.length)
})

test('no file takes a lock whose number is not in the table', () => {
  const source = new URL('..', import.meta.url).pathname
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  const strays = files.filter((name) => {
    const text = readFileSync(join(source, name), 'utf8')
    return /pg_(?:try_)?advisory/.test(text) && !text.includes('advisoryLocks')
  })
  expect(strays).toEqual([])
})
