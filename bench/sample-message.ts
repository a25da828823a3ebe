/**
 * Cost of reading one live sample message beyond what JSON.parse of its header texts costs alone.
 * Run: node bench/sample-message.ts
 */
import { readSampleMessage } from '../src/http/index.ts'

const headerNames = Array.from({ length: 20 }, (_, i) => `x-header-${i}`)

function message(i: number): Record<string, string> {
  const headers: Record<string, string> = {
    host: 'shop.test',
    'content-type': 'application/json',
    etag: `W/"${i}"`,
  }
  for (const name of headerNames.slice(3)) headers[name] = `value ${i} of ${name}`
  return {
    path: `/v1/orders/${i}?expand=items`,
    method: 'POST',
    type: 'HTTP/1.1',
    requestHeaders: JSON.stringify(headers),
    responseHeaders: JSON.stringify(headers),
    requestPayload: JSON.stringify({ sku: `A${i}`, quantity: i }),
    responsePayload: JSON.stringify({ id: i, total: 12.5 }),
    statusCode: '200',
    status: 'OK',
    ip: '203.0.113.9',
    destIp: '10.0.3.4',
    time: '1769850000',
    akto_vxlan_id: '0',
    is_pending: 'false',
    source: 'MIRRORING',
    direction: '1',
  }
}

const texts = Array.from({ length: 20_000 }, (_, i) => JSON.stringify(message(i)))

function microseconds(run: (message: Record<string, string>) => void): number {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 7; round++) {
    // Parsed anew each round: V8 caches nothing for fresh strings, as in live ingest.
    const messages = texts.map((text) => JSON.parse(text) as Record<string, string>)
    const start = process.hrtime.bigint()
    for (const one of messages) run(one)
    best = Math.min(best, Number(process.hrtime.bigint() - start) / 1000 / messages.length)
  }
  return best
}

let sink = 0
const parse = microseconds((one) => {
  sink += Object.keys(JSON.parse(one['requestHeaders']!)).length
  sink += Object.keys(JSON.parse(one['responseHeaders']!)).length
})
const read = microseconds((one) => {
  const exchange = readSampleMessage(one)
  if (typeof exchange === 'string') throw new Error(exchange)
  sink += exchange.request.headers.length
})
console.log(`JSON.parse of both header texts  ${parse.toFixed(2)} us a message (40 headers)`)
console.log(`readSampleMessage                ${read.toFixed(2)} us a message`)
console.log(`beyond JSON.parse                ${(read - parse).toFixed(2)} us (checksum ${sink})`)
