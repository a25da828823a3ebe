import { gzipSync } from 'node:zlib'
import type { ImporterName } from '../../src/contract/index.ts'

/** One broken input and what its importer must make of it. */
export interface BadInput {
  readonly name: string
  readonly importer: ImporterName
  readonly make: () => Uint8Array | string
  /** Nothing can be read: a Failure. Or: something is taken or nothing, and the report tells what is wrong. */
  readonly expect: 'refused' | 'told'
  /** What the sentence or the report must say, the place included. */
  readonly says: RegExp
}

const DEEP = 100_000
const nest = (open: string, close: string, inner: string) => open.repeat(DEEP) + inner + close.repeat(DEEP)

function harWith(entry: string): string {
  const good =
    '{"request":{"method":"GET","url":"https://h/a","headers":[]},"response":{"status":200,"headers":[],"content":{}}}'
  return `{"log":{"entries":[\n${good},\n${entry},\n${good}\n]}}`
}

function harRequest(fields: string): string {
  return harWith(
    `{"request":{"method":"GET","url":"https://h/a",${fields}},"response":{"status":200,"headers":[],"content":{}}}`,
  )
}

function openApi(rest: string): string {
  return `{"openapi":"3.0.0","info":{"title":"T"},"servers":[{"url":"https://h"}],${rest}}`
}

const refused = 'refused'
const told = 'told'
const headers = (count: number) =>
  JSON.stringify(Array.from({ length: count }, (_, i) => ({ name: `x-${i}`, value: '1' })))

