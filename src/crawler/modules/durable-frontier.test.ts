import { expect, test } from 'vitest'
import { MemoryFrontier } from '../explore/memory-frontier.ts'
import type { CrawlLink } from './crawl-link.ts'
import { DurableFrontier } from './durable-frontier.ts'
import type { Outbox } from './outbox.ts'

const item = { kind: 'load', key: 'a', location: 'l', priority: 1, payload: '{}' } as const

function over(crashedAt: () => number, flushed: () => Promise<void> = async () => {}) {
  const frontier = new MemoryFrontier()
  // Only what the frontier uses of both.
  const link = { frontier } as unknown as CrawlLink
  const outbox = { flushed } as unknown as Outbox
  return { frontier, durable: new DurableFrontier(link, outbox, crashedAt, new AbortController().signal) }
}

test('work ends only once what it captured is committed', async () => {
  const order: string[] = []
  const { frontier, durable } = over(
    () => -1,
    async () => void order.push('flushed'),
  )
  await durable.add([item])
  const taken = await durable.take('load')
  await durable.done(taken!.id)
  order.push(String((await frontier.counts()).leased))
  expect(order).toEqual(['flushed', '0'])
})

test('work under which the browser died is done again, however it seemed to end, but not for ever', async () => {
  let crashedAt = -1
  const { frontier, durable } = over(() => crashedAt)
  await durable.add([item])
  for (const end of ['done', 'fail', 'done'] as const) {
    const taken = await durable.take('load')
    crashedAt = performance.now()
    await durable[end](taken!.id, 'BROWSER_GONE')
    expect((await frontier.counts()).waiting.load).toBe(1)
  }
  const taken = await durable.take('load')
  crashedAt = performance.now()
  await durable.done(taken!.id)
  expect(await frontier.counts()).toEqual({
    waiting: { load: 0, explore: 0, probe: 0 },
    leased: 0,
    helpers: 0,
  })
})

test('a crash before the work began is not counted against the work', async () => {
  const { frontier, durable } = over(() => 0)
  await durable.add([item])
  await durable.done((await durable.take('load'))!.id)
  expect((await frontier.counts()).waiting.load).toBe(0)
})
