import { formatOfImporter, type ImporterName } from '../../src/contract/index.ts'
import { LARGE_CASES } from '../../test/bad-input/large-cases.ts'

/** A file to import, and what is hostile in it. */
interface HostileFile {
  readonly name: string
  readonly importer: ImporterName
  readonly make: (size: number) => Buffer
}

/** Large files of formats of which {@link LARGE_CASES} breaks none. */
const LARGE_FILES: readonly HostileFile[] = [
  {
    name: 'channels',
    importer: 'asyncapi',
    make: (size) =>
      many(size, '{"asyncapi":"2.0.0","channels":{', (i) => `"a/${i}":{"publish":{}},`, '"z":{}}}'),
  },
  {
    name: 'messages',
    importer: 'wsdl',
    make: (size) =>
      many(
        size,
        '<definitions xmlns="http://schemas.xmlsoap.org/wsdl/">',
        (i) => `<message name="m${i}"><part name="p" element="e"/></message>`,
        '</definitions>',
      ),
  },
  {
    name: 'methods',
    importer: 'protobuf',
    make: (size) =>
      many(
        size,
        'syntax = "proto3"; message A { string a = 1; } service S {',
        (i) => `rpc M${i}(A) returns (A);\n`,
        '}',
      ),
  },
  {
    name: 'requests',
    importer: 'insomnia',
    make: (size) =>
      many(
        size,
        '{"_type":"export","__export_format":4,"resources":[',
        (i) => `{"_id":"req_${i}","_type":"request","parentId":"w","method":"GET","url":"https://h/a/${i}"},`,
        '{"_id":"w","_type":"workspace","name":"w"}]}',
      ),
  },
  {
    name: 'lines',
    importer: 'access-log',
    make: (size) =>
      many(
        size,
        '',
        (i) =>
          `192.0.2.1 - - [10/Oct/2026:13:55:36 +0000] "GET http://h/${'a/'.repeat(40)}${i} HTTP/1.1" 200 1\n`,
        '',
      ),
  },
]

/** Files of a size that importers are slow on: broken ones, and sound ones with very many parts. */
export function hostileFiles(
  size: number,
): readonly { readonly name: string; readonly body: () => unknown }[] {
  return [...LARGE_CASES, ...LARGE_FILES].map(({ name, importer, make }) => ({
    name: `${formatOfImporter(importer)} file, ${name}`,
    body: () => ({
      apiCollectionName: `hostile ${importer}`,
      format: formatOfImporter(importer),
      contentEncoding: 'base64',
      content: make(size).toString('base64'),
    }),
  }))
}

function many(size: number, head: string, part: (index: number) => string, end: string): Buffer {
  const parts: string[] = [head]
  for (let length = head.length + end.length, i = 0; length < size; i++) {
    parts.push(part(i))
    length += parts.at(-1)!.length
  }
  return Buffer.from(parts.join('') + end)
}
