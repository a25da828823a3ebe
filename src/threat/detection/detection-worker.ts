import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { LiveReader } from '../../http/index.ts'
import { type DetectionTools, detectBatch } from './detect-batch.ts'
import { openTools } from './open-tools.ts'
import { type DetectionOrder, type DetectionReply, PROGRESS } from './worker-messages.ts'

/** Thread that looks for threats: one call after the other, each answered with what was found. */
const port = parentPort as MessagePort
const { progress } = workerData as { progress: Int32Array }
const live = new LiveReader()
let tools: DetectionTools | null = null

function reply(message: DetectionReply, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer)
}

function answer(order: DetectionOrder): void {
  if (order.kind === 'setup') {
    const opened = openTools(order.setup, live)
    tools = opened.tools
    reply({ kind: 'ready', id: order.id, filters: opened.filters, problems: opened.problems })
    return
  }
  const { user, system } = process.threadCpuUsage()
  Atomics.store(progress, PROGRESS.MESSAGE, -1)
  Atomics.store(progress, PROGRESS.ORDER, order.id)
  const batch = detectBatch(order.input, tools!, new Set(order.skipped), (index) =>
    Atomics.store(progress, PROGRESS.MESSAGE, index),
  )
  Atomics.store(progress, PROGRESS.ORDER, 0)
  const now = process.threadCpuUsage()
  const microseconds = now.user + now.system - user - system
  const { findings } = batch
  reply({ kind: 'detected', id: order.id, batch, microseconds }, findings === null ? [] : [findings.buffer])
}

port.on('message', answer)
