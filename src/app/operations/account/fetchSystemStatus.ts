import { nowSeconds } from '../../../kit/index.ts'
import type { App, Handler } from '../../handler.ts'
import { backgroundWork, listInstances, trafficStages } from '../../status/system-status.ts'

async function storeStatus({ store }: App) {
  const begun = performance.now()
  await store.ping()
  return {
    kind: store.kind,
    isFull: store.isFull(),
    answerMilliseconds: Math.round(performance.now() - begun),
    connections: store.pool.totalCount,
    waitingQueries: store.pool.waitingCount,
    isNotified: store.news.quietMs > 0,
  }
}

function detectionStatus({ detection }: App) {
  const figures = detection.figures()
  if (figures === null) return null
  const { filters, messages, found, truncated, passedOver, waitingBytes } = figures
  return { filters, messages, found, truncated, passedOver, waitingBytes }
}

function streamStatus({ stream }: App) {
  if (stream === null) return null
  const { isConnected, lag, accepted, rejected, deadLetters } = stream.figures()
  return { isConnected, lag, accepted, rejected, deadLetters }
}

function replicaStatus({ replica }: App) {
  if (replica === null) return null
  const { lagMs, ...figures } = replica.figures()
  return { ...figures, lagMilliseconds: lagMs === null ? null : Math.round(lagMs) }
}

/** Each stage that messages pass, what waits, and which processes work. */
export const fetchSystemStatus: Handler<'fetchSystemStatus'> = async (_input, { app }) => {
  const now = nowSeconds()
  const engine = await app.inventory.figures()
  const traffic = await trafficStages(app, now)
  return {
    traffic: { ...traffic, dropped: { ...traffic.dropped } },
    waiting: { messages: engine.waitingMessages, bytes: engine.waitingBytes, refusal: engine.refusal },
    detection: detectionStatus(app),
    stream: streamStatus(app),
    work: await backgroundWork(app.store, now),
    store: await storeStatus(app),
    replica: replicaStatus(app),
    instances: await listInstances(app.store),
  }
}
