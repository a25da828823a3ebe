import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { App } from '../app/index.ts'
import { reportError } from '../kit/index.ts'
import type { ByteBudget } from './byte-budget.ts'
import { RESOLUTION_MS, watchEventLoop } from './event-loop-delay.ts'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Metrics of prom-client that tell only of the time since they were last read. */
const RESET_BY_READING = 'nodejs_eventloop_lag_'

/** Figures of one server in the form of Prometheus. */
export interface Metrics {
  countCall(operation: string, status: number, seconds: number, bytesIn: number): void
  /** The text of GET /metrics and its content type. */
  render(): Promise<{ text: string; contentType: string }>
  /** The same as data, without those that start anew when they are read: they are for the readers of GET /metrics. */
  readings(): Promise<readonly Reading[]>
}

/** One metric with its values by label; of histograms the buckets, counts and sums, told apart by their names. */
export interface Reading {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly values: readonly {
    readonly value: number
    readonly labels: Readonly<Record<string, string | number>>
    readonly metricName?: string
  }[]
}

/** Starts counting. Engine and pool are asked only when someone reads. */
export function createMetrics(app: App, budget: ByteBudget): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: RESOLUTION_MS })
  const registers = [registry]
  const calls = new Counter({
    name: 'vigil_calls_total',
    help: 'Calls by operation and status.',
    labelNames: ['operation', 'status'],
    registers,
  })
  const seconds = new Histogram({
    name: 'vigil_call_seconds',
    help: 'Time from the head of a request to the end of its answer.',
    labelNames: ['operation'],
    buckets: SECONDS,
    registers,
  })
  const bytes = new Counter({
    name: 'vigil_body_bytes_total',
    help: 'Bytes of bodies received, by operation.',
    labelNames: ['operation'],
    registers,
  })
  addReadings(app, budget, registers)
  addDetectionReadings(app, registers)
  new Gauge({
    name: 'vigil_elected',
    help: 'Whether this process does what only one of the store does, such as removing old data (1), or not (0).',
    registers,
    collect() {
      this.set(app.election.isElected ? 1 : 0)
    },
  })
  addStreamReadings(app, registers)
  addReplicaReadings(app, registers)
  const readEngine = addEngineReadings(app, registers)
  return {
    countCall(operation, status, took, bytesIn) {
      calls.inc({ operation, status: String(status) })
      seconds.observe({ operation }, took)
      bytes.inc({ operation }, bytesIn)
    },
    async render() {
      await readEngine()
      return { text: await registry.metrics(), contentType: registry.contentType }
    },
    async readings() {
      await readEngine()
      const names = registry.getMetricsAsArray().map(({ name }) => name)
      const shared = names.filter((name) => !name.startsWith(RESET_BY_READING))
      const values = shared.map((name) => registry.getSingleMetric(name)!.get())
      return (await Promise.all(values)) as unknown as readonly Reading[]
    },
  }
}

function addReadings(app: App, budget: ByteBudget, registers: Registry[]): void {
  const reading = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  }
  reading('vigil_body_bytes_in_flight', 'Bytes of bodies held in memory.', () => budget.held)
  reading('vigil_store_connections', 'Connections to the store.', () => app.store.pool.totalCount)
  reading(
    'vigil_store_notified',
    'Whether the database notifies of changes by others (1), or they are polled for (0).',
    // The embedded store has one process.
    () => (app.store.kind === 'embedded' || app.store.news.quietMs > 0 ? 1 : 0),
  )
  reading('vigil_store_waiting', 'Queries that wait for a connection.', () => app.store.pool.waitingCount)
  reading(
    'vigil_event_loop_delay_max_seconds',
    'Longest delay of the event loop in the last one to two minutes.',
    watchEventLoop(),
  )
}

/** Figures of the standby; without values when the settings name none. */
function addReplicaReadings({ replica }: App, registers: Registry[]): void {
  const reading = (name: string, help: string, read: (figures: ReplicaFigures) => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        if (replica === null) this.remove()
        else this.set(read(replica.figures()))
      },
    })
  }
  reading(
    'vigil_replica_usable',
    'Whether lists are read from the standby (1) or from the primary (0).',
    (figures) => (figures.isUsable ? 1 : 0),
  )
  reading(
    'vigil_replica_lag_seconds',
    'How far the standby lags behind at most.',
    ({ lagMs }) => (lagMs ?? Number.NaN) / 1000,
  )
  reading('vigil_replica_reads', 'Calls answered from the standby since start.', ({ reads }) => reads)
  reading(
    'vigil_replica_passed_over',
    'Reading calls that went to the primary since start.',
    ({ passedOver }) => passedOver,
  )
  reading(
    'vigil_replica_repeated',
    'Calls that failed on the standby and were repeated on the primary since start.',
    ({ repeated }) => repeated,
  )
}

