import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import S3rver from 's3rver'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestStore } from '../../../test/store-fixture.ts'
import type { Exchange } from '../../http/index.ts'
import { readSettings, type Settings } from '../../kit/index.ts'
import { createLog } from '../../kit/log.ts'
import { makePartitions, partitionedTables, usingTransaction } from '../../store/index.ts'
import { deleteAllEvents, eventId, storeEvents } from '../../threat/index.ts'
import { Retention } from '../retention.ts'
import { ThreatMaintenance } from '../threat/threat-maintenance.ts'
import { type ArchivePlace, openArchivePlace } from './archive-place.ts'
import { listArchives, noteAuditSpans } from './archive-records.ts'
import { readArchive } from './read-archive.ts'
import { restoreArchive } from './restore-archive.ts'
import { writeArchives } from './write-archives.ts'

const DAY = 86_400
const NOW = Math.floor(Date.now() / 1000)
const LONG_AGO = NOW - 500 * DAY

let opened: Awaited<ReturnType<typeof openTestStore>>
let folder: string
const ask = async <Row>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await opened.store.pool.query(sql, values)).rows as Row[]

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-archive-'))
  opened = await openTestStore()
  await ask(`INSERT INTO collections (id, name, kind, created_at) VALUES (1, 'shop', 'MANUAL', 1)`)
})
afterAll(async () => {
  await opened.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  await deleteAllEvents(opened.store)
  await ask('DELETE FROM archives; DELETE FROM audit_log')
  await makePartitions(opened.store, partitionedTables.events, LONG_AGO)
})

const exchange = (target: string, at: number): Exchange => ({
  request: { method: 'GET', target, version: 'HTTP/1.1', headers: ['host', 'shop.test'], body: '' },
  response: { status: 200, reason: 'OK', headers: [], body: '{"käse":1}' },
  ...{ at, clientIp: '203.0.113.9', serverIp: '', source: 'MIRRORING', direction: 1, vxlanId: 0 },
})

/** Stores an attack as the detection does. */
const attack = (name: string, detectedAt: number) =>
  usingTransaction(opened.store.pool, async (client) => {
    const id = eventId(name, 'SQLInjection', '')
    await storeEvents(
      client,
      [
        {
          ...{ id, refId: id, filterId: 'SQLInjection', category: 'SQL_INJECTION' },
          ...{ subCategory: 'SQL_INJECTION', severity: 'HIGH', type: 'Rule-Based', eventType: 'SINGLE' },
          ...{ label: 'threat', status: 'ACTIVE', isSuccessfulExploit: false, actor: '203.0.113.9' },
          ...{ ip: '203.0.113.9', country: 'NZ', destCountry: '', collectionId: 1, host: 'shop.test' },
          ...{ method: 'GET', url: `https://shop.test/${name}`, detectedAt },
          messages: [{ exchange: exchange(`/${name}?q=1`, detectedAt), evidence: [] }],
        },
      ],
      NOW,
    )
  })

const note = (at: number, action: string) =>
  ask(
    `INSERT INTO audit_log (at, user_id, login, via, ip, action, outcome, request)
     VALUES ($1, 1, 'owner@example.org', 'SESSION', '', $2, 'OK', '{"a": "ü"}')`,
    [at, action],
  )

/** The product's own purges, as they follow each other every hour. */
async function purge(settings: Settings): Promise<void> {
  const log = createLog('error')
  const [retention, threats] = [
    new Retention(opened.store, settings, log),
    new ThreatMaintenance(opened.store, settings, log),
  ]
  await threats.purge()
  await retention.purge()
  await threats.purge()
  await Promise.all([retention.close(), threats.close()])
}

