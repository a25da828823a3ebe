import { afterEach, describe, expect, test } from 'vitest'
import { DetectionPool } from './detection-pool.ts'
import { unpackFindings } from './finding.ts'
import type { DetectionSetup } from './worker-messages.ts'

const actors: DetectionSetup['actors'] = {
  trustedProxies: [],
  trustsPrivate: true,
  forwardingHeaders: [],
  headerRules: [],
  hashKey: '00',
  countryFile: null,
}

function setup(...words: string[]): DetectionSetup {
  const filters = words.map((word) => ({
    id: word,
    content: `
id: ${word}
filter:
  url: {contains_either: [${word}]}
info: {category: {name: WORDS}, severity: LOW}
`,
  }))
  return { filters, actors, ownMark: 'ours', collections: [['shop.example', 77]] }
}

function live(...paths: string[]) {
  const messages = paths.map((path) => ({
    method: 'GET',
    path,
    requestHeaders: { host: 'shop.example' },
    ip: '203.0.113.9',
    statusCode: 200,
  }))
  return { bytes: Buffer.from(JSON.stringify(messages)), source: 'OTHER' as const }
}

/** A thread that never comes back from a message that holds `hang`, and ends at one that holds `exit`. */
const STUCK = `
import { parentPort, workerData } from 'node:worker_threads'
import { ThreadCalls } from '${new URL('../../kit/index.ts', import.meta.url)}'
const { progress } = workerData
function detect(id, input, skipped) {
  Atomics.store(progress, 0, id)
  const messages = JSON.parse(Buffer.from(input.bytes).toString())
  for (const [index, { path }] of messages.entries()) {
    if (skipped.includes(index)) continue
    Atomics.store(progress, 1, index)
    while (path.includes('hang'));
    if (path.includes('exit')) process.exit(1)
  }
  Atomics.store(progress, 0, 0)
  const findings = new TextEncoder().encode(JSON.stringify(skipped))
  return { batch: { findings, messages: messages.length, found: 0, truncated: 0 }, microseconds: 1 }
}
new ThreadCalls(parentPort, { detect, setUp: () => ({ filters: 1, problems: [] }) })`

let pool: DetectionPool | null = null

afterEach(async () => {
  await pool?.close()
})

async function found(paths: string[]): Promise<string[]> {
  const bytes = await pool!.detect(live(...paths))
  if (bytes === null) return []
  return [...unpackFindings(bytes)].flatMap(([index, { hits }]) =>
    hits.map(({ filter }) => `${index} ${filter.id}`),
  )
}

const text = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString())

describe('detection threads', () => {
  test('find what the filters of their setup look for, and go by a new one at once', async () => {
    pool = new DetectionPool(2)
    await pool.setUp(setup('evil', 'wicked'))
    expect(await found(['/good', '/evil', '/wicked-evil'])).toEqual(['1 evil', '2 evil', '2 wicked'])
    await pool.setUp(setup('good'))
    expect(await found(['/good', '/evil'])).toEqual(['0 good'])
    expect(pool.figures()).toMatchObject({ threads: 2, filters: 1, messages: 5, found: 3, waitingBytes: 0 })
  })

  test('know the collection of a host, for filters that ask', async () => {
    pool = new DetectionPool(1)
    const content = `
id: mine
filter:
  api_collection_id: {eq: '77'}
info: {category: {name: WORDS}, severity: LOW}
`
    await pool.setUp({ ...setup(), filters: [{ id: 'mine', content }] })
    expect(await found(['/any', 'https://else.example/any'])).toEqual(['0 mine'])
  })

  test('tell of filters that cannot be used, and go on with the others', async () => {
    const heard: string[] = []
    pool = new DetectionPool(1, { onProblems: (problems) => heard.push(...problems) })
    const { filters } = setup('evil')
    await pool.setUp({
      filters: [...filters, { id: 'broken', content: 'id: broken\nfilter: {url: {regx: x}}' }],
      actors,
      ownMark: 'ours',
      collections: [],
    })
    expect(heard.join()).toContain('broken: line')
    expect(await found(['/evil'])).toEqual(['0 evil'])
  })

  test('that do not come on are replaced, and the message is passed over', async () => {
    const replaced: number[] = []
    const module = new URL(`data:text/javascript,${encodeURIComponent(STUCK)}`)
    pool = new DetectionPool(1, {
      module,
      lookEveryMs: 5,
      onReplaced: (_, message) => replaced.push(message),
    })
    await pool.setUp(setup('evil'))
    const calls = await Promise.all([
      pool.detect(live('/a', '/hang', '/exit', '/b')),
      pool.detect(live('/a')),
      pool.detect(live('/hang/1', '/hang/2', '/hang/3', '/hang/4', '/hang/5', '/hang/6')),
    ])
    expect(calls.map(text)).toEqual(['[1,2]', '[]', null])
    expect(replaced).toEqual([1, 2, 0, 1, 2, 3, 4])
    expect(pool.figures()).toMatchObject({ passedOver: 7, replacedThreads: 7, waitingBytes: 0 })
  })

  test('refuse more than may wait, and refuse what waits when they end', async () => {
    pool = new DetectionPool(1)
    await pool.setUp(setup('evil'))
    const large = { bytes: new Uint8Array(60 * 1024 * 1024), source: 'OTHER' as const }
    const waiting = expect(pool.detect(large)).rejects.toMatchObject({ code: 'SHUTTING_DOWN' })
    await expect(pool.detect(large)).rejects.toMatchObject({ code: 'OVERLOADED' })
    await pool.close()
    await waiting
    await expect(pool.detect(live('/a'))).rejects.toMatchObject({ code: 'SHUTTING_DOWN' })
  })
})
