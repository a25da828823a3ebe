import type { ImporterName } from '../../src/contract/index.ts'
import { GOOD_INPUTS } from './good-inputs.ts'

/** A broken input of any size. */
export interface LargeInput {
  readonly name: string
  readonly importer: ImporterName
  /** @param size in bytes; 100 MB unless given */
  readonly make: (size?: number) => Buffer
}

const SIZE = 100_000_000

/** `head`, then `unit` again and again up to the size: the end is missing. */
function filled(size: number, head: string, unit: string | Buffer): Buffer {
  const buffer = Buffer.alloc(size)
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

/** Large inputs, each broken in its own way; generated, never stored. */
export const LARGE_CASES: readonly LargeInput[] = [
  { name: 'a recording that was cut off', importer: 'har', make: (size = SIZE) => filled(size, '{"log":{"entries":[', entriesOfRecording()) },
  { name: 'empty entries', importer: 'har', make: (size = SIZE) => filled(size, '{"log":{"entries":[', '{},') },
  { name: 'broken entries', importer: 'har', make: (size = SIZE) => filled(size, '{"log":{"entries":[', '{"a":},') },
  { name: 'brackets', importer: 'har', make: (size = SIZE) => filled(size, '{"log":{"entries":[', '[') },
  { name: 'objects in objects', importer: 'har', make: (size = SIZE) => filled(size, '{"log":{"entries":[', '{"a":') },
  { name: 'a string that never ends', importer: 'har', make: (size = SIZE) => filled(size, '{"log":{"entries":[{"a":"', 'a') },
  { name: 'backslashes', importer: 'har', make: (size = SIZE) => filled(size, '{"log":{"entries":[{"a":"', '\\') },
  { name: 'escaped quotes', importer: 'har', make: (size = SIZE) => filled(size, '{"log":{"entries":[{"a":"', '\\"') },
  { name: 'numbers in front of the entries', importer: 'har', make: (size = SIZE) => filled(size, '{"log":{"pages":[', '0,') },
  { name: 'line feeds', importer: 'har', make: (size = SIZE) => filled(size, '{"log":{"entries":[', '{},\n') },
  { name: 'bytes that are no UTF-8', importer: 'har', make: (size = SIZE) => filled(size, '{"log":{"entries":[{"a":"', Buffer.from([0xff])) },
  { name: 'blanks', importer: 'har', make: (size = SIZE) => filled(size, '', ' ') },
  { name: 'JSON operations that were cut off', importer: 'openapi', make: (size = SIZE) => filled(size, '{"openapi":"3.0.0","paths":{', '"/a/{id}":{"get":{"responses":{"200":{"description":"x"}}}},') },
  { name: 'JSON brackets', importer: 'openapi', make: (size = SIZE) => filled(size, '{"openapi":"3.0.0","paths":', '[') },
  { name: 'JSON empty objects', importer: 'openapi', make: (size = SIZE) => filled(size, '{"openapi":"3.0.0","x":[', '{},') },
  { name: 'a JSON string that never ends', importer: 'openapi', make: (size = SIZE) => filled(size, '{"openapi":"3.0.0","x":"', 'a') },
  { name: 'YAML operations', importer: 'openapi', make: (size = SIZE) => filled(size, 'openapi: 3.0.0\npaths:\n', '  /a:\n    get: {}\n') },
  { name: 'YAML brackets', importer: 'openapi', make: (size = SIZE) => filled(size, 'openapi: 3.0.0\npaths: ', '[') },
  { name: 'requests that were cut off', importer: 'postman', make: (size = SIZE) => filled(size, '{"info":{},"item":[', '{"request":"https://h/a"},') },
  { name: 'folders', importer: 'postman', make: (size = SIZE) => filled(size, '{"info":{},"item":[', '{"item":[') },
  { name: 'items that were cut off', importer: 'burp-xml', make: (size = SIZE) => filled(size, '<items>\n', burpItem()) },
  { name: 'empty items', importer: 'burp-xml', make: (size = SIZE) => filled(size, '<items>', '<item/>') },
  { name: 'open tags', importer: 'burp-xml', make: (size = SIZE) => filled(size, '<items>', '<a>') },
  { name: 'attributes', importer: 'burp-xml', make: (size = SIZE) => filled(size, '<items><item ', 'a="1" ') },
  { name: 'entities', importer: 'burp-xml', make: (size = SIZE) => filled(size, '<items><item><url>', '&amp;') },
  { name: 'brackets in CDATA', importer: 'burp-xml', make: (size = SIZE) => filled(size, '<items><item><url><![CDATA[', ']]') },
  { name: 'CDATA sections', importer: 'burp-xml', make: (size = SIZE) => filled(size, '<items><item><url>', '<![CDATA[]]>') },
  { name: 'a comment that never ends', importer: 'burp-xml', make: (size = SIZE) => filled(size, '<items><!--', '-a') },
  { name: 'processing instructions', importer: 'burp-xml', make: (size = SIZE) => filled(size, '<items>', '<?a?>') },
  { name: 'a document type', importer: 'burp-xml', make: (size = SIZE) => filled(size, '<!DOCTYPE items [', '<!ELEMENT a (b)>') },
  { name: 'messages that were cut off', importer: 'sample-messages', make: (size = SIZE) => filled(size, '{"batchData":[', `${message},`) },
  { name: 'lines of messages, the last cut off', importer: 'sample-messages', make: (size = SIZE) => filled(size, '', `${message}\n`) },
  { name: 'broken lines', importer: 'sample-messages', make: (size = SIZE) => filled(size, '', '{"a":[\n') },
  { name: 'lines of open quotes', importer: 'sample-messages', make: (size = SIZE) => filled(size, '', '{"a":"\n') },
  { name: 'fields that were cut off', importer: 'graphql', make: (size = SIZE) => filled(size, 'type Query {\n', 'a: Int\n') },
  { name: 'start lines', importer: 'raw-http', make: (size = SIZE) => filled(size, '', 'GET /a HTTP/1.1\n\n') },
  { name: 'headers', importer: 'raw-http', make: (size = SIZE) => filled(size, 'GET /a HTTP/1.1\n', 'X-A: 1\n') },
  { name: 'one header', importer: 'raw-http', make: (size = SIZE) => filled(size, 'GET /a HTTP/1.1\nX-A: ', 'a') },
  { name: 'line feeds', importer: 'raw-http', make: (size = SIZE) => filled(size, 'GET /a HTTP/1.1\nHost: h\n\n===', '\n') },
  { name: 'commands', importer: 'curl', make: (size = SIZE) => filled(size, '', 'curl https://h/a\n') },
  { name: 'options', importer: 'curl', make: (size = SIZE) => filled(size, 'curl https://h/a ', '-H a:b ') },
  { name: 'an open quote', importer: 'curl', make: (size = SIZE) => filled(size, "curl 'https://h/", 'a') },
  { name: 'open quotes', importer: 'curl', make: (size = SIZE) => filled(size, '', "curl $'\\'\n") },
  { name: 'mentions of curl', importer: 'curl', make: (size = SIZE) => filled(size, 'curl https://h/a\n', 'a curl\n') },
  { name: 'dollars', importer: 'curl', make: (size = SIZE) => filled(size, 'curl https://h/a "', '$a') },
] // biome-ignore format: one case a line
