import { readFileSync } from 'node:fs'
import { buildSchema, introspectionFromSchema } from 'graphql'
import type { ImporterName } from '../../src/contract/index.ts'
import { Conversation, frame, pcap, pcapng } from '../packets.ts'

const fixture = (name: string) => readFileSync(`test/fixtures/${name}`)

const message = JSON.stringify({
  method: 'POST',
  path: '/v1/orders?x=1',
  requestHeaders: '{"host":"shop.test","content-type":"application/json"}',
  requestPayload: '{"qty":2}',
  responseHeaders: '{"content-type":"application/json"}',
  responsePayload: '{"id":77}',
  statusCode: '200',
  time: '1769850000',
  tag: '{"team":"pay"}',
})

const raw = [
  'POST /v1/orders HTTP/1.1\r\nHost: shop.test\r\nContent-Type: application/json\r\n\r\n{"qty":2}\r\n\r\n',
  'HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{"id":77}\n\r\n0\r\n\r\n',
  'GET /v1/orders/77 HTTP/1.1\r\nHost: shop.test\r\n\r\n',
].join('\r\n')

const curl = `curl 'https://shop.test/v1/orders' -H 'content-type: application/json' --data-raw '{"qty":2}'
curl -u "ann:s3cret" -F 'file=@photo.png' https://shop.test/upload \\
  --compressed
curl --json $'{"note":"\\u00e9"}' https://shop.test/notes
`

const introspection = JSON.stringify({
  data: introspectionFromSchema(buildSchema(fixture('imports/shop-schema.graphql').toString('utf8'))),
})

const frames = new Conversation()
  .open()
  .send('client', raw.slice(0, raw.indexOf('\r\n\r\nHTTP')))
  .send('server', 'HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{"id":77}\r\n0\r\n\r\n')
  .send('client', 'GET /v1/orders/77 HTTP/1.1\r\nHost: shop.test\r\n\r\n')
  .send('server', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}')
  .close()
  .packets.map((packet) => frame(packet))

function smallHar(): Buffer {
  const recording = JSON.parse(fixture('juiceshop.har').toString('utf8')) as { log: { entries: unknown[] } }
  recording.log.entries = recording.log.entries.slice(17, 24)
  return Buffer.from(JSON.stringify(recording))
}

/** Sound inputs, each of which its importer takes without a word; the broken ones are made from them. */
export const GOOD_INPUTS: readonly {
  readonly importer: ImporterName
  readonly name: string
  readonly bytes: Buffer
}[] = [
  { importer: 'har', name: 'recording', bytes: smallHar() },
  { importer: 'openapi', name: 'OpenAPI 3.0 YAML', bytes: fixture('imports/shop-openapi-3.0.yaml') },
  { importer: 'openapi', name: 'OpenAPI 3.1 JSON', bytes: fixture('imports/shop-openapi-3.1.json') },
  { importer: 'openapi', name: 'Swagger 2 YAML', bytes: fixture('imports/shop-swagger-2.yaml') },
  { importer: 'postman', name: 'collection 2.1', bytes: fixture('imports/shop-postman-2.1.json') },
  { importer: 'postman', name: 'collection 2.0', bytes: fixture('imports/shop-postman-2.0.json') },
  { importer: 'insomnia', name: 'export 4', bytes: fixture('imports/shop-insomnia-4.json') },
  { importer: 'graphql', name: 'schema', bytes: fixture('imports/shop-schema.graphql') },
  { importer: 'graphql', name: 'introspection', bytes: Buffer.from(introspection) },
  { importer: 'asyncapi', name: 'version 2 YAML', bytes: fixture('imports/shop-asyncapi-2.yaml') },
  { importer: 'asyncapi', name: 'version 3 JSON', bytes: fixture('imports/shop-asyncapi-3.json') },
  { importer: 'wsdl', name: 'description', bytes: fixture('imports/shop-wsdl.xml') },
  { importer: 'protobuf', name: 'services', bytes: fixture('imports/shop.proto') },
  { importer: 'access-log', name: 'lines', bytes: fixture('imports/shop-access.jsonl') },
  { importer: 'access-log', name: 'combined format', bytes: fixture('imports/shop-access-combined.txt') },
  { importer: 'access-log', name: 'balancer format', bytes: fixture('imports/shop-access-alb.txt') },
  { importer: 'access-log', name: 'Envoy format', bytes: fixture('imports/shop-access-envoy.txt') },
  { importer: 'zap', name: 'JSON report', bytes: fixture('imports/shop-zap.json') },
  { importer: 'zap', name: 'XML report', bytes: fixture('imports/shop-zap.xml') },
  { importer: 'nuclei', name: 'lines', bytes: fixture('imports/shop-nuclei.jsonl') },
  { importer: 'nuclei', name: 'list', bytes: fixture('imports/shop-nuclei.json') },
  { importer: 'burp-xml', name: 'items', bytes: fixture('imports/shop-burp-items.xml') },
  { importer: 'sample-messages', name: 'batch', bytes: Buffer.from(`{"batchData":[${message},${message}]}`) },
  { importer: 'sample-messages', name: 'lines', bytes: Buffer.from(`${message}\n${message}\n`) },
  { importer: 'raw-http', name: 'messages', bytes: Buffer.from(raw) },
  { importer: 'curl', name: 'commands', bytes: Buffer.from(curl) },
  { importer: 'pcap', name: 'capture', bytes: pcap(frames) },
  { importer: 'pcap', name: 'capture (pcapng)', bytes: pcapng(frames) },
]
