import { expect, test } from 'vitest'
import { readOtelSettings } from './otel-settings.ts'

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }

test('nothing is exported without an endpoint, or when it is switched off', () => {
  const nothing = { traces: null, metrics: null }
  expect(readOtelSettings({})).toEqual(nothing)
  expect(readOtelSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' })).toEqual(nothing)
  expect(readOtelSettings({ ...ENDPOINT, OTEL_SDK_DISABLED: 'true' })).toEqual(nothing)
  expect(readOtelSettings({ ...ENDPOINT, OTEL_METRICS_EXPORTER: 'none' }).metrics).toBeNull()
  expect(
    readOtelSettings({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' }),
  ).toMatchObject({
    traces: { encoding: 'http/protobuf' },
    metrics: null,
  })
})

test('sampling, encoding and intervals are read as OpenTelemetry says', () => {
  expect(readOtelSettings(ENDPOINT)).toMatchObject({
    traces: { sampling: { ratio: 1, followsParent: true }, queue: { maxQueueSize: 2048 } },
    metrics: { everyMs: 60_000 },
  })
  const { traces, metrics } = readOtelSettings({
    ...ENDPOINT,
    OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'http/json',
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    OTEL_BSP_SCHEDULE_DELAY: '100',
    OTEL_METRIC_EXPORT_INTERVAL: '10000',
  })
  expect(traces?.sampling).toEqual({ ratio: 0.25, followsParent: false })
  expect([traces?.encoding, metrics?.encoding]).toEqual(['http/protobuf', 'http/json'])
  expect([traces?.queue.scheduledDelayMillis, metrics?.everyMs]).toEqual([100, 10_000])
})

test.for([
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL is grpc'],
  [
    { OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'grpc', OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' },
    'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL is grpc',
  ],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
    'OTEL_EXPORTER_OTLP_ENDPOINT is not a URL of http or https',
  ],
  [
    { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'collector:4318' },
    'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT is not a URL of http or https',
  ],
  [{ OTEL_TRACES_EXPORTER: 'zipkin' }, 'OTEL_TRACES_EXPORTER is zipkin'],
  [{ OTEL_TRACES_SAMPLER: 'constructor' }, 'OTEL_TRACES_SAMPLER is constructor'],
  [{ OTEL_TRACES_SAMPLER_ARG: '2' }, 'from 0 to 1'],
  [{ OTEL_BSP_MAX_QUEUE_SIZE: '-1' }, 'OTEL_BSP_MAX_QUEUE_SIZE'],
] as const)('a variable that cannot be followed is named: %j', ([given, reason]) => {
  try {
    readOtelSettings({ ...ENDPOINT, ...given })
  } catch (error) {
    expect(error).toMatchObject({
      code: 'TELEMETRY_UNUSABLE',
      details: { reason: expect.stringContaining(reason) },
    })
    return
  }
  expect.unreachable('it was accepted')
})
