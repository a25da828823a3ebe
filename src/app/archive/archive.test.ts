import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import S3rver from 's3rver'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestStore, testedEngine } from '../../../test/store-fixture.ts'
import { createSealer, newInstanceKey, readSettings } from '../../kit/index.ts'
import { makePartitions, partitionedTables } from '../../store/index.ts'
import { keepPartitions } from '../partition-retention.ts'
import { type ArchivePlace, openArchivePlace } from './archive-place.ts'
import { listArchives } from './archive-records.ts'
import { restoreArchive } from './restore-archive.ts'
import { writeArchives } from './write-archives.ts'

const DAY = 86_400
const now = Math.floor(Date.now() / 1_000)
const long = now - 150 * DAY
const summaryId = `${long.toString(16)}aaaaaaaaaaaaaaaa`
const sealer = createSealer(newInstanceKey())
const sealed = sealer.seal('Bearer secret', 'evidence:x')

let opened: Awaited<ReturnType<typeof openTestStore>>
let folder: string
const ask = async <Row>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await opened.store.pool.query(sql, values)).rows as Row[]
const settingsWith = (flags: Record<string, string>) =>
  readSettings({}, { 'result-days': '60', 'request-log-days': '60', ...flags }).settings
const inFolder = () => openArchivePlace(settingsWith({ 'archive-url': pathToFileURL(folder).href }))!
const detach = () =>
  keepPartitions({ store: opened.store, days: settingsWith({}), isArchived: true, mayGoOn: () => true })

beforeAll(async () => {
  opened = await openTestStore()
  await ask(
    `INSERT INTO run_configurations (id, test_ids, write_level) VALUES (1, '{A}', 'READ_ONLY');
     INSERT INTO test_runs (id, state, user_login, source, scheduled_at, config_id, target_type, collection_ids, created_at)
     VALUES ('run', 'COMPLETED', 'someone', 'DASHBOARD', 1, 1, 'COLLECTION_WISE', '{1}', 1);
     INSERT INTO collections (id, name, kind, created_at) VALUES (1, 'tested', 'MANUAL', 1)`,
  )
})
afterAll(() => opened.close())
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-archive-'))
  for (const parent of Object.values(partitionedTables)) await makePartitions(opened.store, parent, long)
  await ask(
    `INSERT INTO run_summaries (id, run_id, state, config_id, started_at, created_at) VALUES ($1, 'run', 'COMPLETED', 1, $2, $2)`,
    [summaryId, long],
  )
  await ask(
    `INSERT INTO run_results (id, run_id, summary_id, test_id, collection_id, method, url, category, outcome, selection,
       severity, explanation, errors, percentage_match, started_at, ended_at)
     SELECT left($1, 8) || lpad(n::text, 16, '0'), 'run', $1, 'A', 1, 'GET', '/' || n, 'C', 'SECURE', 'SECURED', 'HIGH',
       E'a "line"\\nand \\\\ ünïcode', '{"one, two","three"}', 0.1, $2, $2 FROM generate_series(1, 450) n`,
    [summaryId, long],
  )
  await ask(
    `INSERT INTO result_evidence (result_id, evidence, sealed_secrets) SELECT id, '{"url":"' || url || '"}', $1 FROM run_results`,
    [sealed],
  )
  await ask(
    `INSERT INTO outgoing_requests (sent_at, purpose, method, host, url)
     SELECT $1, 'test', 'GET', 'a.test', '/' FROM generate_series(1, 3)`,
    [long],
  )
})
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true })
  for (const { partition, state } of await listArchives(opened.store))
    if (state === 'DETACHED') await ask(`DROP TABLE ${partition}`)
  await ask(
    'DELETE FROM archives; DELETE FROM issues; DELETE FROM run_summaries; DELETE FROM outgoing_requests',
  )
})

const rowsOf = (): Promise<unknown[]> =>
  ask(
    `SELECT r.*, v.evidence, v.sealed_secrets FROM run_results r JOIN result_evidence v ON v.result_id = r.id ORDER BY r.id`,
  )

