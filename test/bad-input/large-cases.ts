import type { ImporterName } from '../../src/traffic/index.ts'
import { GOOD_INPUTS } from './good-inputs.ts'

/** A broken input of some 100 MB. */
export interface LargeInput {
  readonly name: string
  readonly importer: ImporterName
  readonly make: () => Buffer
}

const SIZE = 100_000_000

/** `head`, then `unit` again and again up to 100 MB: the end is missing. */
function filled(head: string, unit: string | Buffer): Buffer {
  const buffer = Buffer.alloc(SIZE)
  buffer.write(head, 0)
  buffer.fill(unit, Buffer.byteLength(head))
  return buffer
}

function good(importer: ImporterName): string {
  return GOOD_INPUTS.find((one) => one.importer === importer)!.bytes.toString('utf8')
}

function entriesOfRecording(): string {
  const { log } = JSON.parse(good('har')) as { log: { entries: unknown[] } }
  return `${log.entries.map((entry) => JSON.stringify(entry)).join(',')},`
}

function burpItem(): string {
  const text = good('burp-xml')
  return text.slice(text.indexOf('  <item>'), text.lastIndexOf('</items>'))
}

const message =
  '{"method":"GET","path":"/v1/orders/1","requestHeaders":"{\\"host\\":\\"h\\"}","responsePayload":"{\\"a\\":1}"}'

/** Inputs of 100 MB, each broken in its own way; generated, never stored. */
export const LARGE_CASES: readonly LargeInput[] = [
  { name: 'a recording that was cut off', importer: 'har', make: () => filled('{"log":{"entries":[', entriesOfRecording()) },
  { name: 'empty entries', importer: 'har', make: () => filled('{"log":{"entries":[', '{},') },
  { name: 'broken entries', importer: 'har', make: () => filled('{"log":{"entries":[', '{"a":},') },
  { name: 'brackets', importer: 'har', make: () => filled('{"log":{"entries":[', '[') },
  { name: 'objects in objects', importer: 'har', make: () => filled('{"log":{"entries":[', '{"a":') },
  { name: 'a string that never ends', importer: 'har', make: () => filled('{"log":{"entries":[{"a":"', 'a') },
  { name: 'backslashes', importer: 'har', make: () => filled('{"log":{"entries":[{"a":"', '\\') },
  { name: 'escaped quotes', importer: 'har', make: () => filled('{"log":{"entries":[{"a":"', '\\"') },
  { name: 'numbers in front of the entries', importer: 'har', make: () => filled('{"log":{"pages":[', '0,') },
  { name: 'line feeds', importer: 'har', make: () => filled('{"log":{"entries":[', '{},\n') },
  { name: 'bytes that are no UTF-8', importer: 'har', make: () => filled('{"log":{"entries":[{"a":"', Buffer.from([0xff])) },
  { name: 'blanks', importer: 'har', make: () => filled('', ' ') },
  { name: 'JSON operations that were cut off', importer: 'openapi', make: () => filled('{"openapi":"3.0.0","paths":{', '"/a/{id}":{"get":{"responses":{"200":{"description":"x"}}}},') },
  { name: 'JSON brackets', importer: 'openapi', make: () => filled('{"openapi":"3.0.0","paths":', '[') },
  { name: 'JSON empty objects', importer: 'openapi', make: () => filled('{"openapi":"3.0.0","x":[', '{},') },
  { name: 'a JSON string that never ends', importer: 'openapi', make: () => filled('{"openapi":"3.0.0","x":"', 'a') },
  { name: 'YAML operations', importer: 'openapi', make: () => filled('openapi: 3.0.0\npaths:\n', '  /a:\n    get: {}\n') },
  { name: 'YAML brackets', importer: 'openapi', make: () => filled('openapi: 3.0.0\npaths: ', '[') },
  { name: 'requests that were cut off', importer: 'postman', make: () => filled('{"info":{},"item":[', '{"request":"https://h/a"},') },
  { name: 'folders', importer: 'postman', make: () => filled('{"info":{},"item":[', '{"item":[') },
  { name: 'items that were cut off', importer: 'burp-xml', make: () => filled('<items>\n', burpItem()) },
  { name: 'empty items', importer: 'burp-xml', make: () => filled('<items>', '<item/>') },
  { name: 'open tags', importer: 'burp-xml', make: () => filled('<items>', '<a>') },
  { name: 'attributes', importer: 'burp-xml', make: () => filled('<items><item ', 'a="1" ') },
  { name: 'entities', importer: 'burp-xml', make: () => filled('<items><item><url>', '&amp;') },
  { name: 'brackets in CDATA', importer: 'burp-xml', make: () => filled('<items><item><url><![CDATA[', ']]') },
  { name: 'CDATA sections', importer: 'burp-xml', make: () => filled('<items><item><url>', '<![CDATA[]]>') },
  { name: 'a comment that never ends', importer: 'burp-xml', make: () => filled('<items><!--', '-a') },
  { name: 'processing instructions', importer: 'burp-xml', make: () => filled('<items>', '<?a?>') },
  { name: 'a document type', importer: 'burp-xml', make: () => filled('<!DOCTYPE items [', '<!ELEMENT a (b)>') },
  { name: 'messages that were cut off', importer: 'sample-messages', make: () => filled('{"batchData":[', `${message},`) },
  { name: 'lines of messages, the last cut off', importer: 'sample-messages', make: () => filled('', `${message}\n`) },
  { name: 'broken lines', importer: 'sample-messages', make: () => filled('', '{"a":[\n') },
  { name: 'lines of open quotes', importer: 'sample-messages', make: () => filled('', '{"a":"\n') },
  { name: 'start lines', importer: 'raw-http', make: () => filled('', 'GET /a HTTP/1.1\n\n') },
  { name: 'headers', importer: 'raw-http', make: () => filled('GET /a HTTP/1.1\n', 'X-A: 1\n') },
  { name: 'one header', importer: 'raw-http', make: () => filled('GET /a HTTP/1.1\nX-A: ', 'a') },
  { name: 'line feeds', importer: 'raw-http', make: () => filled('GET /a HTTP/1.1\nHost: h\n\n===', '\n') },
  { name: 'commands', importer: 'curl', make: () => filled('', 'curl https://h/a\n') },
  { name: 'options', importer: 'curl', make: () => filled('curl https://h/a ', '-H a:b ') },
  { name: 'an open quote', importer: 'curl', make: () => filled("curl 'https://h/", 'a') },
  { name: 'open quotes', importer: 'curl', make: () => filled('', "curl $'\\'\n") },
  { name: 'mentions of curl', importer: 'curl', make: () => filled('curl https://h/a\n', 'a curl\n') },
  { name: 'dollars', importer: 'curl', make: () => filled('curl https://h/a "', '$a') },
] // biome-ignore format: one case a line