const HAR: readonly BadInput[] = [
  { name: 'no entries', importer: 'har', make: () => '{"log":{"pages":[]}}', expect: refused, says: /no "entries".*line 1/ },
  { name: 'entries of another kind', importer: 'har', make: () => '{"log":{"entries":{"0":{}}}}', expect: refused, says: /not a list/ },
  { name: 'log of another kind', importer: 'har', make: () => '{"log":[]}', expect: refused, says: /object.*line 1, column 8/ },
  { name: 'an array', importer: 'har', make: () => '[{"log":{}}]', expect: refused, says: /object.*line 1, column 1/ },
  { name: 'entries nested 100,000 deep', importer: 'har', make: () => harWith(nest('[', ']', '')), expect: told, says: /nested deeper than 512/ },
  { name: 'an object nested 100,000 deep', importer: 'har', make: () => harRequest(`"headers":${nest('{"a":', '}', '1')}`), expect: told, says: /nested deeper than 512.*line 3/ },
  { name: '100,000 headers', importer: 'har', make: () => harRequest(`"headers":${headers(100_000)}`), expect: told, says: /\/log\/entries\/1 \(line 3\).*more than 1000 headers/ },
  { name: 'a header of 10 MB', importer: 'har', make: () => harRequest(`"headers":[{"name":"a","value":"${'x'.repeat(10_000_000)}"}]`), expect: told, says: /\/log\/entries\/1 \(line 3\).*headers of over 1048576/ },
  { name: 'a body of 10 MB', importer: 'har', make: () => harRequest(`"headers":[],"postData":{"text":"${'y'.repeat(10_000_000)}"}`), expect: told, says: /left out/ },
  { name: 'a control character in a string', importer: 'har', make: () => harRequest('"headers":[{"name":"a","value":"\u0001"}]'), expect: told, says: /\/log\/entries\/1 \(line 3\).*malformed/ },
  { name: 'a NUL in a URL', importer: 'har', make: () => harWith('{"request":{"method":"GET","url":"https://h/\\u0000"},"response":{"status":200}}'), expect: told, says: /control characters/ },
  { name: 'a trailing comma', importer: 'har', make: () => harRequest('"headers":[],'), expect: told, says: /quoted key \(line 3/ },
  { name: 'single quotes', importer: 'har', make: () => harWith("{'request':{}}"), expect: told, says: /quoted key \(line 3/ },
  { name: 'comments', importer: 'har', make: () => harWith('{/* x */}'), expect: told, says: /quoted key \(line 3/ },
  { name: 'a missing bracket', importer: 'har', make: () => harWith('{"request":[{"method":"GET"}'), expect: told, says: /line 5/ },
  { name: 'a quote too few', importer: 'har', make: () => harWith('{"request":{"method":"GET}}'), expect: told, says: /entries before it are taken/ },
  { name: 'status 0', importer: 'har', make: () => harWith('{"request":{"method":"GET","url":"https://h/"},"response":{"status":0}}'), expect: told, says: /no response \(status 0\)/ },
  { name: 'content marked base64 that is none', importer: 'har', make: () => harWith('{"request":{"method":"GET","url":"https://h/"},"response":{"status":200,"content":{"text":"{}","encoding":"base64"}}}'), expect: told, says: /marked base64/ },
  { name: 'two lists of entries', importer: 'har', make: () => '{"log":{"entries":[],"entries":[]}}', expect: told, says: /second "entries"/ },
  { name: 'something behind the recording', importer: 'har', make: () => '{"log":{"entries":[]}} x', expect: told, says: /what follows/ },
] // biome-ignore format: one case a line

const OPENAPI: readonly BadInput[] = [
  { name: 'paths of another kind', importer: 'openapi', make: () => openApi('"paths":[]'), expect: refused, says: /no "paths" object/ },
  { name: 'no version', importer: 'openapi', make: () => '{"paths":{}}', expect: refused, says: /names no version/ },
  { name: 'JSON nested 100,000 deep', importer: 'openapi', make: () => openApi(`"paths":{},"x":${nest('[', ']', '')}`), expect: refused, says: /nested deeper than 512 \(line 1/ },
  { name: 'YAML flow nested 100,000 deep', importer: 'openapi', make: () => `openapi: 3.0.0\npaths: ${'['.repeat(DEEP)}`, expect: refused, says: /nested deeper than 400 \(line 2\)/ },
  { name: 'YAML blocks nested 100,000 deep', importer: 'openapi', make: () => `openapi: 3.0.0\npaths:\n  ${'- '.repeat(DEEP)}`, expect: refused, says: /nested deeper than 400 \(line 3\)/ },
  { name: 'a YAML alias bomb', importer: 'openapi', make: yamlBomb, expect: refused, says: /aliases expanded \(line/ },
  { name: 'a YAML alias that contains itself', importer: 'openapi', make: () => 'openapi: 3.0.0\npaths: &a\n  /x: *a\n', expect: refused, says: /contains itself \(line 3\)/ },
  { name: 'a YAML alias without anchor', importer: 'openapi', make: () => 'openapi: 3.0.0\npaths: *none\n', expect: refused, says: /no anchor \(line 2\)/ },
  { name: 'bad YAML indentation', importer: 'openapi', make: () => 'openapi: 3.0.0\npaths:\n  /a:\n get: {}\n', expect: refused, says: /line 3/ },
  { name: 'YAML with tabs', importer: 'openapi', make: () => 'openapi: 3.0.0\npaths:\n\t/a: {}\n', expect: refused, says: /line/ },
  { name: 'a YAML quote that is never closed', importer: 'openapi', make: () => 'openapi: 3.0.0\ninfo: {title: "x\npaths: {}\n', expect: refused, says: /line/ },
  { name: 'duplicate YAML keys', importer: 'openapi', make: () => 'openapi: 3.0.0\npaths: {}\npaths: {}\n', expect: told, says: /line 3: the key "paths" repeats/ },
  { name: 'duplicate JSON keys', importer: 'openapi', make: () => openApi('\n"paths":{},\n"paths":{}'), expect: told, says: /"paths" at line 3 repeats/ },
  { name: 'prototype keys in JSON', importer: 'openapi', make: () => openApi('"paths":{},"__proto__":{"polluted":1}'), expect: told, says: /"__proto__" key is left out/ },
  { name: 'prototype keys in YAML', importer: 'openapi', make: () => 'openapi: 3.0.0\n__proto__: {polluted: 1}\npaths: {}\n', expect: told, says: /line 2: the key "__proto__" is left out/ },
  { name: 'a circle of references', importer: 'openapi', make: () => openApi('"paths":{"/a":{"$ref":"#/paths/~1b"},"/b":{"$ref":"#/paths/~1a"}}'), expect: told, says: /\/paths\/~1a.*circle/ },
  { name: 'a schema that contains itself', importer: 'openapi', make: () => openApi('"paths":{"/a":{"get":{"responses":{"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/A"}}}}}}}},"components":{"schemas":{"A":{"allOf":[{"$ref":"#/components/schemas/A"}]}}}'), expect: told, says: /\/paths\/~1a\/get.*no example and no usable schema/ },
  { name: 'a remote reference', importer: 'openapi', make: () => openApi('"paths":{"/a":{"$ref":"http://169.254.169.254/latest"}}'), expect: told, says: /leads outside the document/ },
  { name: 'a file reference', importer: 'openapi', make: () => openApi('"paths":{"/a":{"$ref":"/etc/passwd"}}'), expect: told, says: /leads outside the document/ },
  { name: 'a server that is no http', importer: 'openapi', make: () => '{"openapi":"3.0.0","info":{"title":"T"},"servers":[{"url":"javascript:alert(1)"}],"paths":{}}', expect: told, says: /not an http or https/ },
] // biome-ignore format: one case a line

function yamlBomb(): string {
  let text = 'openapi: 3.0.0\npaths: {}\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n'
  for (let i = 1; i < 30; i++)
    text += `a${i}: &a${i} [${Array(10)
      .fill(`*a${i - 1}`)
      .join(', ')}]\n`
  return text
}

const POSTMAN: readonly BadInput[] = [
  { name: 'no items', importer: 'postman', make: () => '{"info":{}}', expect: refused, says: /no "item" list/ },
  { name: 'format 1', importer: 'postman', make: () => '{"requests":[],"order":[]}', expect: refused, says: /version 1/ },
  { name: 'folders nested 200 deep', importer: 'postman', make: () => `{"info":{},"item":[${'{"item":['.repeat(200)}${']}'.repeat(200)}]}`, expect: told, says: /folders are nested deeper than 32/ },
  { name: 'folders nested 100,000 deep', importer: 'postman', make: () => `{"info":{},"item":[${'{"item":['.repeat(DEEP)}`, expect: refused, says: /nested deeper than 512 \(line 1, column/ },
  { name: 'a variable bomb', importer: 'postman', make: variableBomb, expect: told, says: /longer than/ },
  { name: '100,000 headers', importer: 'postman', make: () => `{"info":{},"item":[{"request":{"url":"https://h/","header":${headers(100_000).replaceAll('"name"', '"key"')}}}]}`, expect: told, says: /more than 1000 headers/ },
  { name: 'a cut', importer: 'postman', make: () => '{"info":{},\n"item":[{"request":', expect: refused, says: /line 2, column 20/ },
] // biome-ignore format: one case a line

function variableBomb(): string {
  const variable = [{ key: 'v0', value: 'x'.repeat(8000) }]
  for (let i = 1; i < 10; i++) variable.push({ key: `v${i}`, value: `{{v${i - 1}}}`.repeat(100) })
  return JSON.stringify({ info: { name: 'bomb' }, variable, item: [{ request: 'https://h/{{v9}}' }] })
}

const BURP: readonly BadInput[] = [
  { name: 'another root', importer: 'burp-xml', make: () => '<html><body/></html>', expect: refused, says: /root element/ },
  { name: 'an entity bomb', importer: 'burp-xml', make: () => `<!DOCTYPE items [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, i) => `<!ENTITY ${'abcdefghij'[i + 1]} "${`&${'abcdefghij'[i]};`.repeat(10)}">`).join('')}]><items><item><url>&j;</url></item></items>`, expect: refused, says: /entities.*line 1/ },
  { name: 'an external entity', importer: 'burp-xml', make: () => '<!DOCTYPE items [<!ENTITY a SYSTEM "file:///etc/passwd">]>\n<items><item><url>&a;</url></item></items>', expect: refused, says: /entities/ },
  { name: 'an unknown entity', importer: 'burp-xml', make: () => '<items>\n<item><url>&nbsp;</url></item></items>', expect: told, says: /line 2.*entity/ },
  { name: 'elements nested 100,000 deep', importer: 'burp-xml', make: () => `<items>${'<a>'.repeat(DEEP)}`, expect: told, says: /nested deeper/ },
  { name: 'a wrong end tag', importer: 'burp-xml', make: () => '<items>\n<item></items>', expect: told, says: /line 2/ },
  { name: 'no end tag', importer: 'burp-xml', make: () => '<items>\n', expect: told, says: /line 2.*unclosed/ },
  { name: 'a response that inflates to 50 MB', importer: 'burp-xml', make: inflating, expect: told, says: /line 1.*decodes to over/ },
  { name: 'NUL characters', importer: 'burp-xml', make: () => `<items>${' '.repeat(64)}<item><url>\0</url></item></items>`, expect: told, says: /line 1/ },
] // biome-ignore format: one case a line

function inflating(): string {
  const head = Buffer.from('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n')
  const response = Buffer.concat([head, gzipSync(Buffer.alloc(50_000_000))]).toString('base64')
  const request = Buffer.from('GET / HTTP/1.1\r\nHost: h\r\n\r\n').toString('base64')
  return `<items><item><request base64="true">${request}</request><response base64="true">${response}</response></item></items>`
}

/** Sixty input types of sixty fields, each field of one of these types: written out they would have no end. */
function wideSchema(): string {
  const names = Array.from({ length: 60 }, (_, at) => `T${at}`)
  const inputs = names.map(
    (name) => `input I${name} { ${names.map((one) => `${one}: I${one}!`).join(' ')} s: String }`,
  )
  const types = names.map(
    (name) => `type ${name} { ${names.map((one) => `${one}: ${one}`).join(' ')} s: String }`,
  )
  return `${inputs.join('\n')}\n${types.join('\n')}\ntype Query { ${names.map((one) => `q${one}(i: I${one}!): ${one}`).join('\n')} }`
}

const OTHERS: readonly BadInput[] = [
  { name: 'a batch of another kind', importer: 'sample-messages', make: () => '{"batchData":5}', expect: refused, says: /not a list.*line 1/ },
  { name: 'messages nested 100,000 deep', importer: 'sample-messages', make: () => `[${nest('[', ']', '')}]`, expect: told, says: /nested deeper/ },
  { name: 'headers nested 100,000 deep', importer: 'sample-messages', make: () => JSON.stringify({ method: 'GET', path: '/', requestHeaders: `{"a":${nest('[', ']', '')}}` }), expect: told, says: /not a map of header names/ },
  { name: '100,000 headers', importer: 'sample-messages', make: () => JSON.stringify({ method: 'GET', path: '/', requestHeaders: JSON.stringify(Object.fromEntries(Array.from({ length: DEEP }, (_, i) => [`x-${i}`, '1']))) }), expect: told, says: /longer than 1048576/ },
  { name: 'headers of 2 MB', importer: 'sample-messages', make: () => JSON.stringify({ method: 'GET', path: '/', requestHeaders: { a: 'x'.repeat(2_000_000) } }), expect: told, says: /headers of over 1048576/ },
  { name: 'a body of 6 MB', importer: 'sample-messages', make: () => JSON.stringify({ method: 'GET', path: '/', requestPayload: 'x'.repeat(6_000_000) }), expect: told, says: /longer than 5242880/ },
  { name: 'a broken line', importer: 'sample-messages', make: () => '{"method":"GET","path":"/"}\n{"method":\n{"method":"GET","path":"/"}\n', expect: told, says: /line 2/ },
  { name: 'types nested 100,000 deep', importer: 'graphql', make: () => `type Query { a: ${nest('[', ']', 'Int')} }`, expect: refused, says: /nested too deep/ },
  { name: 'a type without end', importer: 'graphql', make: () => 'type Query {\n  a: ', expect: refused, says: /Expected Name.*line 2/ },
  { name: 'no operations', importer: 'graphql', make: () => 'type Order { id: ID! }', expect: refused, says: /neither queries nor mutations/ },
  { name: 'types that nothing defines', importer: 'graphql', make: () => 'type Query { a(b: Foo!): Bar }', expect: told, says: /the type Foo is not defined/ },
  { name: 'an answer that is no schema', importer: 'graphql', make: () => '{"data":{"__schema":{"types":3}}}', expect: refused, says: /Invalid GraphQL schema/ },
  { name: 'an answer with an error', importer: 'graphql', make: () => '{"errors":[{"message":"introspection is off"}]}', expect: refused, says: /__schema.*missing/ },
  { name: 'wide types within each other', importer: 'graphql', make: wideSchema, expect: told, says: /"taken":60/ },
  { name: 'no message', importer: 'raw-http', make: () => 'hello', expect: refused, says: /no request line/ },
  { name: '100,000 headers', importer: 'raw-http', make: () => `GET / HTTP/1.1\n${'X-A: 1\n'.repeat(DEEP)}\n`, expect: told, says: /line 1.*more than 1000 headers/ },
  { name: 'a header of 2 MB', importer: 'raw-http', make: () => `GET / HTTP/1.1\nX: ${'x'.repeat(2_000_000)}\n\n`, expect: told, says: /line 1.*over 1048576 bytes/ },
  { name: 'chunks that are none', importer: 'raw-http', make: () => 'GET / HTTP/1.1\n\nHTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nabcde\nzz\n', expect: told, says: /line 1.*chunked body is broken/ },
  { name: 'no command', importer: 'curl', make: () => 'wget https://h/', expect: refused, says: /no curl command/ },
  { name: 'a quote that is never closed', importer: 'curl', make: () => "curl https://h/\ncurl 'https://h/", expect: told, says: /line 2.*never closed/ },
  { name: '100,000 headers', importer: 'curl', make: () => `curl https://h/ ${"-H 'a: b' ".repeat(DEEP)}`, expect: told, says: /line 1.*too long/ },
  { name: '2,000 headers', importer: 'curl', make: () => `curl https://h/ ${"-H 'a: b' ".repeat(2000)}`, expect: told, says: /line 1.*more than 1000 headers/ },
  { name: 'a substitution', importer: 'curl', make: () => 'curl https://h/ -d "$(cat /etc/passwd)"', expect: told, says: /line 1.*kept as text/ },
  { name: 'a file', importer: 'curl', make: () => 'curl https://h/ -d @/etc/passwd', expect: told, says: /line 1.*left empty/ },
] // biome-ignore format: one case a line

const soapWsdl = (binding: string, types = ''): string =>
  `<definitions targetNamespace="u" xmlns:t="u" xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:s="http://schemas.xmlsoap.org/wsdl/soap/">
<types>${types}</types><message name="m"><part name="p" element="t:e"/></message>
<portType name="p"><operation name="Op"><input message="t:m"/></operation></portType>${binding}
<service name="S"><port name="P" binding="t:b"><s:address location="https://h/s"/></port></service></definitions>`
const SOAP_BINDING =
  '<binding name="b" type="t:p"><s:binding/><operation name="Op"><s:operation soapAction="a"/></operation></binding>'
const XSD = 'xmlns:x="http://www.w3.org/2001/XMLSchema"'

/** Types that refer to the next one, and groups that hold the next one twice. */
function wideXmlSchema(): string {
  const types = Array.from(
    { length: 30_000 },
    (_, at) =>
      `<x:complexType name="t${at}"><x:sequence><x:element name="c" type="t:t${at + 1}"/></x:sequence></x:complexType>`,
  )
  const groups = Array.from(
    { length: 40 },
    (_, at) =>
      `<x:group name="g${at}"><x:sequence><x:group ref="t:g${at + 1}"/><x:group ref="t:g${at + 1}"/></x:sequence></x:group>`,
  )
  return `<x:schema ${XSD} targetNamespace="u"><x:element name="e" type="t:t0"/>${types.join('')}${groups.join('')}<x:complexType name="t30000"><x:group ref="t:g0"/></x:complexType></x:schema>`
}

const DESCRIPTIONS: readonly BadInput[] = [
  { name: 'no version', importer: 'asyncapi', make: () => 'channels: {}', expect: refused, says: /names no version/ },
  { name: 'version 1', importer: 'asyncapi', make: () => '{"asyncapi":"1.2.0","channels":{}}', expect: refused, says: /version 1\.2\.0 is not supported/ },
  { name: 'no channels', importer: 'asyncapi', make: () => 'asyncapi: 3.0.0\ninfo: {}\n', expect: refused, says: /no "channels"/ },
  { name: 'bad YAML', importer: 'asyncapi', make: () => 'asyncapi: 3.0.0\nchannels: [\n', expect: refused, says: /line/ },
  { name: 'a broker', importer: 'asyncapi', make: () => '{"asyncapi":"2.0.0","info":{"title":"T"},"servers":{"k":{"url":"k:9092","protocol":"kafka"}},"channels":{"a":{"publish":{}}}}', expect: told, says: /\/channels\/a.*its protocol is kafka/ },
  { name: 'an operation without channel', importer: 'asyncapi', make: () => '{"asyncapi":"3.0.0","info":{"title":"T"},"channels":{},"operations":{"a":{"channel":{"$ref":"#/channels/none"}}}}', expect: told, says: /\/operations\/a.*leads nowhere/ },
  { name: 'a channel that refers to itself', importer: 'asyncapi', make: () => '{"asyncapi":"2.0.0","info":{"title":"T"},"channels":{"a":{"$ref":"#/channels/a"}}}', expect: told, says: /\/channels\/a.*circle/ },
  { name: 'a remote schema', importer: 'asyncapi', make: () => '{"asyncapi":"2.0.0","info":{"title":"T"},"servers":{"w":{"url":"h","protocol":"http"}},"channels":{"a":{"publish":{"message":{"payload":{"$ref":"http://169.254.169.254/"}}}}}}', expect: told, says: /leads outside the document/ },
  { name: 'another root', importer: 'wsdl', make: () => '<html/>', expect: refused, says: /root element is "html"/ },
  { name: 'version 2', importer: 'wsdl', make: () => '<description xmlns="http://www.w3.org/ns/wsdl"/>', expect: refused, says: /WSDL 2\.0 is not supported/ },
  { name: 'no service', importer: 'wsdl', make: () => '<definitions xmlns="http://schemas.xmlsoap.org/wsdl/"/>', expect: refused, says: /no service/ },
  { name: 'an entity bomb', importer: 'wsdl', make: () => '<!DOCTYPE d [<!ENTITY a "aaaa">]><definitions>&a;</definitions>', expect: refused, says: /entities.*line 1/ },
  { name: 'elements nested 100,000 deep', importer: 'wsdl', make: () => '<a>'.repeat(DEEP), expect: refused, says: /nested deeper than 200/ },
  { name: 'a cut', importer: 'wsdl', make: () => '<definitions>\n<types>', expect: refused, says: /unclosed.*line 2/ },
  { name: 'a missing binding', importer: 'wsdl', make: () => soapWsdl(''), expect: told, says: /port P.*binding is not in this document/ },
  { name: 'a missing element', importer: 'wsdl', make: () => soapWsdl(SOAP_BINDING), expect: told, says: /"e" is not defined/ },
  { name: 'an imported schema', importer: 'wsdl', make: () => soapWsdl(SOAP_BINDING, `<x:schema ${XSD}><x:import schemaLocation="file:///etc/passwd"/></x:schema>`), expect: told, says: /etc\/passwd.*not part of this file/ },
  { name: 'an element that refers to itself', importer: 'wsdl', make: () => soapWsdl(SOAP_BINDING, `<x:schema ${XSD} targetNamespace="u"><x:element name="e" ref="t:e"/></x:schema>`), expect: told, says: /"taken":1/ },
  { name: '30,000 types within each other', importer: 'wsdl', make: () => soapWsdl(SOAP_BINDING, wideXmlSchema()), expect: told, says: /"taken":1/ },
  { name: 'no service', importer: 'protobuf', make: () => 'syntax = "proto3"; message A {}', expect: refused, says: /no service/ },
  { name: 'a broken line', importer: 'protobuf', make: () => 'syntax = "proto3";\nservice S { rpc A(B) retur', expect: refused, says: /illegal.*line 2/ },
  { name: 'messages nested 100,000 deep', importer: 'protobuf', make: () => 'message A {'.repeat(DEEP), expect: refused, says: /depth|deep/ },
  { name: 'a missing message', importer: 'protobuf', make: () => 'syntax = "proto3"; service S { rpc A(B) returns (C); }', expect: told, says: /message B is not defined/ },
  { name: 'a descriptor of another kind', importer: 'protobuf', make: () => '{"nested":{"S":{"methods":{"A":5}}}}', expect: refused, says: /cannot be read/ },
  { name: 'a descriptor without services', importer: 'protobuf', make: () => '{"nested":{}}', expect: refused, says: /no service/ },
  { name: 'an HTML page', importer: 'access-log', make: () => '<html></html>', expect: refused, says: /XML or HTML.*line 1/ },
  { name: 'a line cut off', importer: 'access-log', make: () => '{"method":"GET","uri":"/a","status":200}\n{"method":"GE', expect: told, says: /line 2.*not valid JSON/ },
  { name: 'a line of another kind', importer: 'access-log', make: () => '1.2.3.4 - - [31/Jan/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 1\nstarting up', expect: told, says: /line 2.*common or combined/ },
  { name: 'fields that nobody knows', importer: 'access-log', make: () => '{"m":"GET","p":"/a","s":200}', expect: told, says: /line 1.*it has m, p, s: name the field/ },
  { name: 'TLS sent to a plain port', importer: 'access-log', make: () => '1.2.3.4 - - [31/Jan/2026:10:00:00 +0000] "\\x16\\x03\\x01" 400 150', expect: told, says: /no field tells the path/ },
  { name: 'a status that is not a number', importer: 'access-log', make: () => '{"method":"GET","uri":"/a","status":"ok"}', expect: told, says: /status is not an HTTP status/ },
  { name: 'a time that is not a time', importer: 'access-log', make: () => '{"method":"GET","uri":"/a","status":200,"time":"soon"}', expect: told, says: /time is unreadable/ },
  { name: 'a line of 300,000 characters', importer: 'access-log', make: () => `{"method":"GET","uri":"/${'a'.repeat(300_000)}","status":200}`, expect: told, says: /line 1.*longer than 262144/ },
  { name: 'a NUL in a URL', importer: 'access-log', make: () => '{"method":"GET","uri":"/\\u0001","status":200}', expect: told, says: /control characters/ },
] // biome-ignore format: one case a line

/** Broken inputs that are small enough to be read by every importer. */
export const SMALL_CASES: readonly BadInput[] = [
  ...HAR,
  ...OPENAPI,
  ...POSTMAN,
  ...BURP,
  ...OTHERS,
  ...DESCRIPTIONS,
]

/** Inputs that no importer can read, whatever its format. */
export const UNREADABLE: readonly { readonly name: string; readonly bytes: Uint8Array; readonly code: string }[] = [
  { name: 'an empty file', bytes: new Uint8Array(), code: 'IMPORT_EMPTY' },
  { name: 'blanks', bytes: Buffer.from(' \r\n\t '), code: 'IMPORT_EMPTY' },
  { name: 'a byte order mark alone', bytes: Buffer.from('\ufeff'), code: 'IMPORT_EMPTY' },
  { name: 'a ZIP archive of nothing', bytes: Buffer.concat([Buffer.from('504b0506', 'hex'), Buffer.alloc(18)]), code: 'IMPORT_NO_TEXT' },
  { name: 'a ZIP archive', bytes: Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(100, 1)]), code: 'IMPORT_NO_TEXT' },
  { name: 'gzip data', bytes: gzipSync('{"log":{"entries":[]}}'), code: 'IMPORT_NO_TEXT' },
  { name: 'an image', bytes: Buffer.from('89504e470d0a1a0a', 'hex'), code: 'IMPORT_NO_TEXT' },
  { name: 'zero bytes', bytes: Buffer.alloc(1000), code: 'IMPORT_NO_TEXT' },
  { name: 'a packet capture', bytes: Buffer.from('d4c3b2a102000400', 'hex'), code: 'IMPORT_NO_TEXT' },
] // biome-ignore format: one case a line
