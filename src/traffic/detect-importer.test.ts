import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { importFormats, importFormatTable } from '../contract/import-formats.ts'
import { detectImporter, IMPORTERS, importerNamed, importText } from './detect-importer.ts'

const fixture = (name: string) => readFileSync(`test/fixtures/${name}`, 'utf8')

test('lists one importer for every name', () => {
  expect(IMPORTERS.map((one) => one.name).sort()).toEqual(
    importFormats.map((format) => importFormatTable[format].importer).sort(),
  )
  expect(importerNamed('har')?.name).toBe('har')
  expect(importerNamed('constructor')).toBeUndefined()
})

test.each([
  ['har', fixture('juiceshop.har')],
  ['openapi', fixture('imports/shop-openapi-3.0.yaml')],
  ['openapi', fixture('imports/shop-openapi-3.1.json')],
  ['openapi', fixture('imports/shop-swagger-2.yaml')],
  ['openapi', '{"components":{"schemas":{}},"info":{},"openapi":"3.0.0","paths":{}}'],
  ['openapi', '# a comment\n---\n"openapi": 3.0.0\n'],
  ['openapi', `components:\n${'  x: y\n'.repeat(20_000)}openapi: 3.0.0\npaths: {}\n`],
  ['postman', fixture('imports/shop-postman-2.1.json')],
  ['insomnia', fixture('imports/shop-insomnia-4.json')],
  ['postman', '{"item":[],"info":{}}'],
  ['postman', '{"collection":{"info":{},"item":[]}}'],
  ['asyncapi', fixture('imports/shop-asyncapi-2.yaml')],
  ['asyncapi', fixture('imports/shop-asyncapi-3.json')],
  ['wsdl', fixture('imports/shop-wsdl.xml')],
  ['protobuf', fixture('imports/shop.proto')],
  ['protobuf', '{"nested":{}}'],
  ['access-log', fixture('imports/shop-access.jsonl')],
  ['access-log', fixture('imports/shop-access-combined.txt')],
  ['access-log', '{"request":{"method":"GET","uri":"/a","host":"h"},"status":200,"ts":1769850000.5}'],
  ['access-log', '[{"httpRequest":{"requestMethod":"GET","requestUrl":"https://h/a","status":200}}]'],
  ['zap', fixture('imports/shop-zap.json')],
  ['zap', fixture('imports/shop-zap.xml')],
  ['zap', '<?xml version="1.0"?><OWASPZAPReport version="2"/>'],
  ['nuclei', fixture('imports/shop-nuclei.jsonl')],
  ['nuclei', fixture('imports/shop-nuclei.json')],
  ['burp-xml', fixture('imports/shop-burp-items.xml')],
  ['burp-xml', '<items/>'],
  ['sample-messages', '{"batchData":[]}'],
  ['sample-messages', '[{"method":"GET","path":"/a"}]'],
  ['sample-messages', '{"path":"/a","method":"GET"}\n{"path":"/b","method":"GET"}'],
  ['sample-messages', '{"request":{},"response":{}}'],
  ['sample-messages', '["{\\"method\\":\\"GET\\"}"]'],
  ['raw-http', 'GET /a HTTP/1.1\r\nHost: h\r\n\r\n'],
  ['raw-http', '\n\nHTTP/1.1 200 OK\n\n'],
  ['curl', '$ curl https://h/'],
  ['curl', 'To list orders:\n\n  curl https://h/orders\n'],
  ['har', '{"log":{"entries":[{"req'],
])('recognises %s by its content', (name, text) => {
  expect(detectImporter(text)?.name).toBe(name)
})

test('falls back on the ending of the file name', () => {
  expect(detectImporter('{"x":1}', 'Recording.HAR')?.name).toBe('har')
  expect(detectImporter('x: 1', 'api.yaml')?.name).toBe('openapi')
  expect(detectImporter('<x/>', 'items.xml')?.name).toBe('burp-xml')
  expect(detectImporter('{"x":1}', 'x.json')).toBeUndefined()
})

test('imports what it recognises, or what is named', () => {
  const result = importText(fixture('juiceshop.har'), { fileName: 'juiceshop.har' })
  expect([...result.exchanges]).toHaveLength(48)
  expect(result).toMatchObject({ importer: 'har', report: { title: 'juiceshop.har', taken: 48 } })
  expect(() => importText('{"x":1}', { importer: 'postman' })).toThrow(expect.objectContaining({ code: 'INVALID_POSTMAN' })) // biome-ignore format: one line reads better
})

test('says which formats are known when it recognises none', () => {
  for (const text of ['hello', '{"x":1}', '<html></html>', '[1,2]']) {
    expect(() => importText(text)).toThrow(
      expect.objectContaining({
        code: 'UNKNOWN_FORMAT',
        details: { known: expect.stringContaining('Postman') },
      }),
    )
  }
})

test.each([
  ['IMPORT_EMPTY', ''],
  ['IMPORT_EMPTY', ' \r\n\t'],
  ['IMPORT_EMPTY', '\ufeff'],
  ['IMPORT_NO_TEXT', gzipSync('{}')],
  ['IMPORT_NO_TEXT', Buffer.concat([Buffer.from('504b0506', 'hex'), Buffer.alloc(18)])],
  ['IMPORT_NO_TEXT', Buffer.from('504b030414000000', 'hex')],
  ['IMPORT_NO_TEXT', Buffer.alloc(100)],
  ['IMPORT_NO_TEXT', Buffer.from('%PDF-1.7')],
  // More than 100 MiB is read: how much may be sent is a setting.
  ['IMPORT_EMPTY', Buffer.alloc(104_857_601, 32)],
])('refuses %s input %#', (code, input) => {
  expect(() => importText(input)).toThrow(expect.objectContaining({ code }))
})

test('reads UTF-16 and UTF-8 with a byte order mark', () => {
  const har = '{"log":{"entries":[]}}'
  const swapped = Buffer.from(`\ufeff${har}`, 'utf16le').swap16()
  for (const bytes of [
    Buffer.from(`\ufeff${har}`),
    Buffer.from(`\ufeff${har}`, 'utf16le'),
    swapped,
    Buffer.from(har, 'utf16le'),
  ]) {
    expect(importText(bytes).importer).toBe('har')
  }
})

test('warns of bytes that are not text, with the line', () => {
  const bytes = Buffer.concat([
    Buffer.from('{"log":{\n"x":"'),
    Buffer.from([0xff]),
    Buffer.from('","entries":[]}}'),
  ])
  const { exchanges, report } = importText(bytes)
  expect([...exchanges]).toEqual([])
  expect(report.warnings[0]).toMatchObject({ where: 'line 2', reason: 'from here on some bytes are not valid utf-8 and were replaced' }) // biome-ignore format: one line reads better
})
