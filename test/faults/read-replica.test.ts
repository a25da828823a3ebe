import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { MARATHON } from '../../scripts/test-files.ts'
import { Failure } from '../../src/kit/index.ts'
import { openStore, ReadReplica } from '../../src/store/owner.ts'
import { signUpPerson, startTestServer, type TestPerson, type TestServer, testKey } from '../harness.ts'
import { type StorePlace, testedEngine } from '../store-fixture.ts'
import { until } from '../until.ts'
import { PostgresPair } from './schedule/postgres-pair.ts'

let pair: PostgresPair | null = null
const servers: TestServer[] = []
const folders: string[] = []

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()))
  await pair?.stop()
  pair = null
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A server that reads lists from the database at a port. */
async function start(readPort: number, lagSeconds: string): Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'vigil-test-replica-'))
  folders.push(dataDir)
  const place: StorePlace = {
    databaseUrl: `postgres://postgres@127.0.0.1:${pair!.port}/postgres`,
    dataDir,
    dispose: async () => {},
  }
  const server = await startTestServer(
    {
      'database-read-url': `postgres://postgres@127.0.0.1:${readPort}/postgres`,
      'database-read-lag-seconds': lagSeconds,
    },
    place,
  )
  servers.push(server)
  return server
}

async function replicaOf({ client }: TestServer) {
  return (await client.call('fetchSystemStatus', {})).replica!
}

async function isUsable(server: TestServer): Promise<boolean> {
  return (await replicaOf(server)).isUsable
}

async function metric({ baseUrl }: TestServer, name: string): Promise<number> {
  const answer = await fetch(`${baseUrl}/metrics`, { headers: { 'x-api-key': testKey } })
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(await answer.text())?.[1])
}

function createCollection({ client }: TestServer, collectionName: string): Promise<unknown> {
  return client.call('createCollection', { collectionName })
}

async function namesSeenBy(person: TestPerson, { baseUrl }: TestServer): Promise<string[]> {
  const answer = await fetch(`${baseUrl}/api/getAllCollectionsBasic`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'access-token': person.accessToken },
    body: '{}',
  })
  expect(answer.status).toBe(200)
  const { apiCollections } = (await answer.json()) as { apiCollections: { displayName: string }[] }
  return apiCollections.map(({ displayName }) => displayName)
}

async function namesSeenByKey({ client }: TestServer): Promise<string[]> {
  const { apiCollections } = await client.call('getAllCollectionsBasic', {})
  return apiCollections.map(({ displayName }) => displayName)
}

test.runIf(testedEngine === 'postgres')(
  'lists are read from a standby that is close, what a caller wrote from the primary, and all of it when the standby is lost',
  { tags: [MARATHON], timeout: 240_000 },
  async () => {
    pair = await PostgresPair.start({ isSynchronous: false })
    const patient = await start(pair!.standbyPort, '300')
    const strict = await start(pair!.standbyPort, '2')
    const person = await signUpPerson(patient, 'admin@example.org')
    for (const server of servers) await until('the standby is used', () => isUsable(server))

    await createCollection(patient, 'before')
    await until('the standby has it', async () => (await namesSeenBy(person, patient)).includes('before'))
    const before = await replicaOf(patient)
    await namesSeenBy(person, patient)
    expect((await replicaOf(patient)).reads).toBeGreaterThan(before.reads)

    // Nothing reaches readers of the standby from here on.
    await pair!.query('SELECT pg_wal_replay_pause()', 'postgres', pair!.standbyPort)
    await createCollection(patient, 'paused')
    expect(await namesSeenByKey(patient), 'who wrote it').toContain('paused')
    expect(await namesSeenByKey(strict), 'who wrote it, by another process').toContain('paused')
    expect(await namesSeenBy(person, patient), 'another session reads the standby').not.toContain('paused')

    await until('the lag is beyond the bound', async () => !(await isUsable(strict)))
    expect(await namesSeenBy(person, strict), 'then it reads the primary').toContain('paused')
    expect(await metric(strict, 'vigil_replica_usable')).toBe(0)
    expect(await metric(strict, 'vigil_replica_lag_seconds')).toBeGreaterThan(2)
    expect(await metric(patient, 'vigil_replica_usable')).toBe(1)

    await pair!.query('SELECT pg_wal_replay_resume()', 'postgres', pair!.standbyPort)
    await until('the standby is used again', () => isUsable(strict))
    await until('others see it there', async () => (await namesSeenBy(person, patient)).includes('paused'))

    await pair!.loseStandby()
    expect(await namesSeenBy(person, patient), 'a list is answered at once').toContain('paused')
    for (const server of servers)
      await until('the standby is given up', async () => !(await isUsable(server)))
    const { problem, repeated } = await replicaOf(patient)
    expect(problem).toMatch(/connect|connection|terminat|answer/i)
    expect(repeated).toBeLessThan(10)
    expect(await metric(patient, 'vigil_replica_usable')).toBe(0)
    expect(patient.logText()).toContain('"event":"replica.unused"')
  },
)