/** Archives everything, brings it back, and compares it with what it was. */
async function goesAndReturns(place: ArchivePlace): Promise<void> {
  const before = await rowsOf()
  expect(before).toHaveLength(450)
  expect(await detach()).toEqual({ run_results: 450, result_evidence: 450, outgoing_requests: 3 })
  const written = await writeArchives(opened.store, place, () => true)
  expect(written.map(({ table, rows }) => [table, rows]).sort()).toEqual([
    ['outgoing_requests', 3],
    ['result_evidence', 450],
    ['run_results', 450],
  ])
  expect(await rowsOf()).toEqual([])
  const gone = await ask(`SELECT FROM pg_class WHERE relname = ANY ($1)`, [
    written.map(({ partition }) => partition),
  ])
  expect(gone).toEqual([])
  for (const { id, table } of await listArchives(opened.store)) {
    const { rows } = await restoreArchive(opened.store, place, { id, days: 7 })
    expect(rows).toBe(table === 'outgoing_requests' ? 3 : 450)
  }
  expect(await rowsOf()).toEqual(before)
}

test('rows go to a folder and come back as they were; sealed secrets stay sealed', async () => {
  const place = inFolder()
  await goesAndReturns(place)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const [part] = files.filter((name) => name.startsWith('result_evidence') && name.endsWith('.gz'))
  const text = gunzipSync(readFileSync(join(folder, part!))).toString()
  expect(text).toContain(sealed)
  expect(text).not.toContain('Bearer secret')
  expect(sealer.open(JSON.parse(text.split('\n')[0]!).sealed_secrets, 'evidence:x')).toBe('Bearer secret')
  expect(files.filter((name) => name.endsWith('manifest.json'))).toHaveLength(3)

  // For the days asked for they are kept; then they go again, and their files are still known.
  expect(await detach()).toEqual({})
  await ask('UPDATE archives SET restored_until = 1')
  expect(await detach()).toEqual({ run_results: 450, result_evidence: 450, outgoing_requests: 3 })
  expect((await listArchives(opened.store)).map(({ state }) => state)).toEqual(Array(3).fill('ARCHIVED'))
})

test('rows go to a bucket with the S3 interface and come back as they were', async () => {
  const server = new S3rver({
    ...{ address: '127.0.0.1', port: 0, silent: true, directory: folder },
    configureBuckets: [{ name: 'kept', configs: [] }],
  })
  const { port } = await server.run()
  try {
    const bucketWith = (keyId: string) =>
      openArchivePlace(
        settingsWith({
          'archive-url': 's3://kept/vigil',
          'archive-endpoint': `http://127.0.0.1:${port}`,
          'archive-access-key-id': keyId,
          'archive-secret-key': 'S3RVER',
        }),
      )!
    // This server knows keys, and does not check Signature Version 4.
    await expect(bucketWith('unknown').write('a', Buffer.from('b'))).rejects.toMatchObject({
      details: { reason: expect.stringContaining('InvalidAccessKeyId') },
    })
    await goesAndReturns(bucketWith('S3RVER'))
  } finally {
    await server.close()
  }
})

/** As when the clock goes back: partitions of old times are made, and get rows. */
async function writeLongAgo(rows: number): Promise<void> {
  await makePartitions(opened.store, partitionedTables.outgoingRequests, long)
  await ask(
    `INSERT INTO outgoing_requests (sent_at, purpose, method, host, url)
     SELECT $1, 'test', 'GET', 'a.test', '/again' FROM generate_series(1, $2::integer)`,
    [long, rows],
  )
}

test('a partition of times that are archived already is archived as well', async () => {
  const place = inFolder()
  await detach()
  await writeArchives(opened.store, place, () => true)
  await writeLongAgo(2)
  expect(await detach()).toEqual({ outgoing_requests: 2 })
  const [second] = await writeArchives(opened.store, place, () => true)
  expect(second).toMatchObject({ table: 'outgoing_requests', rows: 2 })
  const both = (await listArchives(opened.store)).filter(({ table }) => table === 'outgoing_requests')
  expect(both.map(({ rows }) => rows)).toEqual([3, 2])
  const [, { id: secondId }] = both as [unknown, { id: number }]
  await restoreArchive(opened.store, place, { id: both[0]!.id, days: 7 })
  // One of them at a time.
  await expect(restoreArchive(opened.store, place, { id: secondId, days: 7 })).rejects.toMatchObject({
    details: { reason: expect.stringContaining('with the same times') },
  })
  await ask('UPDATE archives SET restored_until = 1')
  await detach()
  expect((await restoreArchive(opened.store, place, { id: secondId, days: 7 })).rows).toBe(2)
})

test('a partition that waits for its archive stays while there is another of its times', async () => {
  await detach()
  await writeLongAgo(2)
  await detach()
  const written = await writeArchives(opened.store, inFolder(), () => true)
  const requests = written.filter(({ table }) => table === 'outgoing_requests')
  expect(requests.map(({ rows }) => rows).sort()).toEqual([2, 3])
})

