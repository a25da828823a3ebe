import { expect, test } from 'vitest'
import { type PayloadParts, readPayloadText, textLine, writePayloadText } from './payload-text.ts'

const parts: PayloadParts = {
  method: 'POST',
  path: '/rest/products/search?q=%27--\'"',
  type: 'HTTP/1.1',
  requestHeaders: new Map([
    ['x-b', ['two', 'three']],
    ['host', ['shop.test']],
    ['quote"\\', ['a\nb']],
  ]),
  requestPayload: '{"name":"Zoë 🙂","line":"\r\n\t\\n"}\u0001\u007f',
  apiCollectionId: -17,
  statusCode: 200,
  status: 'OK',
  responseHeaders: new Map(),
  responsePayload: '',
  time: 1_769_854_500,
  ip: '203.0.113.9',
  destIp: '',
  direction: '1',
  isPending: 'false',
  source: 'MIRRORING',
  vxlanId: '0',
}

test('a message survives the round trip through its text', () => {
  expect(readPayloadText(writePayloadText(parts))).toEqual(parts)
})

test('the text has the fields in order, maps by key, bytes beyond ASCII as octal digits, and no defaults', () => {
  expect(writePayloadText({ ...parts, requestPayload: 'é', apiCollectionId: 0 })).toBe(
    `method: "POST"
path: "/rest/products/search?q=%27--\\'\\""
type: "HTTP/1.1"
request_headers {
  key: "host"
  value {
    values: "shop.test"
  }
}
request_headers {
  key: "quote\\"\\\\"
  value {
    values: "a\\nb"
  }
}
request_headers {
  key: "x-b"
  value {
    values: "two"
    values: "three"
  }
}
request_payload: "\\303\\251"
status_code: 200
status: "OK"
time: 1769854500
ip: "203.0.113.9"
direction: "1"
is_pending: "false"
source: "MIRRORING"
akto_vxlan_id: "0"
`,
  )
  expect(textLine('country_code', 'US')).toBe('country_code: "US"\n')
  expect(textLine('country_code', '')).toBe('')
})

test('other writers are read too: single quotes, hexadecimal escapes, unknown fields', () => {
  const read = readPayloadText(
    `method: 'PUT' unknown { deep { er: 1 } } future: TRUE path: "\\x2f\\141" request_headers: { key: "a" value { values: "b" } }`,
  )
  expect(read.method).toBe('PUT')
  expect(read.path).toBe('/a')
  expect(read.requestHeaders).toEqual(new Map([['a', ['b']]]))
})

test.each(['method: "a', 'method', ': "a"', 'request_headers { key: "a"', 'path: "\\q"', 'a { } }  b'])(
  '%j is refused or ends where it ends',
  (text) => {
    const read = () => readPayloadText(text)
    if (text.endsWith('b')) expect(read).not.toThrow()
    else expect(read).toThrow()
  },
)

test('much text is read in time that grows with it', () => {
  const text = writePayloadText({ ...parts, requestPayload: '\\"'.repeat(500_000) })
  // Of this thread: other work on the machine does not count.
  const before = process.threadCpuUsage()
  expect(readPayloadText(text).requestPayload).toHaveLength(1_000_000)
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(3_000)
})
