import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../contract/index.ts'
import { Recorder } from './recorder.ts'

const MB = 1024 * 1024

interface Batch {
  readonly paths: readonly string[]
  readonly bytes: number
}

/** A server that takes batches, but for those that `refuses` gives a status for. */
async function startServer(refuses: (batch: Batch) => number | null) {
  const batches: Batch[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts)
      const { batchData } = JSON.parse(body.toString()) as { batchData: { path: string }[] }
      const batch = { paths: batchData.map(({ path }) => path), bytes: body.length }
      const status = refuses(batch)
      if (status === null) batches.push(batch)
      response.writeHead(status ?? 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(status === null ? { rejected: [] } : { actionErrors: ['refused'] }))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const errors: unknown[] = []
  const recorder = new Recorder(createClient({ baseUrl, apiKey: 'k' }), 1, (error) => errors.push(error))
  return { recorder, batches, errors }
}

test('waiting messages have a limit in bytes, and batches stay far below the limit of a request', async () => {
  const { recorder, batches } = await startServer(() => null)
  const responsePayload = 'x'.repeat(MB)
  for (let at = 0; at < 80; at++) recorder.add({ path: `/${at}`, responsePayload })
  const { recorded, lost, rejected } = await recorder.close()
  expect(recorded).toBeGreaterThan(50)
  expect(recorded).toBeLessThanOrEqual(64)
  expect([recorded + lost, rejected]).toEqual([80, 0])
  for (const { bytes } of batches) expect(bytes).toBeLessThan(9 * MB)
})

test('a message that the server refuses is rejected, and the others are recorded', async () => {
  const tooMuch = ({ paths }: Batch): number | null =>
    paths.includes('/bad') ? 400 : paths.length > 20 ? 413 : null
  const { recorder, batches, errors } = await startServer(tooMuch)
  for (let at = 0; at < 100; at++) recorder.add({ path: at === 30 ? '/bad' : `/${at}` })
  expect(await recorder.close()).toEqual({ recorded: 99, rejected: 1, lost: 0 })
  expect(new Set(batches.flatMap(({ paths }) => paths)).size).toBe(99)
  expect(errors).toHaveLength(1)
})

test('messages wait while the server refuses the key or is busy', async () => {
  const answers = [401, 429, 503]
  const { recorder } = await startServer(() => answers.shift() ?? null)
  for (let at = 0; at < 3; at++) recorder.add({ path: `/${at}` })
  expect(await recorder.close()).toEqual({ recorded: 3, rejected: 0, lost: 0 })
})