test.runIf(testedEngine === 'postgres')(
  'a read that fails for its own reasons leaves the standby in use, and other reads under way there',
  async () => {
    pair = await PostgresPair.start({ isSynchronous: false })
    const dataDir = mkdtempSync(join(tmpdir(), 'vigil-test-replica-'))
    folders.push(dataDir)
    const urlAt = (port: number): string => `postgres://postgres@127.0.0.1:${port}/postgres`
    const primary = await openStore({ databaseUrl: urlAt(pair!.port), dataDir, isDurable: false })
    const nothing = (): void => {}
    primary.listen({ quietMs: 600_000, onHeard: nothing, onWrite: nothing, onLost: nothing })
    const unusable: unknown[] = []
    const replica = new ReadReplica(primary, {
      databaseUrl: urlAt(pair!.standbyPort),
      maxLagMs: 300_000,
      statementMs: 1_000,
      onUsable: nothing,
      onUnusable: (error) => unusable.push(error),
    })
    let runs = 0
    const failing = async (error: Error): Promise<number> => {
      runs = 0
      const run = async (): Promise<never> => {
        runs++
        throw error
      }
      await expect(replica.read('key 1', run)).rejects.toBe(error)
      return runs
    }
    try {
      replica.begin()
      await until('the standby is used', () => replica.figures().isUsable && primary.news.quietMs > 0)
      let end: (stores: number) => void = nothing
      let others = 0
      const other = replica.read('key 2', () => {
        others++
        return new Promise<number>((resolve) => {
          end = resolve
        })
      })
      expect(await failing(new Failure('INVALID_FIELD')), 'refused').toBe(1)
      expect(await failing(new Failure('ISSUE_NOT_FOUND')), 'not there yet').toBe(2)
      expect(await failing(new TypeError('x is not a function')), 'a defect').toBe(2)
      runs = 0
      const slow = replica.read('key 1', (store) => {
        runs++
        return store.pool.query('SELECT pg_sleep(30)')
      })
      await expect(slow).rejects.toMatchObject({ code: '57014' })
      expect(runs, 'too slow').toBe(1)
      end(7)
      expect([await other, others, unusable]).toEqual([7, 1, []])
    } finally {
      await replica.close()
      await primary.close()
    }
  },
  120_000,
)

test.runIf(testedEngine === 'postgres')(
  'a database that is not a standby of this one is not read from',
  async () => {
    pair = await PostgresPair.start({ hasStandby: false })
    const server = await start(pair!.port, '300')
    await until('it was looked at', async () => (await replicaOf(server)).problem === 'it is not a standby')
    await createCollection(server, 'shop')
    expect(await namesSeenByKey(server)).toContain('shop')
    expect((await replicaOf(server)).reads).toBe(0)
  },
  120_000,
)
