import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinPerson, signUpPerson, startTestServer, type TestPerson, type TestServer } from '../harness.ts'
import { ask, message, refusal } from './ask.ts'

let server: TestServer
let admin: TestPerson
let guest: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  admin = await signUpPerson(server, 'admin@example.org')
  guest = await joinPerson(server, admin, 'guest@example.org', 'GUEST')
})

afterAll(() => server.close())

test('every message of the day is in one stage', async () => {
  const before = await ask(guest, 'fetchSystemStatus')
  expect(before.traffic).toMatchObject({ arrived: 0, stored: 0, dropped: {} })
  const time = Math.floor(Date.now() / 1000)
  const batchData = [
    message({ path: '/a', time, id: 'one' }),
    message({ path: '/a', time, id: 'one' }),
    message({ path: '/logo.png', time }),
    message({
      path: '/page',
      time,
      responseHeaders: { 'content-type': 'text/html' },
      responsePayload: '<p>',
    }),
    { neither: 'method nor host' },
  ]
  const taken = await ask(server, 'ingestData', { batchData })
  const { traffic, waiting, store, work, instances } = await ask(guest, 'fetchSystemStatus')
  const dropped = Object.values(traffic.dropped).reduce((sum, count) => sum + count, 0)
  expect(traffic.arrived).toBe(batchData.length)
  expect(traffic.arrived).toBe(traffic.unreadable + traffic.duplicates + dropped + traffic.stored)
  expect(traffic).toMatchObject({
    stored: taken.accepted,
    duplicates: taken.duplicates,
    unreadable: taken.rejected.length,
    dropped: taken.dropped,
    lastMessageAt: time,
  })
  expect(waiting).toEqual({ messages: 0, bytes: 0, refusal: null })
  expect(store).toMatchObject({ isFull: false })
  expect(work.map(({ kind }) => kind)).toEqual(['IMPORT', 'TEST_RUN', 'CRAWL', 'ALERT'])
  expect(instances.length).toBeGreaterThan(0)
  expect(instances[0]!.seenAt).toBeGreaterThan(time - 60)
})

test('people who see some collections only are refused', async () => {
  const { users } = await ask(admin, 'getTeamData')
  const { id } = users.find(({ login }) => login === guest.email)!
  await ask(admin, 'updateUserCollections', { userCollectionMap: { [id]: [] } })
  expect((await refusal(guest, 'fetchSystemStatus'))[0]).toBe(403)
})
