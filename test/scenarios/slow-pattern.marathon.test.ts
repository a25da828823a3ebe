import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../harness.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'
import { collectionOf, resultsOfRun, wholeCollection } from '../use-vigil.ts'

/** A pattern that tries all ways is found before it stops the application for good. */

/** Runs in a separate thread: while it checks an address it answers nobody. */
const APPLICATION = `
const { createServer } = require('node:http')
const { parentPort, workerData } = require('node:worker_threads')
let longest = 0
const server = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => { text += chunk })
  request.on('end', () => {
    if (request.method === 'GET') return response.end(String(longest))
    const { email } = JSON.parse(text)
    longest = Math.max(longest, email.length)
    const isValid = (workerData ? /^[a-z.]+@[a-z.]+$/ : /^([a-z]+\\.?)*@[a-z.]+$/).test(email)
    response.writeHead(isValid ? 200 : 422, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ ok: isValid }))
  })
})
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`

let server: TestServer
const workers: Worker[] = []

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => {
  for (const worker of workers) await worker.terminate()
  await server.close()
})

async function application(isSound: boolean): Promise<string> {
  const worker = new Worker(APPLICATION, { eval: true, workerData: isSound })
  workers.push(worker)
  const port = await new Promise<number>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  return `127.0.0.1:${port}`
}

async function isFound(host: string): Promise<boolean> {
  const vigil = vigilOf(server)
  await vigil.call('ingestData', {
    batchData: [
      {
        method: 'POST',
        path: '/newsletter',
        requestHeaders: { host, 'content-type': 'application/json' },
        requestPayload: '{"email":"ann@shop.com"}',
        responseHeaders: { 'content-type': 'application/json' },
        statusCode: 200,
        responsePayload: '{"ok":true}',
        ip: '203.0.113.9',
        time: 1_795_000_000,
        source: 'MIRRORING',
      },
    ],
  })
  const testingRunResults = await resultsOfRun(
    vigil,
    wholeCollection(await collectionOf(vigil, host), ['REDOS_EMAIL']),
  )
  return testingRunResults.some(({ vulnerable }) => vulnerable)
}

test('the application still answers after its slow pattern was found', async () => {
  const host = await application(false)
  expect(await isFound(host)).toBe(true)
  const answer = await fetch(`http://${host}/`, { signal: AbortSignal.timeout(30_000) })
  expect(Number(await answer.text())).toBeLessThan(40)
}, 240_000)

test('a linear-time pattern is not a finding', async () => {
  expect(await isFound(await application(true))).toBe(false)
}, 240_000)
