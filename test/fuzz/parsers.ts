import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  LiveReader,
  parseBody,
  parseQuery,
  parseRawRequest,
  parseRawResponse,
  readCurl,
} from '../../src/http/index.ts'
import { Failure } from '../../src/kit/index.ts'
import { readYaml } from '../../src/rules/index.ts'
import { parseTemplate } from '../../src/testing/template/parse-template.ts'
import { compileFilter } from '../../src/threat/filters/compile-filter.ts'
import { IMPORTERS, importText, jsonSpans, protobufSpans, spanMessage } from '../../src/traffic/index.ts'
import { GOOD_INPUTS } from '../bad-input/good-inputs.ts'
import { outcomeFor, outcomeOf } from '../bad-input/outcome.ts'

/** Something that reads data from outside. */
export interface Parser {
  readonly name: string
  /** Sound inputs, from which broken ones are made. */
  readonly samples: readonly Buffer[]
  /**
   * Reads an input to its end; throws nothing but a Failure.
   *
   * @returns what became of it in a few words: an input with words that no other had is kept as a further sample
   */
  readonly run: (input: Buffer) => string
}

const ROOT = join(import.meta.dirname, '../..')
/** Inputs that broke a parser once, in a folder of its name. */
export const FOUND = join(ROOT, 'test/fixtures/fuzz')

/** The message or its bytes, for those that fail in their own words. */
function outcome(read: () => unknown): string {
  try {
    return String(read() ?? '')
  } catch (error) {
    if (error instanceof Failure) return `${error.code} ${shape(String(error.details['reason'] ?? ''))}`
    throw error
  }
}

/** A reason without its numbers and names. */
function shape(text: string): string {
  return text.replace(/"[^"]*"|\d+/g, '#').slice(0, 60)
}

function importers(): Parser[] {
  return IMPORTERS.map((importer) => ({
    name: importer.name,
    samples: GOOD_INPUTS.filter((input) => input.importer === importer.name).map(({ bytes }) => bytes),
    run: (input) => {
      const { failure, report } = outcomeFor(importer, input)
      if (failure !== undefined) return `${failure.code} ${shape(String(failure.details['reason'] ?? ''))}`
      const reasons = [...(report?.skipped ?? []), ...(report?.warnings ?? [])].map(({ reason }) =>
        shape(reason),
      )
      return [...new Set(reasons)].sort().slice(0, 3).join('|')
    },
  }))
}

function files(folder: string): Buffer[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.yaml'))
    .slice(0, 40)
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)))
}

const texts = (...list: readonly string[]): Buffer[] => list.map((text) => Buffer.from(text))
const message =
  '{"method":"GET","path":"/a?b=1","requestHeaders":{"host":"h"},"statusCode":200,"time":1769850000}'

const BODIES: readonly [contentType: string, body: string][] = [
  ['application/json', '{"a":[1,{"b":"c"}],"d":null}'],
  ['application/x-www-form-urlencoded', 'a=1&b[]=2&c%5Bd%5D=é'],
  [
    'multipart/form-data; boundary=x',
    '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
  ],
  ['application/xml', '<a b="1"><c>2</c><![CDATA[x]]></a>'],
  ['text/event-stream', 'event: a\ndata: {"b":1}\n\n'],
  ['application/x-ndjson', '{"a":1}\n{"a":2}\n'],
  ['application/grpc', '\0\0\0\0\x04\x0a\x02hi'],
  ['application/x-protobuf', '\x0a\x02hi\x10\x07'],
]

function bodyParsers(): Parser[] {
  return BODIES.map(([contentType, body]) => ({
    name: `body-${contentType.split(/[/;]/)[1]!.replace(/^x-/, '')}`,
    samples: texts(body),
    run: (input) => {
      const read = parseBody({ contentType, body: input.toString('base64'), isBase64: true })
      parseBody({ contentType, body: input.toString() })
      return read.kind
    },
  }))
}