test('a process that ends in the middle is continued, and writes no file twice', async () => {
  await detach()
  const place = inFolder()
  const names: string[] = []
  const noted: ArchivePlace = {
    ...place,
    write: (name, bytes) => {
      names.push(name)
      return place.write(name, bytes)
    },
  }
  // It may not go on after the first file, and then dies between two.
  let files = 0
  expect(await writeArchives(opened.store, noted, () => files++ < 1)).toEqual([])
  const dying: ArchivePlace = { ...noted, read: () => Promise.reject(new Error('killed')) }
  await expect(writeArchives(opened.store, dying, () => true)).rejects.toThrow('killed')
  expect(await ask('SELECT FROM archives')).toHaveLength(3)
  await writeArchives(opened.store, noted, () => true)
  expect((await listArchives(opened.store)).map(({ state, rows }) => [state, rows]).sort()).toEqual([
    ['ARCHIVED', 3],
    ['ARCHIVED', 450],
    ['ARCHIVED', 450],
  ])
  // Only the file that was not read back is written again.
  const twice = names.filter((name, i) => names.indexOf(name) !== i)
  expect(twice).toHaveLength(1)
})

test('a file that is not as it was written keeps the partition, and is not restored', async () => {
  await detach()
  const place = inFolder()
  const forgetful: ArchivePlace = {
    ...place,
    write: (name, bytes) => place.write(name, bytes.subarray(0, bytes.length - 1)),
  }
  await expect(writeArchives(opened.store, forgetful, () => true)).rejects.toThrow('ARCHIVE_FAILED')
  const [first] = await listArchives(opened.store)
  expect(await ask(`SELECT FROM ${first!.partition}`)).not.toEqual([])

  await writeArchives(opened.store, place, () => true)
  const results = (await listArchives(opened.store)).find(({ table }) => table === 'run_results')!
  writeFileSync(join(folder, results.parts[0]!.name), 'other')
  const restored = restoreArchive(opened.store, place, { id: results.id, days: 7 })
  await expect(restored).rejects.toThrow('ARCHIVE_FAILED')
  expect(await rowsOf()).toEqual([])
})

test('results of executions that were deleted meanwhile do not come back', async () => {
  await detach()
  const place = inFolder()
  await writeArchives(opened.store, place, () => true)
  await ask('DELETE FROM run_summaries')
  const { id } = (await listArchives(opened.store)).find(({ table }) => table === 'run_results')!
  expect((await restoreArchive(opened.store, place, { id, days: 7 })).rows).toBe(0)
  await expect(restoreArchive(opened.store, place, { id, days: 7 })).rejects.toThrow('NO_SUCH_ARCHIVE')
})

test('a month of which rows stayed is restored with them', async () => {
  const before = await rowsOf()
  await ask(
    `INSERT INTO issues (fingerprint, test_id, category, source, collection_id, method, url, severity, status,
       created_at, last_seen, last_tested, last_updated, result_id)
     SELECT 'f' || id, 'A', 'C', 'AUTOMATED_TESTING', 1, 'GET', url, 'HIGH', 'OPEN', 1, 1, 1, 1, id
     FROM run_results ORDER BY id LIMIT 2`,
  )
  const place = inFolder()
  expect(await detach()).toEqual({ run_results: 448, result_evidence: 448, outgoing_requests: 3 })
  await writeArchives(opened.store, place, () => true)
  expect(await rowsOf()).toEqual(before.slice(0, 2))
  for (const { id, table } of await listArchives(opened.store))
    expect((await restoreArchive(opened.store, place, { id, days: 7 })).rows).toBe(
      table === 'outgoing_requests' ? 3 : 450,
    )
  expect(await rowsOf()).toEqual(before)
})

test('what stayed once is in the archive as well, and can be brought back after it was removed', async () => {
  const before = await rowsOf()
  await ask(
    `INSERT INTO issues (fingerprint, test_id, category, source, collection_id, method, url, severity, status,
       created_at, last_seen, last_tested, last_updated, result_id)
     SELECT 'f', 'A', 'C', 'AUTOMATED_TESTING', 1, 'GET', url, 'HIGH', 'OPEN', 1, 1, 1, 1, id
     FROM run_results ORDER BY id LIMIT 1`,
  )
  const place = inFolder()
  await detach()
  await writeArchives(opened.store, place, () => true)
  await ask('DELETE FROM issues')
  expect(await detach()).toEqual({ run_results: 1, result_evidence: 1 })
  for (const { id } of await listArchives(opened.store))
    await restoreArchive(opened.store, place, { id, days: 7 })
  expect(await rowsOf()).toEqual(before)
})

