/**
 * How long texts and patterns from outside hold up the event loop of the server: patterns of tests on answers of several
 * sizes, tests and filters as hostile texts themselves, live traffic, files, and what shows evidence. The server runs in
 * a separate process; the answers come from this one. Prints a row for each case, and exits with 1 when the main thread
 * of the server worked longer than the limit without a pause.
 *
 *   node bench/event-loop/run.ts [--limit 50] [--sizes 65536,1048576,5242880] [--only REGEX]
 */
import { type ChildProcess, fork } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { testKey } from '../../test/harness.ts'
import { collectionOf } from '../../test/use-vigil.ts'
import { type Bench, callsOf, otherCases, PROBE, templateWith } from './cases.ts'
import type { LoopFigures } from './monitor.ts'
import { PATTERNS, TEXTS } from './texts.ts'

const { values } = parseArgs({
  options: {
    limit: { type: 'string', default: '50' },
    sizes: { type: 'string', default: '65536,1048576,5242880' },
    only: { type: 'string', default: '' },
  },
})
const LIMIT_MS = Number(values.limit)
const SIZES = values.sizes.split(',').map(Number)

/** What the recorded requests are answered with. */
const RECORDED = { type: 'application/json', body: '{"id":7}' }
/** What the target answers to the changed requests of the tests: others must be answered as recorded. */
let answer = RECORDED
const target = createServer((request, response) => {
  const { type, body } = PROBE in request.headers ? answer : RECORDED
  response.setHeader('content-type', type)
  response.end(body)
})
await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
const host = `127.0.0.1:${(target.address() as AddressInfo).port}`

const child = fork(fileURLToPath(new URL('served.ts', import.meta.url)), { serialization: 'advanced' })
const { baseUrl } = await heard<{ baseUrl: string }>(child)

const bench: Bench = {
  host,
  async call(operation, body) {
    const response = await fetch(`${baseUrl}/api/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': testKey },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return { status: response.status, text: await response.text() }
  },
  answerWith(body, type = 'application/json') {
    answer = { type, body }
  },
  collection: 0,
}
await bench.call('ingestData', { batchData: [message('/orders', RECORDED.body)] })
bench.collection = await collectionOf(callsOf(bench), host)

/** A trial that ended with this never came to its pattern. */
const UNTRIED = 'does not answer its original request'

let over = 0
let cases = 0
console.log('   work ms   delay ms   took ms  case')
await bench.call('saveTestEditorFile', { content: templateWith('x', 'WARM'), originalTestId: '' })
for (const [pattern, text] of PATTERNS) {
  for (const size of SIZES) {
    await measure(`pattern ${pattern} on ${text}, ${Math.round(size / 1024)} KiB`, async () => {
      bench.answerWith(
        TEXTS[text]!(size),
        text.includes('json') || text === 'many keys' ? 'application/json' : 'text/plain',
      )
      return bench.call('runTestForGivenTemplate', trialOf(pattern))
    })
  }
}
for (const [name, work] of otherCases(bench)) await measure(name, work)
console.log(`${cases} cases, ${over} over ${LIMIT_MS} ms of work without a pause`)
child.send('close')
target.closeAllConnections()
target.close()
process.exitCode = over > 0 ? 1 : 0

function trialOf(pattern: string): unknown {
  return {
    content: templateWith(pattern, 'TRIED'),
    apiInfoKey: { apiCollectionId: bench.collection, method: 'GET', url: '/orders' },
    sampleDataList: [],
  }
}

async function measure(name: string, work: () => Promise<{ status: number; text: string }>): Promise<void> {
  if (!new RegExp(values.only).test(name)) return
  child.send('reset')
  const begun = performance.now()
  const { status, text } = await work()
  await pause(20)
  child.send('read')
  const { workMs, delayMs } = await heard<LoopFigures>(child)
  if (text.includes(UNTRIED)) throw new Error(`${name} tried nothing: ${outcomeIn(text)}`)
  cases++
  if (workMs > LIMIT_MS) over++
  const figures = [workMs, delayMs, performance.now() - begun]
    .map((ms) => ms.toFixed(1).padStart(10))
    .join('')
  console.log(`${figures}  ${workMs > LIMIT_MS ? 'OVER ' : ''}${name}: ${status} ${outcomeIn(text)}`)
}

/** What a trial came to. */
function outcomeIn(text: string): string {
  return (
    /"errorsList":\["([^"]{0,140})/.exec(text)?.[1] ??
    /"actionErrors":\["([^"]{0,140})/.exec(text)?.[1] ??
    /"vulnerable":(true|false)/.exec(text)?.[0] ??
    ''
  )
}

function heard<T>(from: ChildProcess): Promise<T> {
  return new Promise((resolve) => from.once('message', (message) => resolve(message as T)))
}

function message(path: string, responsePayload: string): unknown {
  return {
    method: 'GET',
    path,
    requestHeaders: { host, accept: 'application/json' },
    responseHeaders: { 'content-type': 'application/json' },
    statusCode: 200,
    responsePayload,
    ip: '203.0.113.9',
    time: 1_795_000_000,
    source: 'MIRRORING',
  }
}
