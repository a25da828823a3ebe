import { expect, test } from 'vitest'
import type { ChangeTopic } from '../../../contract/browser.ts'
import { LiveConnection, type LivePhase } from './live-connection.ts'

/** A stream of the events given, which ends after the last one. */
function streamOf(...events: string[]): Response {
  return new Response(events.map((event) => `${event}\n\n`).join(''), { status: 200 })
}

const ready = 'event: ready\ndata: {}'

/** Follows a connection that gets these answers in turn, until the last one was given. */
async function follow(...answers: (() => Response | Promise<Response>)[]) {
  const phases: LivePhase[] = []
  const topics: ChangeTopic[] = []
  const waits: number[] = []
  let gaps = 0
  await new Promise<void>((done) => {
    const connection = new LiveConnection({
      fetch: async () => answers.shift()!(),
      onChange: (changed) => topics.push(...changed),
      onGap: () => gaps++,
      wait: async (ms) => {
        waits.push(ms)
        if (answers.length > 0) return
        connection.stop()
        done()
      },
    })
    connection.subscribe(() => phases.push(connection.phase()))
    connection.start()
  })
  return { phases, topics, waits, gaps }
}

test('topics are reported, those of newer servers are skipped', async () => {
  const changed = 'event: changed\ndata: {"topics":["runs","weather","threats"]}'
  const { topics, phases, gaps } = await follow(() => streamOf(ready, changed))
  expect(topics).toEqual(['runs', 'threats'])
  expect(phases).toEqual(['opening', 'live', 'off'])
  expect(gaps).toBe(0)
})

test('a server that goes away is lost, asked less and less often, and read anew when it is back', async () => {
  const away = () => Promise.reject(new TypeError('Failed to fetch'))
  const { phases, waits, gaps } = await follow(
    () => streamOf(ready),
    away,
    () => new Response('', { status: 503 }),
    () => streamOf(ready),
  )
  expect(phases).toEqual(['opening', 'live', 'opening', 'lost', 'live', 'off'])
  expect(waits).toEqual([1_000, 2_000, 4_000, 1_000])
  expect(gaps).toBe(1)
})

test('a refusal is not a lost connection', async () => {
  const { phases, waits } = await follow(() => new Response('', { status: 429 }))
  expect([phases, waits]).toEqual([['opening', 'refused', 'off'], [60_000]])
})
