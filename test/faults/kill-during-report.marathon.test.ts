import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Store } from '../../src/store/index.ts'
import { openStore } from '../../src/store/owner.ts'
import { endExecution } from '../../src/testing/records/index.ts'
import { type ServerProcess, startServerProcess } from '../server-process.ts'
import { freshStorePlace, type StorePlace } from '../store-fixture.ts'
import { pairOf, report, startedRun } from '../test-results.ts'

const KEY = 'reportsreportsreportsreportsreportsrepor'
/** So many that drawing them takes longer than finding out that it began. */
const FINDINGS = 1_000
const COLLECTION = 1_700_000_001

/** Works on the store while no process has it. */
async function withStore<T>(place: StorePlace, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ databaseUrl: place.databaseUrl ?? undefined, dataDir: place.dataDir })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

async function seedExecution(store: Store): Promise<string> {
  await store.pool.query(
    `INSERT INTO collections (id, name, kind, created_at) VALUES ($1, 'shop', 'MANUAL', 1)`,
    [COLLECTION],
  )
  const { summaryId } = await startedRun(store, { collectionIds: [COLLECTION], name: 'nightly' })
  const pairs = Array.from({ length: FINDINGS }, (_none, at) =>
    pairOf({ collectionId: COLLECTION, url: `https://shop.test/rest/${at}`, testId: `TEST_${at % 7}` }),
  )
  await report(store, summaryId, pairs)
  await endExecution(store, summaryId, { state: 'COMPLETED' })
  return summaryId
}

function startOn(place: StorePlace): Promise<ServerProcess> {
  return startServerProcess(place.dataDir, 0, KEY, new AbortController().signal, [
    '--log-level',
    'error',
    ...(place.databaseUrl === null ? [] : ['--database-url', place.databaseUrl]),
  ])
}

test('a report whose process is killed while it is drawn is made by the next', async () => {
  const place = await freshStorePlace()
  let server: ServerProcess | null = null
  try {
    const summaryId = await withStore(place, seedExecution)
    server = await startOn(place)
    const asked = await server.installation.call('generateReportPDF', {
      reportFilterList: { testingRunResultSummaryId: [summaryId] },
    })
    const reportId = String(asked['generatedReportId'])
    await pause(600)
    server.process.kill('SIGKILL')
    await server.ended
    const [left] = await withStore(place, async (store) => {
      const { rows } = await store.pool.query<{ status: string }>(
        // As if ten seconds had passed, after which its process counts as dead.
        `UPDATE report_definitions SET seen_at = 0 WHERE id = $1 RETURNING status`,
        [reportId],
      )
      return rows
    })
    expect(left, 'it was killed in the midst of it').toEqual({ status: 'IN_PROGRESS' })
    server = await startOn(place)
    const { installation } = server
    await expect
      .poll(async () => (await installation.call('downloadReportPDF', { reportId }))['status'], {
        timeout: 180_000,
        interval: 250,
      })
      .toBe('COMPLETED')
    const { pdf } = await installation.call('downloadReportPDF', { reportId })
    const bytes = Buffer.from(String(pdf), 'base64').toString('latin1')
    expect(bytes).toMatch(/^%PDF-/)
    expect(bytes.trimEnd()).toMatch(/%%EOF$/)
  } finally {
    await server?.stop()
    await place.dispose()
  }
})
