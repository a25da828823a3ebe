import type { PoolClient } from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { callsByEndpoint, ingest, testEngines } from '../../../test/engine-fixture.ts'
import { testedEngine } from '../../../test/store-fixture.ts'
import type { InventoryEngine } from './engine.ts'

/** Messages that arrive once more: at another process, or after a commit whose answer was lost. */

const engines = testEngines()
const total = async (): Promise<number> =>
  Object.values(await callsByEndpoint(engines.store)).reduce((sum, calls) => sum + calls, 0)

const messages = (round: number) =>
  Array.from({ length: 20 }, (_, i) => ({ path: `/stock/${i % 4}/count`, body: { round, i } }))

describe.skipIf(testedEngine !== 'postgres')('two engines on one database', () => {
  test('a batch that another engine committed counts as duplicates', async () => {
    const [one, other] = [await engines.open(), await engines.open()]
    expect(await ingest(one, messages(1))).toMatchObject({ accepted: 20 })
    expect(await ingest(other, messages(1))).toMatchObject({ accepted: 0, duplicates: 20 })
    // Cut differently, and with something new.
    expect(await ingest(other, [...messages(1).slice(10), { path: '/new' }])).toMatchObject({
      accepted: 1,
      duplicates: 10,
    })
    for (const engine of [one, other]) await engine.flush()
    expect(await total()).toBe(21)
  })

  test('a batch that reaches both at the same time is counted by one of them', async () => {
    const [one, other] = [await engines.open(), await engines.open()]
    const untilTaken = (engine: InventoryEngine, round: number) =>
      ingest(engine, messages(round)).catch((error: unknown) => {
        // The sender is asked to send it again.
        expect(error).toMatchObject({ code: 'OVERLOADED' })
        return ingest(engine, messages(round))
      })
    for (let round = 1; round <= 15; round++) {
      const answers = await Promise.all([one, other].map((engine) => untilTaken(engine, round)))
      expect(answers.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(20)
      expect(answers.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(20)
    }
    for (const engine of [one, other]) await engine.flush()
    expect(await total()).toBe(15 * 20)
  }, 120_000)
})

test.each(['57P01', undefined])(
  'a batch whose commit was not answered (error %s) counts once when it is sent again',
  async (code) => {
    const engine = await engines.open()
    await ingest(engine, messages(1))
    loseAnswerOfNextCommit(Object.assign(new Error('Connection terminated'), code && { code }))
    await ingest(engine, messages(2)).catch(() => {}) // the sender sends it again
    await ingest(engine, messages(2))
    await engine.flush()
    expect(await total()).toBe(40)
  },
)

/** The next transaction with messages is committed, and its engine hears of an error. */
function loseAnswerOfNextCommit(error: Error): void {
  const { pool } = engines.store
  const connect = pool.connect.bind(pool) as (...args: unknown[]) => Promise<PoolClient>
  const spy = vi.spyOn(pool, 'connect').mockImplementation((async (...given: unknown[]) => {
    // The pool itself asks with a callback, for statements without a transaction.
    if (given.length > 0) return connect(...given)
    const client = await connect()
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
    let hasMessages = false
    const asked = vi.spyOn(client, 'query').mockImplementation((async (...args: unknown[]) => {
      const answer = await query(...args)
      if (String(args[0]).includes('INTO recent_messages')) hasMessages = true
      if (args[0] !== 'COMMIT') return answer
      asked.mockRestore()
      if (!hasMessages) return answer
      spy.mockRestore()
      throw error
    }) as never)
    return client
  }) as never)
}
