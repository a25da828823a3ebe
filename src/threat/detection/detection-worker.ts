import { parentPort, workerData } from 'node:worker_threads'
import { LiveReader } from '../../http/index.ts'
import { ThreadCalls, Transferred } from '../../kit/index.ts'
import { type DetectionTools, detectBatch } from './detect-batch.ts'
import { openTools } from './open-tools.ts'
import { type DetectionMethods, PROGRESS } from './worker-messages.ts'

/** Thread that looks for threats: one call after the other, each answered with what was found. */
const { progress } = workerData as { progress: Int32Array }
const live = new LiveReader()
let tools: DetectionTools | null = null

const methods: DetectionMethods = {
  setUp(setup) {
    const opened = openTools(setup, live)
    tools = opened.tools
    return { filters: opened.filters, problems: opened.problems }
  },
  detect(order, input, skipped) {
    const { user, system } = process.threadCpuUsage()
    Atomics.store(progress, PROGRESS.MESSAGE, -1)
    Atomics.store(progress, PROGRESS.ORDER, order)
    const batch = detectBatch(input, tools!, new Set(skipped), (index) =>
      Atomics.store(progress, PROGRESS.MESSAGE, index),
    )
    Atomics.store(progress, PROGRESS.ORDER, 0)
    const now = process.threadCpuUsage()
    const microseconds = now.user + now.system - user - system
    return new Transferred({ batch, microseconds }, batch.findings === null ? [] : [batch.findings.buffer])
  },
}

new ThreadCalls(parentPort!, methods)