const traces = Buffer.from(
  '0a370a150a130a0c736572766963652e6e616d6512030a0161121e121c0a02abcd1202abcd30024a110a0b687474702e6d6574686f6412030a0147',
  'hex',
)

function readSpans(spans: Iterable<Parameters<typeof spanMessage>[0]>): string {
  return [...spans]
    .map((span) => typeof spanMessage(span))
    .join(' ')
    .slice(0, 100)
}

/** Every parser of data from outside, with the inputs that broke it once among its samples. */
export function parsers(): Parser[] {
  const all: Parser[] = [
    ...importers(),
    { name: 'any-import', samples: GOOD_INPUTS.map(({ bytes }) => bytes), run: (input) => outcomeOf(() => importText(input)).failure?.code ?? '' },
    ...bodyParsers(),
    { name: 'query', samples: texts('a=1&b[c]=2&d=%zz&e'), run: (input) => outcome(() => typeof parseQuery(input.toString())) },
    { name: 'raw-request', samples: texts('POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}'), run: (input) => outcome(() => parseRawRequest(input).notes.map(shape)) },
    { name: 'raw-response', samples: texts('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'), run: (input) => outcome(() => parseRawResponse(input).notes.map(shape)) },
    { name: 'curl-text', samples: texts(`curl -X POST 'https://h/a' -H 'a: b' --data-raw $'{\\'x\\':1}' \\\n -F "f=@x"`), run: (input) => outcome(() => [...readCurl(input.toString())].length) },
    { name: 'live-batch', samples: texts(`{"batchData":[${message}]}`, `[${message},{"request":{"url":"/a","method":"GET"},"response":{}}]`, message), run: readLive },
    { name: 'otlp-protobuf', samples: [traces], run: (input) => outcome(() => readSpans(protobufSpans(input))) },
    { name: 'otlp-json', samples: texts('{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"a","spanId":"b","kind":2,"attributes":[{"key":"http.method","value":{"stringValue":"GET"}},{"key":"url.path","value":{"stringValue":"/a"}}]}]}]}]}'), run: readJsonSpans },
    { name: 'yaml', samples: files('templates/tests').slice(0, 10), run: (input) => outcome(() => typeof readYaml(input.toString()).problems.map(({ message }) => shape(message)).slice(0, 3)) },
    { name: 'test-template', samples: files('templates/tests'), run: (input) => outcome(() => parseTemplate(input.toString(), 'a.yaml').problems.map(({ message }) => shape(message)).slice(0, 3)) },
    { name: 'threat-filter', samples: files('templates/filters'), run: (input) => outcome(() => compileFilter(input.toString()).problems.map(({ message }) => shape(message)).slice(0, 3)) },
  ] // biome-ignore format: one parser a line
  return all.map((parser) => ({ ...parser, samples: [...parser.samples, ...foundInputs(parser.name)] }))
}

/** Inputs that broke a parser once. */
export function foundInputs(name: string): Buffer[] {
  const folder = join(FOUND, name)
  return existsSync(folder) ? readdirSync(folder).map((file) => readFileSync(join(folder, file))) : []
}

const reader = new LiveReader()
const building = new LiveReader(false)

/** Both ways of reading a batch, which must agree. */
function readLive(input: Buffer): string {
  const [scanned, built] = [reader, building].map((one) =>
    outcome(() => {
      one.begin()
      const batch = one.open(new Uint8Array(input), 'OTHER')
      return Array.from({ length: batch.count }, (_, i) => {
        const read = batch.exchangeAt(i)
        return typeof read === 'string' ? shape(read) : 'taken'
      })
    }),
  )
  if (scanned !== built) throw new Error(`read in place: ${scanned}; built: ${built}`)
  return scanned!
}

function readJsonSpans(input: Buffer): string {
  let parsed: unknown
  try {
    parsed = JSON.parse(input.toString())
  } catch {
    return 'not JSON'
  }
  return outcome(() => readSpans(jsonSpans(parsed)))
}