test('evidence stays while results of its time are restored for longer', async () => {
  const before = await rowsOf()
  const place = inFolder()
  await detach()
  await writeArchives(opened.store, place, () => true)
  for (const { id } of await listArchives(opened.store))
    await restoreArchive(opened.store, place, { id, days: 7 })
  await ask(`UPDATE archives SET restored_until = 1 WHERE table_name = 'result_evidence'`)
  expect(await detach()).toEqual({})
  expect(await ask('SELECT FROM result_evidence_other')).toEqual([])
  expect(await rowsOf()).toEqual(before)
})

test('of two restorations of one partition at once one does it, and the other is refused', async () => {
  const before = await rowsOf()
  const place = inFolder()
  await detach()
  await writeArchives(opened.store, place, () => true)
  for (const { id } of await listArchives(opened.store)) {
    const both = [7, 8].map((days) => restoreArchive(opened.store, place, { id, days }))
    const states = (await Promise.allSettled(both)).map(({ status }) => status)
    expect(states.sort()).toEqual(['fulfilled', 'rejected'])
  }
  expect(await rowsOf()).toEqual(before)
})

// Transactions of the embedded store take turns.
test.runIf(testedEngine === 'postgres')('a partition that is being restored is not touched', async () => {
  const before = await rowsOf()
  const place = inFolder()
  await detach()
  await writeArchives(opened.store, place, () => true)
  for (const { id } of await listArchives(opened.store)) {
    const slow: ArchivePlace = {
      ...place,
      read: async (name) => {
        await expect(restoreArchive(opened.store, place, { id, days: 7 })).rejects.toMatchObject({
          details: { reason: `another process is restoring archive ${id}` },
        })
        return place.read(name)
      },
    }
    await restoreArchive(opened.store, slow, { id, days: 7 })
  }
  expect(await rowsOf()).toEqual(before)
})

test('a restored partition that is gone can be restored again', async () => {
  const before = await rowsOf()
  const place = inFolder()
  await detach()
  await writeArchives(opened.store, place, () => true)
  await ask(`UPDATE archives SET state = 'RESTORED', restored_until = 1`)
  await detach()
  for (const { id } of await listArchives(opened.store))
    await restoreArchive(opened.store, place, { id, days: 7 })
  expect(await rowsOf()).toEqual(before)
})

test('a partition that another process archived and restored meanwhile is not dropped', async () => {
  await detach()
  const place = inFolder()
  const slow: ArchivePlace = {
    ...place,
    write: async (name, bytes) => {
      if (name.endsWith('manifest.json')) await ask(`UPDATE archives SET state = 'RESTORED'`)
      await place.write(name, bytes)
    },
  }
  const [first] = await listArchives(opened.store)
  await writeArchives(opened.store, slow, () => true).catch(() => {})
  expect(await ask(`SELECT FROM ${first!.partition}`)).not.toEqual([])
  await ask(`UPDATE archives SET state = 'DETACHED'`)
})

test('files that are in another folder or bucket than before are refused, and both are named', async () => {
  const before = await rowsOf()
  await detach()
  const place = inFolder()
  const other = mkdtempSync(join(tmpdir(), 'vigil-archive-'))
  const elsewhere = openArchivePlace(settingsWith({ 'archive-url': pathToFileURL(other).href }))!
  const names = {
    details: { reason: expect.stringMatching(new RegExp(`${folder}.*VIGIL_ARCHIVE_URL names ${other}`)) },
  }
  // The first file of one partition is there; the others go to the new place.
  let files = 0
  await writeArchives(opened.store, place, () => files++ < 1)
  await expect(writeArchives(opened.store, elsewhere, () => true)).rejects.toMatchObject(names)
  const states = (await listArchives(opened.store)).map(({ state, location }) => [state, location])
  expect(states.sort()).toEqual([
    ['ARCHIVED', other],
    ['ARCHIVED', other],
    ['DETACHED', folder],
  ])
  await writeArchives(opened.store, place, () => true)
  const { id } = (await listArchives(opened.store)).find(({ location }) => location === folder)!
  await expect(restoreArchive(opened.store, elsewhere, { id, days: 7 })).rejects.toMatchObject(names)

  // Files that were moved are read where they are now.
  cpSync(folder, other, { recursive: true })
  for (const record of await listArchives(opened.store))
    await restoreArchive(opened.store, elsewhere, { id: record.id, days: 7 })
  expect(await rowsOf()).toEqual(before)
  rmSync(other, { recursive: true, force: true })
})
