import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { TestServer } from '../harness.ts'
import { testKey } from '../harness.ts'
import { sharing } from '../shared-server.ts'
import { environmentWithoutSettings, startProgram } from '../start-program.ts'
import { until } from '../until.ts'

const SHOP = fileURLToPath(new URL('traced-shop.ts', import.meta.url))

let server: TestServer
sharing.beforeAll(({ shared }) => {
  server = shared
})

interface Row {
  method: string
  url: string
  sources: Record<string, unknown>
  auth: string[]
}

async function endpointsOf(host: string): Promise<Row[]> {
  await server.running.app.inventory.flush()
  const { rows } = await server.running.app.store.pool.query<Row>(
    `SELECT e.method, e.url, e.sources, e.actual_auth_types AS auth FROM endpoints e
       JOIN collections c ON c.id = e.collection_id WHERE c.host_name = $1 ORDER BY e.url, e.method`,
    [host],
  )
  return rows
}

/** Runs the application to its end and gives what it said. */
async function runShop(protocol: string, requests: string[], environment = {}): Promise<string> {
  const child = startProgram(SHOP, [protocol, ...requests], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...environmentWithoutSettings(),
      OTEL_EXPORTER_OTLP_ENDPOINT: `${server.baseUrl}/api/otlp`,
      // A busy machine may take longer than the ten seconds that exporters wait.
      OTEL_EXPORTER_OTLP_TIMEOUT: '100000',
      OTEL_BSP_EXPORT_TIMEOUT: '100000',
      OTEL_EXPORTER_OTLP_HEADERS: `x-api-key=${testKey}`,
      ...environment,
    },
  })
  let said = ''
  child.stderr!.on('data', (chunk) => {
    said += chunk
  })
  const [code] = await once(child, 'exit')
  expect(code, said).toBe(0)
  return said
}

sharing.for([
  ['json', {}],
  ['protobuf', {}],
  ['protobuf', { OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' }],
] as const)(
  'the SDK of OpenTelemetry sends its spans as %s %o',
  { timeout: 150_000 },
  async ([protocol, environment]) => {
    const mark = `${protocol}${Object.keys(environment).length}`
    const said = await runShop(
      protocol,
      [`GET:/${mark}/orders?page=2`, `DELETE:/${mark}/orders`],
      environment,
    )
    expect(said).toBe('')
    const rows = await until('it is in the inventory', () => endpointsOf('traced.test'), {
      isRight: (found) => found.filter(({ url }) => url.includes(mark)).length === 2,
    })
    const own = rows.filter(({ url }) => url.includes(mark))
    expect(own.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `DELETE /${mark}/orders`,
      `GET /${mark}/orders`,
    ])
    expect(own[0]!.sources).toHaveProperty('OPEN_TELEMETRY')
    // Spans have no credentials: they do not show that a caller needs none.
    expect(own[0]!.auth).toEqual([])
    // The framework tells the template of its route.
    expect(rows.filter(({ url }) => url.startsWith('/earlier/'))).toMatchObject([
      { url: expect.stringMatching(/^\/earlier\/[A-Z]+$/) },
    ])
  },
)

const TRACES = '/api/otlp/v1/traces'

function spanOf(attributes: Record<string, string>, kind: number): object {
  const list = Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } }))
  return { traceId: 'ab', spanId: 'cd', kind, startTimeUnixNano: '1769850000000000000', attributes: list }
}

sharing('spans that tell too little are refused in the words of the protocol, others pass over', async () => {
  const spans = [
    spanOf({ 'http.request.method': 'GET' }, 2),
    spanOf({ 'http.request.method': 'GET', 'url.full': 'https://other.test/called' }, 3),
    spanOf({ 'db.system': 'postgresql' }, 2),
  ]
  const body = { resourceSpans: [{ scopeSpans: [{ spans }] }] }
  const answer = await server.post(TRACES, body)
  expect([answer.status, await answer.json()]).toEqual([
    200,
    {
      partialSuccess: {
        rejectedSpans: '1',
        errorMessage: 'the span has neither url.path nor http.target',
      },
    },
  ])
  expect(await endpointsOf('other.test')).toEqual([])
})

sharing('a request is refused without a key, of another type, and when it is broken', async () => {
  const send = async (body: unknown, options: object): Promise<number> =>
    (await server.post(TRACES, body, options)).status
  const protobuf = { headers: { 'content-type': 'application/x-protobuf' } }
  expect(await send({ resourceSpans: [] }, { key: null })).toBe(403)
  expect(await send({ resourceSpans: [] }, { headers: { 'content-type': 'text/plain' } })).toBe(415)
  expect(await send({}, {})).toBe(400)
  expect(await send('{', {})).toBe(400)
  expect(await send(new Uint8Array([10, 200, 1]), protobuf)).toBe(400)
  expect(await send(new Uint8Array(9 * 1024 * 1024), protobuf)).toBe(413)
  expect(await send(new Uint8Array(0), protobuf)).toBe(200)
  expect(
    (
      await server.post(`${TRACES}?apiCollectionId=987654321`, {
        resourceSpans: [
          { scopeSpans: [{ spans: [spanOf({ 'http.method': 'GET', 'http.target': '/x' }, 2)] }] },
        ],
      })
    ).status,
  ).toBe(422)
})
