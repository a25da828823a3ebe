import { expect, test } from 'vitest'
import { AT, callsByEndpoint, ingest, testEngines } from '../../../test/engine-fixture.ts'

const engines = testEngines()
/** Batches after which the senders would stop, so that the test ends in any case. */
const MOST_BATCHES = 200

test('counts can be read while batches never stop coming', async () => {
  const engine = await engines.open()
  let at = AT
  let batches = 0
  let isRead = false
  const send = async (): Promise<void> => {
    while (!isRead && batches++ < MOST_BATCHES) await ingest(engine, [{ path: '/orders', at: at++ }])
  }
  // Each sends the next batch as soon as one is answered: some batch always waits.
  const senders = [send(), send(), send()]
  await ingest(engine, [{ path: '/users', at: at++ }])
  await engine.flush()
  isRead = true
  expect(await callsByEndpoint(engines.store)).toMatchObject({ 'GET /users': 1 })
  await Promise.all(senders)
  expect(batches).toBeLessThan(MOST_BATCHES)
})
