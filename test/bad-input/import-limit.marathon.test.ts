import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../harness.ts'
import { ask } from '../scenarios/ask.ts'
import { until } from '../until.ts'

const MIB = 1024 * 1024
const ENTRIES = 110

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ 'max-import-bytes': '130MiB' })
})

afterAll(() => server?.close())

/** A HAR of so many entries with a response of 1 MiB each. */
function harOf(entries: number): string {
  const text = JSON.stringify({ note: 'n'.repeat(MIB - 20) })
  return JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: 'a proxy', version: '1' },
      entries: Array.from({ length: entries }, (_, i) => ({
        startedDateTime: '2026-01-01T00:00:00Z',
        time: 1,
        request: {
          method: 'GET',
          url: `http://large.test/parts/p${i}x`,
          httpVersion: 'HTTP/1.1',
          headers: [],
        },
        response: {
          status: 200,
          statusText: 'OK',
          httpVersion: 'HTTP/1.1',
          headers: [{ name: 'content-type', value: 'application/json' }],
          content: { size: text.length, mimeType: 'application/json', text },
        },
      })),
    },
  })
}

test('a limit above 100 MiB lets a file of more than 100 MiB in, and refuses what is larger than itself', async () => {
  const { uploadId } = await ask(server, 'importTraffic', {
    content: harOf(ENTRIES),
    apiCollectionName: 'more than 100 MiB',
  })
  const read = await until('the file to be read', () => ask(server, 'fetchImportReport', { uploadId }), {
    isRight: ({ report }) => report.status !== 'IN_PROGRESS',
    ms: 120_000,
  })
  expect(read.report).toMatchObject({ status: 'SUCCEEDED', taken: ENTRIES })
  const refused = await server.post('/api/importTraffic', { content: 'x'.repeat(131 * MIB) })
  expect(refused.status).toBe(413)
}, 240_000)
