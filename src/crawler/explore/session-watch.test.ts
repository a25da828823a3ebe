import { expect, test } from 'vitest'
import type { CrawlPorts } from './crawl-ports.ts'
import type { LeasedItem, WorkItem } from './frontier.ts'
import type { Knowledge } from './knowledge.ts'
import { SessionWatch } from './session-watch.ts'
import type { SignatureMemory } from './signature-memory.ts'
import type { CrawlWindow } from './tab.ts'

function item(key: string): LeasedItem {
  const payload = JSON.stringify({ url: 'https://shop.test/', path: [], round: 0 })
  return { id: key, kind: 'explore', key, location: key, priority: 10, payload, attempts: 0 }
}

/** A watch over a session of which each check says what comes next; `added` is what is to be done again. */
function watch(...states: ('alive' | 'renewed')[]) {
  const added: WorkItem[] = []
  let suspicion: string | null = null
  const knowledge = {
    lostSinceMs: 0,
    takeSuspicion() {
      const taken = suspicion
      suspicion = null
      return taken
    },
  }
  const session = {
    loginUrl: null,
    async check() {
      // The login itself is let in where strangers are not.
      knowledge.lostSinceMs = performance.now()
      return states.shift()!
    },
  }
  const frontier = { add: async (items: readonly WorkItem[]) => added.push(...items) }
  const ports = { session, frontier, sink: { log() {} } } as unknown as CrawlPorts
  const window = { current: async () => ({ context: {} }) } as unknown as CrawlWindow
  const watched = new SessionWatch(ports, knowledge as Knowledge, {} as SignatureMemory, window)
  const check = (): Promise<void> => {
    suspicion = 'the login page was shown'
    return watched.guard()
  }
  return { watched, added, check }
}

test('what was done since the session was there last is done again after the login', async () => {
  const { watched, added, check } = watch('alive', 'renewed', 'alive', 'renewed')
  await watched.noteDone(item('early'), performance.now())
  await check()
  const begunMs = performance.now()
  await watched.noteDone(item('late'), begunMs)
  await check()
  expect(added.map(({ key }) => key)).toEqual(['late~'])
  expect(JSON.parse(added[0]!.payload)).toMatchObject({ round: 0, lostAtMs: expect.any(Number) })
  await watched.noteDone(item('begun before the login'), begunMs)
  await watched.noteDone(item('begun after it'), performance.now())
  await check()
  await check()
  expect(added.map(({ key }) => key)).toEqual(['late~', 'begun before the login~'])
})

test('a session that is lost each time does not keep the crawl going for ever', async () => {
  const { watched, added, check } = watch('renewed', 'renewed')
  await watched.noteDone(item('twice~~'), performance.now())
  await check()
  await watched.noteDone(item('thrice~~~'), performance.now())
  await check()
  expect(added.map(({ key }) => key)).toEqual(['twice~~~'])
})
