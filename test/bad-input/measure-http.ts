/**
 * Time of the answer to every importer's broken files of 100 MB and to the small ones, sent over HTTP to a server of
 * its own process, and the longest time for which the event loop of that server stood still. Compare with the machine's
 * load: a second process on two cores doubles every figure.
 * Run: node test/bad-input/measure-http.ts
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatOfImporter, type ImporterName } from '../../src/contract/index.ts'
import { startCli } from '../cli-process.ts'
import { LARGE_CASES } from './large-cases.ts'
import { SMALL_CASES } from './small-cases.ts'

/** A body may have 100 MiB; base64 makes a third more of a file. */
const MOST_BYTES = 78_000_000

const key = 'k'.repeat(40)
const dataDir = mkdtempSync(join(tmpdir(), 'vigil-bad-input-'))
const server = await startCli(['--data-dir', dataDir, '--api-key', key])
let slowest = 0
let longestPause = 0

async function post(operation: string, body: Uint8Array | string): Promise<{ status: number; text: string }> {
  const headers = { 'content-type': 'application/json', 'x-api-key': key }
  const answer = await fetch(`${server.baseUrl}/api/${operation}`, {
    method: 'POST',
    headers,
    body: body as string,
  })
  return { status: answer.status, text: await answer.text() }
}

/** Pause of the event loop, which starts anew with the reading, and CPU time of the server; in milliseconds. */
async function figures(): Promise<{ pause: number; cpu: number }> {
  const text = await (await fetch(`${server.baseUrl}/metrics`, { headers: { 'x-api-key': key } })).text()
  const read = (name: string): number => 1000 * Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  return { pause: read('nodejs_eventloop_lag_max_seconds'), cpu: read('process_cpu_seconds_total') }
}

/** Waits for the end of an import whose answer came before. */
async function settled(text: string): Promise<string> {
  const { uploadId, report } = JSON.parse(text) as { uploadId?: string; report?: { status: string } }
  let status = report?.status
  while (status === 'IN_PROGRESS') {
    await new Promise((resolve) => setTimeout(resolve, 200))
    const asked = await post('fetchImportReport', JSON.stringify({ uploadId, limit: 1 }))
    status = (JSON.parse(asked.text) as { report: { status: string } }).report.status
  }
  return status ?? text.slice(0, 110)
}

async function send(
  name: string,
  importer: ImporterName,
  bytes: Uint8Array,
  isShown: boolean,
): Promise<void> {
  const content = Buffer.from(bytes.subarray(0, MOST_BYTES)).toString('base64')
  const body = Buffer.from(
    `{"apiCollectionName":"bad ${importer}","format":"${formatOfImporter(importer)}","contentEncoding":"base64","content":"${content}"}`,
  )
  const before = await figures()
  const start = performance.now()
  const { status, text } = await post('importTraffic', body)
  const ms = performance.now() - start
  const answered = await figures()
  const cpu = answered.cpu - before.cpu
  const end = await settled(text)
  const pause = Math.max(answered.pause, (await figures()).pause)
  slowest = Math.max(slowest, ms)
  longestPause = Math.max(longestPause, pause)
  if (!isShown && ms < 1000) return
  const took = performance.now() - start
  console.log(
    `${importer.padEnd(16)} ${name.padEnd(38)} answer ${ms.toFixed(0).padStart(5)} ms  CPU ${cpu.toFixed(0).padStart(5)} ms  end ${took.toFixed(0).padStart(6)} ms  pause ${pause.toFixed(0).padStart(4)} ms  ${status} ${end}`,
  )
}

for (const { name, importer, make } of SMALL_CASES) await send(name, importer, Buffer.from(make()), false)
for (const { name, importer, make } of LARGE_CASES) await send(name, importer, make(), true)
console.log(
  `slowest answer ${slowest.toFixed(0)} ms, longest pause of the event loop ${longestPause.toFixed(0)} ms`,
)
server.process.kill('SIGTERM')
await server.ended
rmSync(dataDir, { recursive: true })
