import { randomUUID } from 'node:crypto'
import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import { OTLPMetricExporter as JsonMetrics } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPMetricExporter as ProtobufMetrics } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter as JsonTraces } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufTraces } from '@opentelemetry/exporter-trace-otlp-proto'
import { detectResources, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import { PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace'
import { beginTracing, nowMs } from '../../kit/index.ts'
import type { Reading } from '../metrics.ts'
import { metricData } from './metric-data.ts'
import type { OtelSettings } from './otel-settings.ts'
import { hrTime, readableSpan } from './spans.ts'

/** Whose telemetry it is, and who hears of exports that failed. */
export interface ExportDeps {
  readonly version: string
  readonly roles: readonly string[]
  readonly onError: (error: unknown) => void
}

/** An export under way. */
export interface Export {
  /** Exports these metrics at the interval of the settings. */
  readMetrics(read: () => Promise<readonly Reading[]>): void
  /** Exports the metrics once more; nothing is asked for figures afterwards. */
  closeMetrics(): Promise<void>
  /** Exports the spans that are left. */
  close(): Promise<void>
}

/** Begins to record spans and to export them; metrics follow when there are some. */
export function beginExport({ traces, metrics }: OtelSettings, deps: ExportDeps): Export {
  const resource = resourceOf(deps)
  const scope = { name: 'vigil', version: deps.version }
  let closeSpans = async (): Promise<void> => {}
  let closeMetrics = async (): Promise<void> => {}
  if (traces !== null) {
    const exporter = traces.encoding === 'http/json' ? new JsonTraces() : new ProtobufTraces()
    const spans = new BatchSpanProcessor({ ...traces.queue, exporter: heard(exporter, deps.onError) })
    const endTracing = beginTracing(traces.sampling, (span) =>
      spans.onEnd(readableSpan(span, resource, scope)),
    )
    closeSpans = async () => {
      endTracing()
      await spans.shutdown()
    }
  }
  return {
    readMetrics(read) {
      if (metrics === null) return
      const exporter = metrics.encoding === 'http/json' ? new JsonMetrics() : new ProtobufMetrics()
      const reader = new PeriodicExportingMetricReader({
        exporter: heard(exporter, deps.onError),
        exportIntervalMillis: metrics.everyMs,
        exportTimeoutMillis: Math.min(metrics.timeoutMs, metrics.everyMs),
      })
      const startTime = hrTime(performance.timeOrigin)
      reader.setMetricProducer({
        async collect() {
          const period = { startTime, endTime: hrTime(nowMs()) }
          try {
            const scopeMetrics = [{ scope, metrics: metricData(await read(), period) }]
            return { resourceMetrics: { resource, scopeMetrics }, errors: [] }
          } catch (error) {
            // OpenTelemetry's reader tells nobody; without metrics it exports nothing.
            deps.onError(error)
            return { resourceMetrics: { resource, scopeMetrics: [] }, errors: [error] }
          }
        },
      })
      closeMetrics = () => reader.shutdown()
    },
    closeMetrics: () => closeMetrics(),
    close: () => closeSpans(),
  }
}

/** Variables of the operator win over what Vigil says of itself. */
function resourceOf({ version, roles }: ExportDeps): Resource {
  const own = resourceFromAttributes({
    'service.name': 'vigil',
    'service.version': version,
    'service.instance.id': randomUUID(),
    'process.pid': process.pid,
    'vigil.roles': [...roles],
  })
  return own.merge(detectResources({ detectors: [envDetector] }))
}

interface Exporter<Items> {
  export(items: Items, done: (result: ExportResult) => void): void
}

/** An exporter whose failures are heard: OpenTelemetry itself tells nobody unless asked. */
function heard<Items, Kind extends Exporter<Items>>(exporter: Kind, onError: (error: unknown) => void): Kind {
  const send = exporter.export.bind(exporter)
  exporter.export = (items, done) =>
    send(items, (result) => {
      if (result.code !== ExportResultCode.SUCCESS) onError(result.error)
      done(result)
    })
  return exporter
}
