import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { MARATHON } from '../../scripts/test-files.ts'
import { changesPath, readServerEvents } from '../../src/contract/index.ts'
import { type CliServer, startCli } from '../cli-process.ts'
import { testKey } from '../harness.ts'
import { killPrograms } from '../start-program.ts'
import { freshStorePlace, type StorePlace, testedEngine } from '../store-fixture.ts'
import { until } from '../until.ts'

/** Nobody sees a change by polling within the time of a test. */
const POLL_SECONDS = '3600'
const places: StorePlace[] = []

afterEach(async () => {
  await killPrograms()
  for (const place of places.splice(0).toReversed()) await place.dispose()
})

function start(databaseUrl: string, { dataDir }: StorePlace): Promise<CliServer> {
  const store = ['--database-url', databaseUrl, '--data-dir', dataDir]
  return startCli([...store, '--poll-seconds', POLL_SECONDS, '--api-key', testKey])
}

async function call({ baseUrl }: CliServer, operation: string, body: unknown): Promise<void> {
  const answer = await fetch(`${baseUrl}/api/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': testKey },
    body: JSON.stringify(body),
  })
  expect([answer.status, operation], await answer.text()).toEqual([200, operation])
}

/** Topics that pages of this process hear of. */
async function listen({ baseUrl }: CliServer): Promise<string[]> {
  const heard: string[] = []
  const answer = await fetch(baseUrl + changesPath, { headers: { 'x-api-key': testKey } })
  expect(answer.status).toBe(200)
  const follow = async (): Promise<void> => {
    for await (const { name, data } of readServerEvents(answer.body!))
      heard.push(...(name === 'changed' ? (JSON.parse(data) as { topics: string[] }).topics : [name]))
  }
  follow().catch(() => {}) // the process is killed at the end
  await until('changes are watched', () => heard.includes('ready'))
  return heard
}

/** Makes a change, and prints after how long it is seen. */
async function timed(what: string, change: () => Promise<void>, isSeen: () => boolean): Promise<void> {
  const sinceMs = performance.now()
  await change()
  await until(what, isSeen, { ms: 30_000 })
  console.log(`${what}: after ${Math.round(performance.now() - sinceMs)} ms`)
}

test.runIf(testedEngine === 'postgres')(
  'what one process changes is seen by another that does not poll, also after its connection was cut',
  { tags: [MARATHON], timeout: 240_000 },
  async () => {
    places.push(await freshStorePlace(), await freshStorePlace())
    const databaseUrl = places[0]!.databaseUrl!
    const writer = await start(databaseUrl, places[0]!)
    const hearer = await start(databaseUrl, places[1]!)
    let log = ''
    hearer.process.stderr?.on('data', (data: Buffer) => {
      log += data.toString()
    })
    const countOf = (event: string): number => log.split(`"event":"${event}"`).length - 1
    const heard = await listen(hearer)
    const connections = async (what: string): Promise<unknown[]> => {
      const client = new pg.Client({ connectionString: databaseUrl })
      await client.connect()
      const { rows } = await client.query(
        `SELECT ${what} FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'vigil news' AND state = 'idle'`,
      )
      await client.end()
      return rows
    }
    const createCollection = (collectionName: string) => () =>
      call(writer, 'createCollection', { collectionName })

    // It is ready before its second connection is.
    await until('both listen', async () => (await connections('pid')).length === 2)
    await timed('a collection', createCollection('one'), () => heard.includes('inventory'))
    const filterSets = countOf('threats.filters')
    await timed(
      'a filter that is switched off',
      () => call(writer, 'setFilterState', { templateIds: ['SHELLSHOCK'], state: 'OFF' }),
      () => countOf('threats.filters') > filterSets,
    )

    heard.length = 0
    expect(await connections('pg_terminate_backend(pid)')).toHaveLength(2)
    await timed('a collection, while nobody is notified', createCollection('two'), () =>
      heard.includes('inventory'),
    )
    await until('the process hears again', () => countOf('news.heard') > 0)
    heard.length = 0
    await timed('a collection, afterwards', createCollection('three'), () => heard.includes('inventory'))
  },
)
