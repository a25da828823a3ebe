import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openStore } from '../../src/store/owner.ts'
import { type CliServer, startCli } from '../cli-process.ts'
import { killPrograms } from '../start-program.ts'
import { freshStorePlace, type StorePlace, testedEngine } from '../store-fixture.ts'

const KEY = 'gonegonegonegonegonegonegonegonegonegone'
const BATCH = 100
const SENDERS = 4
const WORDS = ['shelf', 'box', 'label', 'pallet', 'crate', 'aisle', 'dock', 'truck', 'order', 'route']

let place: StorePlace
afterEach(async () => {
  await killPrograms()
  await place.dispose()
})

/** Messages to endpoints that nobody has seen, so that every batch writes to many files of the store. */
function batchOf(number: number): unknown {
  const batchData = Array.from({ length: BATCH }, (_, i) => ({
    id: `message ${number} ${i}`,
    method: 'GET',
    path: `/${WORDS[i % 10]}/${WORDS[Math.floor(i / 10)]}`,
    requestHeaders: { host: `stock${number}.example` },
    responseHeaders: { 'content-type': 'application/json' },
    responsePayload: JSON.stringify({ note: 'x'.repeat(500), number, i }),
    statusCode: 200,
    ip: '203.0.113.9',
    time: 1_795_000_000,
    source: 'MIRRORING',
  }))
  return { batchData }
}

/** The status of the answer; null when there is none. */
async function send(server: CliServer, number: number): Promise<number | null> {
  const answer = await fetch(`${server.baseUrl}/api/ingestData`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': KEY },
    body: JSON.stringify(batchOf(number)),
  }).catch(() => null)
  await answer?.arrayBuffer().catch(() => null) // cut by the end of the process
  return answer?.status ?? null
}

test.runIf(testedEngine === 'embedded')(
  'a server whose data folder is deleted acknowledges nothing more, and ends saying what to do',
  { tags: ['marathon'] },
  async () => {
    place = await freshStorePlace()
    const { dataDir } = place
    const server = await startCli(['--data-dir', dataDir, '--api-key', KEY])
    let sent = 0
    let acknowledged = 0
    let isRemoved = false
    const late: number[] = []
    const sendOn = async (): Promise<void> => {
      for (;;) {
        const wasRemoved = isRemoved
        const status = await send(server, sent++)
        if (status === null) return
        if (status !== 200) continue
        acknowledged++
        if (wasRemoved) late.push(status)
      }
    }
    const senders = Array.from({ length: SENDERS }, () => sendOn())
    await expect.poll(() => acknowledged).toBeGreaterThan(2 * SENDERS)
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 })
    isRemoved = true
    await Promise.all(senders)
    expect(late).toEqual([])
    const { code, stderr } = await server.ended
    expect(code).toBe(1)
    expect(stderr).toContain(
      `The data folder ${dataDir} was deleted, moved or replaced while Vigil was running`,
    )
    expect(stderr).toContain('restore a backup')
    expect(stderr.match(/"event":"part.died","part":"store"/g)).toHaveLength(1)
    expect(existsSync(join(dataDir, 'database', 'PG_VERSION')), 'an empty store in its place').toBe(false)
  },
)

test.runIf(testedEngine === 'embedded')(
  'a store whose data folder is replaced by a copy answers nothing more',
  async () => {
    place = await freshStorePlace()
    const { dataDir } = place
    let died: (error: Error) => void = () => {}
    const death = new Promise<Error>((resolve) => {
      died = resolve
    })
    const store = await openStore({ databaseUrl: undefined, dataDir, onDeath: (error) => died(error) })
    await store.pool.query('CREATE TABLE kept (n integer)')
    renameSync(dataDir, `${dataDir}-moved`)
    mkdirSync(dataDir)
    cpSync(`${dataDir}-moved`, dataDir, { recursive: true })
    rmSync(`${dataDir}-moved`, { recursive: true })
    await expect(store.pool.query('INSERT INTO kept VALUES (1)')).rejects.toThrow()
    expect(await death).toMatchObject({ code: 'DATA_FOLDER_GONE', details: { folder: dataDir } })
    await store.close()
  },
)
