import { expect, test } from 'vitest'
import { type CrawlSignIn, PendingSignIns } from './pending-sign-ins.ts'

const done: CrawlSignIn = { cookies: '[]', headers: {}, error: null }

test('a login that takes long is played once, and its result is there when asked again', async () => {
  const signIns = new PendingSignIns()
  let plays = 0
  let end = (_outcome: CrawlSignIn): void => {}
  const play = (): Promise<CrawlSignIn> => {
    plays++
    return new Promise((resolve) => {
      end = resolve
    })
  }
  expect(await signIns.take('crawl', play, 1)).toBeNull()
  expect(await signIns.take('crawl', play, 1)).toBeNull()
  end(done)
  expect(await signIns.take('crawl', play, 1000)).toBe(done)
  expect(plays).toBe(1)
  expect(await signIns.take('crawl', play, 1)).toBeNull()
  expect(plays).toBe(2)
})