async function linesOf(settings: Settings, id: number): Promise<Record<string, unknown>[]> {
  const lines: string[] = []
  for await (const part of readArchive(opened.store, openArchivePlace(settings)!, id)) lines.push(...part)
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

const settingsWith = (flags: Record<string, string>): Settings =>
  readSettings({}, { 'data-dir': folder, 'audit-days': '400', ...flags }).settings

test('events of threats go to a bucket with what they say and their messages, and are read there', async () => {
  await attack('old', LONG_AGO)
  await attack('older', LONG_AGO - 1)
  await attack('new', NOW)
  const server = new S3rver({
    ...{ address: '127.0.0.1', port: 0, silent: true, directory: join(folder, 'buckets') },
    configureBuckets: [{ name: 'kept', configs: [] }],
  })
  const { port } = await server.run()
  try {
    const settings = settingsWith({
      'archive-url': 's3://kept/vigil',
      'archive-endpoint': `http://127.0.0.1:${port}`,
      'archive-access-key-id': 'S3RVER',
      'archive-secret-key': 'S3RVER',
    })
    await purge(settings)
    expect(await ask('SELECT url FROM threat_events')).toEqual([{ url: 'https://shop.test/new' }])
    expect(await ask('SELECT FROM leaving_events')).toEqual([])
    const records = await listArchives(opened.store)
    expect(records.every(({ table, state }) => table === 'threat_events' && state === 'ARCHIVED')).toBe(true)
    const events = (await Promise.all(records.map(({ id }) => linesOf(settings, id)))).flat()
    expect(events.map(({ detected_at }) => detected_at).sort()).toEqual([LONG_AGO - 1, LONG_AGO])
    const old = events.find(({ detected_at }) => detected_at === LONG_AGO)
    expect(old).toMatchObject({
      ...{ url: 'https://shop.test/old', actor: '203.0.113.9', country: 'NZ', method: 'GET' },
      ...{ host: 'shop.test', filter_id: 'SQLInjection', severity: 'HIGH', status: 'ACTIVE' },
      messages: [{ at: LONG_AGO, message: expect.stringContaining('/old?q=1') }],
    })
    const [record] = records
    const restored = restoreArchive(opened.store, openArchivePlace(settings)!, { id: record!.id, days: 7 })
    await expect(restored).rejects.toMatchObject({
      details: { reason: expect.stringContaining(`vigil archive read ${record!.id}`) },
    })
  } finally {
    await server.close()
  }
})

test('events wait with their figures until the archive has them', async () => {
  await attack('old', LONG_AGO)
  const settings = settingsWith({ 'archive-url': pathToFileURL(join(folder, 'events')).href })
  const threats = new ThreatMaintenance(opened.store, settings, createLog('error'))
  await threats.purge()
  await threats.purge()
  expect(await ask('SELECT FROM threat_messages')).toHaveLength(1)
  expect(await ask('SELECT events FROM threat_actors WHERE events > 0')).toEqual([{ events: 1 }])
  await purge(settings)
  expect(await ask('SELECT FROM threat_messages')).toEqual([])
  expect(await ask('SELECT events FROM threat_actors WHERE events > 0')).toEqual([])
  await threats.close()
})

test('deleting every event also removes those that wait for the archive', async () => {
  await attack('old', LONG_AGO)
  const settings = settingsWith({ 'archive-url': pathToFileURL(join(folder, 'events')).href })
  const threats = new ThreatMaintenance(opened.store, settings, createLog('error'))
  await threats.purge()
  expect(await listArchives(opened.store)).toMatchObject([{ state: 'DETACHED' }])
  await deleteAllEvents(opened.store)
  await purge(settings)
  expect(await listArchives(opened.store)).toEqual([])
  await threats.close()
})

test('the audit log goes to the archive month by month, and no entry is deleted before', async () => {
  await note(LONG_AGO, 'createCollection')
  await note(LONG_AGO + 1, 'deleteCollection')
  await note(NOW, 'login')
  const settings = settingsWith({ 'archive-url': pathToFileURL(join(folder, 'audit')).href })
  await purge(settings)
  expect(await ask('SELECT action FROM audit_log')).toEqual([{ action: 'login' }])
  const records = await listArchives(opened.store)
  const entries = (await Promise.all(records.map(({ id }) => linesOf(settings, id)))).flat()
  expect(entries.map(({ action }) => action)).toEqual(['createCollection', 'deleteCollection'])
  expect(entries[0]).toMatchObject({ login: 'owner@example.org', outcome: 'OK', request: { a: 'ü' } })
  // It is not written again, and what is too young stays.
  await purge(settings)
  expect(await listArchives(opened.store)).toEqual(records)
})

test('entries of a span that was archived already, as when the clock goes back, get files beside those', async () => {
  const settings = settingsWith({ 'archive-url': pathToFileURL(join(folder, 'audit')).href })
  for (const action of ['createCollection', 'deleteCollection']) {
    await note(LONG_AGO, action)
    await purge(settings)
    expect(await ask('SELECT FROM audit_log')).toEqual([])
  }
  const records = await listArchives(opened.store)
  expect(records).toMatchObject([{ rows: 1 }, { rows: 1 }])
  const entries = (await Promise.all(records.map(({ id }) => linesOf(settings, id)))).flat()
  expect(entries.map(({ action }) => action)).toEqual(['createCollection', 'deleteCollection'])
})

test('an entry written after the files of its span were read is not deleted with what they hold', async () => {
  await note(LONG_AGO, 'createCollection')
  const settings = settingsWith({ 'archive-url': pathToFileURL(join(folder, 'audit')).href })
  const place = openArchivePlace(settings)!
  const slow: ArchivePlace = {
    ...place,
    write: async (name, bytes) => {
      if (name.endsWith('manifest.json')) await note(LONG_AGO, 'deleteCollection')
      await place.write(name, bytes)
    },
  }
  await noteAuditSpans(opened.store.pool, NOW - 400 * DAY)
  await writeArchives(opened.store, slow, () => true)
  expect(await ask('SELECT action FROM audit_log')).toEqual([{ action: 'deleteCollection' }])
})

test('entries that wait for the archive stay while no archive is set', async () => {
  await note(LONG_AGO, 'createCollection')
  const place = join(folder, 'away')
  const settings = settingsWith({ 'archive-url': pathToFileURL(place).href })
  writeFileSync(place, 'not a folder')
  await expect(purge(settings)).rejects.toThrow('ARCHIVE_FAILED')
  const { from } = (await listArchives(opened.store))[0]!
  await note(from - 1, 'login')
  await expect(purge(settingsWith({}))).rejects.toMatchObject({
    details: { reason: 'VIGIL_ARCHIVE_URL is not set, and 1 partitions wait for it' },
  })
  expect(await ask('SELECT action FROM audit_log')).toEqual([{ action: 'createCollection' }])
  rmSync(place)
  await purge(settings)
  expect(await listArchives(opened.store)).toMatchObject([{ state: 'ARCHIVED', rows: 1 }])
  expect(await ask('SELECT FROM audit_log')).toEqual([])
})

test('without an archive the audit log is deleted', async () => {
  await note(LONG_AGO, 'createCollection')
  await purge(settingsWith({}))
  expect(await ask('SELECT FROM audit_log')).toEqual([])
  expect(await listArchives(opened.store)).toEqual([])
})
