import { afterEach, expect, test } from 'vitest'
import { openTestStore } from '../../test/store-fixture.ts'
import { Election } from './election.ts'

const elections: Election[] = []
let closeStore: () => Promise<void> = async () => {}

afterEach(async () => {
  await Promise.all(elections.splice(0).map((one) => one.close()))
  await closeStore()
})

test('a process that gives its office up no longer holds it, and the next one is elected', async () => {
  const { store, close } = await openTestStore()
  closeStore = close
  const won: string[] = []
  const candidate = (name: string): Election => {
    const one = new Election('test', {
      store,
      onElected: () => won.push(name),
      onError: (error) => expect.fail(String(error)),
    })
    elections.push(one)
    one.begin()
    return one
  }
  const first = candidate('first')
  await expect.poll(() => first.isElected).toBe(true)
  await first.close()
  expect(first.isElected).toBe(false)
  const second = candidate('second')
  await expect.poll(() => second.isElected).toBe(true)
  expect(won).toEqual(['first', 'second'])
})
