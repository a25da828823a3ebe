import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  joinPerson,
  signUpPerson,
  startTestServer,
  type TestPerson,
  type TestServer,
} from '../../test/harness.ts'
import { changeStreams, changesPath, errorCodeHeader, readServerEvents } from '../contract/index.ts'

let server: TestServer
let admin: TestPerson
let guest: TestPerson
const opened: Listener[] = []

beforeAll(async () => {
  server = await startTestServer()
  admin = await signUpPerson(server, 'admin@example.org')
  guest = await joinPerson(server, admin, 'guest@example.org', 'GUEST')
})
afterAll(async () => {
  for (const listener of opened) listener.leave()
  await server.close()
})

interface Listener {
  /** Topics heard so far; `ready` first, `end` once the server ended the stream. */
  readonly heard: string[]
  leave(): void
}

/** Opens the stream of changes as a person, and waits until changes are watched. */
async function listen(person: TestPerson): Promise<Listener> {
  const leaving = new AbortController()
  const answer = await fetch(server.baseUrl + changesPath, {
    headers: { 'access-token': person.accessToken },
    signal: leaving.signal,
  })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  const heard: string[] = []
  const follow = async (): Promise<void> => {
    for await (const { name, data } of readServerEvents(answer.body!)) {
      if (name === 'ready') heard.push('ready')
      if (name === 'changed') heard.push(...(JSON.parse(data) as { topics: string[] }).topics)
    }
    heard.push('end')
  }
  follow().catch((error: unknown) => {
    if (!leaving.signal.aborted) throw error
  })
  await expect.poll(() => heard).toContain('ready')
  const listener = { heard, leave: () => leaving.abort() }
  opened.push(listener)
  return listener
}

/** Imports one request into a collection. */
async function importRequest(apiCollectionId: number): Promise<void> {
  await server.client.call('importTraffic', {
    content: 'curl http://shop.example.org/carts',
    apiCollectionId,
  })
}

async function createCollection(collectionName: string): Promise<number> {
  const { apiCollections } = await server.client.call('createCollection', { collectionName })
  return apiCollections[0]!.id
}

test('people hear what changes in the collections they were granted, and nothing of others', async () => {
  const shown = await createCollection('shown')
  const hidden = await createCollection('hidden')
  const { users } = (await (await admin.call('getTeamData')).json()) as {
    users: { id: number; login: string }[]
  }
  const { id } = users.find(({ login }) => login === 'guest@example.org')!
  await admin.call('updateUserCollections', { userCollectionMap: { [id]: [shown] } })
  const all = await listen(admin)
  const some = await listen(guest)
  await importRequest(hidden)
  await expect.poll(() => all.heard).toContain('inventory')
  expect(some.heard).toEqual(['ready'])
  await importRequest(shown)
  await expect.poll(() => some.heard).toContain('inventory')
})

test('the stream ends with the rights of the caller', async () => {
  const leaver = await joinPerson(server, admin, 'leaver@example.org', 'GUEST')
  const stream = await listen(leaver)
  await admin.call('removeUser', { email: 'leaver@example.org' })
  await expect.poll(() => stream.heard).toContain('end')
})

test('an account has a bounded number of streams, and gets a new one for each that it ends', async () => {
  const busy = await joinPerson(server, admin, 'busy@example.org', 'GUEST')
  const streams = await Promise.all(Array.from({ length: changeStreams.ofAccount }, () => listen(busy)))
  const next = () => fetch(server.baseUrl + changesPath, { headers: { 'access-token': busy.accessToken } })
  const refused = await next()
  expect([refused.status, refused.headers.get(errorCodeHeader)]).toEqual([429, 'TOO_MANY_REQUESTS'])
  await refused.arrayBuffer()
  streams[0]!.leave()
  const statusOfNext = async (): Promise<number> => {
    const answer = await next()
    await answer.body?.cancel()
    return answer.status
  }
  await expect.poll(statusOfNext).toBe(200)
})

test('a server that stops ends its streams', async () => {
  const other = await startTestServer()
  const answer = await fetch(other.baseUrl + changesPath, {
    headers: { 'x-api-key': other.settings.apiKey! },
  })
  const began = performance.now()
  await Promise.all([answer.text(), other.stop(20_000)])
  expect(performance.now() - began).toBeLessThan(15_000)
  await other.close()
})
