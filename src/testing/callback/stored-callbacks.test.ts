import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestStore } from '../../../test/store-fixture.ts'
import { setClock } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import { CallbackListener } from './callback-listener.ts'
import { storedCallbacks } from './stored-callbacks.ts'

const ANY_PORT = { callbackHost: '127.0.0.1', callbackPort: 0, callbackUrl: null }
let opened: { store: Store; close(): Promise<void> }
const listeners: CallbackListener[] = []

beforeEach(async () => {
  opened = await openTestStore()
})
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.close()
  await opened.close()
})

/** A listener as another process has one. */
async function start(): Promise<CallbackListener> {
  const listener = await CallbackListener.start(
    ANY_PORT,
    storedCallbacks(opened.store, (error) => {
      throw error
    }),
  )
  listeners.push(listener)
  return listener
}

const call = (url: string): Promise<Response> => fetch(url, { redirect: 'manual' })

test('a call that reaches another process counts where the id was given out', async () => {
  const [one, two] = [await start(), await start()]
  const { id } = one.register('https://there.test/x')
  await one.settled()
  const answer = await call(`${two.url}/${id}`)
  expect([answer.status, answer.headers.get('location')]).toEqual([302, 'https://there.test/x'])
  await expect.poll(() => one.hits(id)).toBe(1)
  const { rows } = await opened.store.pool.query<{ method: string; target: string }>(
    'SELECT method, target FROM callback_hits WHERE callback_id = $1',
    [id],
  )
  expect(rows).toEqual([{ method: 'GET', target: `/${id}` }])
})

test('an id outlives its process', async () => {
  const before = await start()
  const { id } = before.register()
  await before.close()
  listeners.length = 0
  const after = await start()
  expect((await call(`${after.url}/${id}`)).status).toBe(200)
  const { rows } = await opened.store.pool.query('SELECT hits_count FROM callback_ids WHERE id = $1', [id])
  expect(rows).toEqual([{ hits_count: 1 }])
})

test('an id that nobody gave out is unknown, and old ones are forgotten', async () => {
  const listener = await start()
  expect((await call(`${listener.url}/${'0'.repeat(32)}`)).status).toBe(404)
  const { id } = listener.register()
  await listener.settled()
  const later = Date.now() + 25 * 3600 * 1000
  const undo = setClock(() => later)
  try {
    expect((await call(`${listener.url}/${id}`)).status).toBe(404)
    listener.register()
    await listener.settled()
  } finally {
    undo?.()
  }
  const { rows } = await opened.store.pool.query('SELECT FROM callback_ids WHERE id = $1', [id])
  expect(rows).toHaveLength(0)
})
