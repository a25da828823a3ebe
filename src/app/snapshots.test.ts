import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { freshStorePlace, type StorePlace, testedEngine } from '../../test/store-fixture.ts'
import { readSettings, type Settings, setClock } from '../kit/index.ts'
import { createLog } from '../kit/log.ts'
import type { Store } from '../store/index.ts'
import { openStore } from '../store/owner.ts'
import { latestSnapshotFile, Snapshots, snapshotFolder } from './snapshots.ts'

// Opening and packing whole databases takes a while on a busy machine.

let place: StorePlace
let store: Store
let settings: Settings
let snapshots: Snapshots

beforeEach(async () => {
  place = await freshStorePlace('schema')
  store = await openStore({ databaseUrl: place.databaseUrl ?? undefined, dataDir: place.dataDir })
  settings = readSettings({}, { 'data-dir': place.dataDir, 'snapshots-kept': '2' }).settings
  snapshots = new Snapshots(store, settings, createLog('error', { write: () => {} }))
})
afterEach(async () => {
  await snapshots.close()
  await store.close()
  await place.dispose()
})

const files = () =>
  readdirSync(join(place.dataDir, snapshotFolder)).filter((name) => name !== latestSnapshotFile)
const latest = () =>
  JSON.parse(readFileSync(join(place.dataDir, snapshotFolder, latestSnapshotFile), 'utf8')) as Record<
    string,
    unknown
  >

test.runIf(testedEngine === 'embedded')(
  'the newest few are kept, and nothing half-made',
  { tags: ['marathon'] },
  async () => {
    const taken: string[] = []
    for (const day of [1, 2, 3]) {
      const restore = setClock(() => Date.UTC(2026, 0, day))
      taken.push(await snapshots.take())
      restore()
    }
    expect(files().sort()).toEqual(['vigil-20260102T000000Z.tar.gz', 'vigil-20260103T000000Z.tar.gz'])
    expect(latest()).toMatchObject({ file: taken[2], reason: null })
  },
)

test.runIf(testedEngine === 'embedded')('the schedule takes one when the newest is too old', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let ageMs = 0
  const restore = setClock(() => Date.now() + ageMs)
  try {
    snapshots.schedule()
    vi.advanceTimersByTime(60_000)
    expect(existsSync(join(place.dataDir, snapshotFolder))).toBe(false)
    ageMs = 25 * 3_600_000
    vi.advanceTimersByTime(60_000)
    await expect.poll(() => (existsSync(join(place.dataDir, snapshotFolder)) ? files().length : 0)).toBe(1)
    await snapshots.close()
  } finally {
    vi.useRealTimers()
    restore()
  }
})

test.runIf(testedEngine === 'embedded')(
  'those who ask at the same time get the same one',
  { tags: ['marathon'] },
  async () => {
    const [one, two] = await Promise.all([snapshots.take(), snapshots.take()])
    expect(one).toBe(two)
    expect(files()).toHaveLength(1)
    expect(await snapshots.take()).not.toBe(one)
  },
)

test.runIf(testedEngine === 'embedded')('a migration of an existing store is preceded by one', async () => {
  await store.pool.query(`INSERT INTO migrations VALUES ('0000-earlier', false, 0)`)
  await store.pool.query(`DELETE FROM migrations WHERE name <> '0000-earlier'`)
  await store.close()
  const pendingOf: string[][] = []
  const opening = openStore({
    databaseUrl: undefined,
    dataDir: place.dataDir,
    async beforeMigrations(unchanged, pending) {
      pendingOf.push([...pending])
      await new Snapshots(unchanged, settings, createLog('error', { write: () => {} })).take()
    },
  })
  // The tables are there already, so this migration cannot succeed: the snapshot was worth taking.
  await expect(opening).rejects.toThrow(/already exists/)
  expect(pendingOf[0]?.[0]).toBe('0001-baseline')
  expect(files()).toHaveLength(1)
  expect(existsSync(join(place.dataDir, 'vigil.lock'))).toBe(false)
})

test.runIf(testedEngine === 'postgres')('a PostgreSQL server has its own backups', async () => {
  await expect(snapshots.take()).rejects.toMatchObject({ code: 'NO_EMBEDDED_STORE' })
})
