import { afterEach, expect, test } from 'vitest'
import { MARATHON } from '../../scripts/test-files.ts'
import { type CliServer, startCli } from '../cli-process.ts'
import { testKey } from '../harness.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { killPrograms } from '../start-program.ts'
import { freshStorePlace, type StorePlace } from '../store-fixture.ts'
import { until } from '../until.ts'
import { allTests, collectionOf, type Installation, wholeCollection } from '../use-vigil.ts'

/** Nothing listens there; a check that cannot reach its target is still worked off. */
const HOST = '127.0.0.1:9'
const SECRET = 'sk-live-4f9a1c77b2'
let receiver: Receiver | null = null
let place: StorePlace | null = null

afterEach(async () => {
  await killPrograms()
  await receiver?.close()
  await place?.dispose()
  receiver = null
  place = null
})

interface JsonSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: { key: string; value: Record<string, unknown> }[]
  status: { code?: number }
}

interface JsonMetric {
  name: string
  sum?: { isMonotonic: boolean; dataPoints: JsonPoint[] }
  gauge?: { dataPoints: JsonPoint[] }
  histogram?: { dataPoints: JsonPoint[] }
}

interface JsonPoint {
  attributes: { key: string; value: { stringValue?: string } }[]
  asDouble?: number
  count?: string | number
  bucketCounts?: (string | number)[]
  explicitBounds?: number[]
}

/** What a collector got of one kind, in the JSON of OpenTelemetry's protocol. */
function received<Kind>(path: string, list: 'resourceSpans' | 'resourceMetrics'): Kind[] {
  const [scopes, items] = list === 'resourceSpans' ? ['scopeSpans', 'spans'] : ['scopeMetrics', 'metrics']
  return receiver!.heard
    .filter((request) => request.path === path)
    .flatMap(
      ({ body }) => (JSON.parse(body) as Record<string, Record<string, Record<string, Kind[]>[]>[]>)[list]!,
    )
    .flatMap((resource) => resource[scopes!]!)
    .flatMap((scope) => scope[items!]!)
}

const spans = (): JsonSpan[] => received<JsonSpan>('/v1/traces', 'resourceSpans')
const metrics = (): JsonMetric[] => received<JsonMetric>('/v1/metrics', 'resourceMetrics')

function attribute({ attributes }: Pick<JsonSpan, 'attributes'>, name: string): unknown {
  return Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0]
}

async function startExporting(environment: Readonly<Record<string, string>>): Promise<CliServer> {
  place = await freshStorePlace()
  const store = place.databaseUrl === null ? [] : ['--database-url', place.databaseUrl]
  const args = [...store, '--data-dir', place.dataDir, '--api-key', testKey]
  return startCli(args, undefined, undefined, {
    OTEL_BSP_SCHEDULE_DELAY: '100',
    OTEL_METRIC_EXPORT_INTERVAL: '500',
    ...environment,
  })
}

function vigilAt({ baseUrl }: CliServer, headers: Readonly<Record<string, string>> = {}): Installation {
  return {
    async call(operation, body) {
      const answer = await fetch(`${baseUrl}/api/${operation}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': testKey, ...headers },
        body: JSON.stringify(body),
      })
      expect(answer.status, operation).toBe(200)
      return (await answer.json()) as Record<string, unknown>
    },
  }
}

const batch = {
  batchData: [
    {
      method: 'GET',
      path: `/orders/${SECRET}`,
      requestHeaders: { host: HOST, authorization: `Bearer ${SECRET}` },
      responseHeaders: { 'content-type': 'application/json' },
      statusCode: 200,
      responsePayload: JSON.stringify({ card: SECRET }),
      ip: '203.0.113.9',
      time: 1_795_000_000,
      source: 'MIRRORING',
    },
  ],
}

test('traces lead from a request through threads to the store and to the test run that it started', {
  tags: [MARATHON],
  timeout: 300_000,
}, async () => {
  receiver = await startReceiver()
  const server = await startExporting({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-token=abc',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  })
  const caller = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }
  await vigilAt(server, { traceparent: `00-${caller.traceId}-${caller.spanId}-01` }).call('ingestData', batch)
  const vigil = vigilAt(server)
  const order = wholeCollection(await collectionOf(vigil, HOST), (await allTests(vigil)).slice(0, 40))
  await vigil.call('startTest', order)
  await until('the spans of the run are there', async () => spans().map(({ name }) => name), {
    isRight: (names) => names.includes('test run plan') && names.includes('test run shard'),
    ms: 60_000,
  })

  const ingest = spans().find(({ name }) => name === 'POST /api/ingestData')!
  expect(ingest).toMatchObject({ traceId: caller.traceId, parentSpanId: caller.spanId, kind: 2 })
  expect(attribute(ingest, 'http.response.status_code')).toBe(200)
  const transaction = spans().find(({ name }) => name === 'ingest transaction')!
  expect(transaction).toMatchObject({ traceId: caller.traceId, parentSpanId: ingest.spanId })
  expect(attribute(transaction, 'vigil.messages')).toBe(1)
  expect(
    spans().filter(
      ({ name, parentSpanId }) => name === 'store transaction' && parentSpanId === transaction.spanId,
    ),
  ).toMatchObject([{ traceId: caller.traceId, kind: 3 }])

  const start = spans().find(({ name }) => name === 'POST /api/startTest')!
  expect(start.traceId).not.toBe(caller.traceId)
  for (const name of ['test run plan', 'test run shard'])
    expect(spans().find((span) => span.name === name)).toMatchObject({
      traceId: start.traceId,
      parentSpanId: start.spanId,
    })

  const first = JSON.parse(receiver.heard[0]!.body) as Record<
    string,
    { resource: Pick<JsonSpan, 'attributes'> }[]
  >
  const { resource } = Object.values(first)[0]![0]!
  expect(attribute(resource, 'service.name')).toBe('vigil')
  expect(attribute(resource, 'deployment.environment.name')).toBe('test')
  expect(receiver.heard[0]!.headers['x-collector-token']).toBe('abc')

  const counted = (): number | undefined =>
    metrics()
      .filter(({ name }) => name === 'vigil_calls_total')
      .flatMap(({ sum }) => sum!.dataPoints)
      .findLast((point) => attribute(point, 'operation') === 'ingestData')?.asDouble
  await until('the call is in the metrics', async () => counted(), { isRight: (count) => count === 1 })
  const times = metrics()
    .filter(({ name }) => name === 'vigil_call_seconds')
    .flatMap(({ histogram }) => histogram!.dataPoints)
    .findLast((point) => attribute(point, 'operation') === 'ingestData')!
  expect(Number(times.count)).toBe(1)
  expect(times.bucketCounts!.map(Number).reduce((all, one) => all + one)).toBe(1)
  expect(times.bucketCounts!.length).toBe(times.explicitBounds!.length + 1)

  const all = receiver.heard.map(({ body }) => body).join('\n')
  for (const secret of [SECRET, testKey, 'orders', '203.0.113.9']) expect(all).not.toContain(secret)
})