type ReplicaFigures = ReturnType<NonNullable<App['replica']>['figures']>
type DetectionFigures = NonNullable<ReturnType<App['detection']['figures']>>

/** Figures of detection; absent while no filter was on. */
function addDetectionReadings(app: App, registers: Registry[]): void {
  const reading = (name: string, help: string, read: (figures: DetectionFigures) => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const figures = app.detection.figures()
        if (figures !== null) this.set(read(figures))
      },
    })
  }
  reading('vigil_threat_filters', 'Filters that are on.', ({ filters }) => filters)
  reading('vigil_threat_messages', 'Messages searched for threats since start.', ({ messages }) => messages)
  reading('vigil_threat_found', 'Messages in which a filter matched.', ({ found }) => found)
  reading('vigil_threat_truncated', 'Messages that were beyond a limit.', ({ truncated }) => truncated)
  reading(
    'vigil_threat_passed_over',
    'Messages that were passed over, because looking at them did not end.',
    ({ passedOver }) => passedOver,
  )
  reading(
    'vigil_threat_cpu_seconds',
    'CPU time of detection since start.',
    ({ microseconds }) => microseconds / 1e6,
  )
  reading(
    'vigil_threat_waiting_bytes',
    'Bytes of live batches that wait for detection.',
    ({ waitingBytes }) => waitingBytes,
  )
}

/** Figures of the message stream; absent where the settings name none. */
function addStreamReadings({ stream }: App, registers: Registry[]): void {
  if (stream === null) return
  new Gauge({
    name: 'vigil_stream_connected',
    help: 'Whether this process reads the stream (1) or not (0).',
    registers,
    collect() {
      this.set(stream.figures().isConnected ? 1 : 0)
    },
  })
  new Gauge({
    name: 'vigil_stream_lag',
    help: 'Records of the stream that no process of the group has acknowledged; NaN before the broker answered.',
    registers,
    collect() {
      // A gauge without a value reads as 0, which would say that nothing waits.
      this.set(stream.figures().lag ?? Number.NaN)
    },
  })
  new Gauge({
    name: 'vigil_stream_messages',
    help: 'Messages read from the stream since start, by what became of them.',
    labelNames: ['outcome'],
    registers,
    collect() {
      const { accepted, duplicates, rejected, dropped, deadLetters } = stream.figures()
      for (const [outcome, count] of Object.entries({ accepted, duplicates, rejected, dropped }))
        this.set({ outcome }, count)
      this.set({ outcome: 'dead-letter' }, deadLetters)
    },
  })
}

/**
 * Figures of the inventory engine.
 *
 * @returns a function that asks the engine and sets them; while it does not answer they stay as they were
 */
function addEngineReadings(app: App, registers: Registry[]): () => Promise<void> {
  const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers })
  const seconds = new Gauge({
    name: 'vigil_stage_cpu_seconds',
    help: 'CPU time of the inventory engine by stage since start.',
    labelNames: ['stage'],
    registers,
  })
  const messages = gauge('vigil_inventory_messages', 'Messages analysed since start.')
  const waiting = gauge(
    'vigil_inventory_waiting_bytes',
    'Bytes of live batches that wait for their transaction.',
  )
  const nodes = gauge('vigil_inventory_nodes', 'Nodes of all path tries.')
  const endpoints = gauge('vigil_inventory_endpoint_states', 'Endpoints held in memory.')
  return async () => {
    try {
      const figures = await app.inventory.figures()
      for (const [stage, { microseconds }] of Object.entries(figures.stages)) {
        seconds.set({ stage }, microseconds / 1e6)
      }
      messages.set(figures.stages['parse']?.messages ?? 0)
      waiting.set(figures.waitingBytes)
      nodes.set(figures.nodes)
      endpoints.set(figures.endpointStates)
    } catch (error) {
      app.log.warn('part.failed', { part: 'inventory', error: reportError(error) })
    }
  }
}
