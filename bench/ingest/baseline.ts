/**
 * The baseline: a process that only parses the same bytes (message, headers and bodies with JSON.parse), on the core
 * it was pinned to. Prints messages per second and CPU time per message as JSON.
 */
import { MessageSource, ReplayableBatch } from './messages.ts'

const BATCH = Number(process.argv[2] ?? 500)
const SECONDS = Number(process.argv[3] ?? 4)

const source = new MessageSource(7)
const batches = Array.from({ length: 16 }, () => new ReplayableBatch(source.take(BATCH)))

function parseAll(bytes: Buffer): number {
  const { batchData } = JSON.parse(bytes.toString()) as { batchData: Record<string, string>[] }
  for (const message of batchData) {
    JSON.parse(message['requestHeaders']!)
    JSON.parse(message['responseHeaders']!)
    if (message['requestPayload']) JSON.parse(message['requestPayload'])
    if (message['responsePayload']) JSON.parse(message['responsePayload'])
  }
  return batchData.length
}

for (const batch of batches) parseAll(batch.bytes)
const started = process.hrtime.bigint()
const cpuBefore = process.cpuUsage()
let messages = 0
let bytes = 0
while (Number(process.hrtime.bigint() - started) < SECONDS * 1e9) {
  for (const batch of batches) {
    messages += parseAll(batch.bytes)
    bytes += batch.bytes.length
  }
}
const seconds = Number(process.hrtime.bigint() - started) / 1e9
const { user, system } = process.cpuUsage(cpuBefore)
console.log(
  JSON.stringify({
    messagesPerSecond: messages / seconds,
    bytesPerMessage: bytes / messages,
    cpuMicroseconds: (user + system) / messages,
  }),
)
