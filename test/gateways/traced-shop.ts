/**
 * An application with OpenTelemetry: its HTTP server is instrumented, it asks itself for what the arguments name
 * (METHOD:path), makes a span by the earlier conventions, and exports all by the settings in its environment.
 */
import { once } from 'node:events'
import type * as Http from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { SpanKind } from '@opentelemetry/api'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'

const [protocol, ...requests] = process.argv.slice(2)
const exporter = protocol === 'json' ? new JsonExporter() : new ProtobufExporter()
const provider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] })
const instrumentation = new HttpInstrumentation({
  headersToSpanAttributes: { server: { requestHeaders: ['x-team'], responseHeaders: ['content-type'] } },
})
instrumentation.setTracerProvider(provider)
instrumentation.enable()
// Loaded after it was instrumented.
const http = createRequire(import.meta.url)('http') as typeof Http

const shop = http.createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
})
shop.listen(0, '127.0.0.1')
await once(shop, 'listening')
const { port } = shop.address() as AddressInfo
for (const one of requests) {
  const [method, path] = one.split(/:(.*)/s)
  const headers = { host: 'traced.test', 'x-team': 'pay', 'user-agent': 'shop-client/1' }
  const outgoing = http.request({ host: '127.0.0.1', port, method, path, headers }).end()
  const [answer] = (await once(outgoing, 'response')) as [Http.IncomingMessage]
  answer.resume()
  await once(answer, 'end')
}
provider
  .getTracer('earlier')
  .startSpan('GET /earlier/{id}', {
    kind: SpanKind.SERVER,
    attributes: {
      'http.method': 'GET',
      'http.target': '/earlier/7?a=1',
      'http.host': 'traced.test',
      'http.scheme': 'https',
      'http.status_code': 200,
      'http.route': '/earlier/{id}',
      'net.sock.peer.addr': '203.0.113.9',
    },
  })
  .end()
await provider.shutdown()
shop.close()
shop.closeAllConnections()
