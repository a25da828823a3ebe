import { expect, test } from 'vitest'
import { burpItems } from './burp-items.ts'
import type { EvidenceExchange } from './read-evidence.ts'

test('an exchange is an item that Burp reads: base64 messages with CRLF, and its address', () => {
  const exchange = {
    status: 200,
    request: { line: 'POST /a?b=]]> HTTP/1.1', headers: [['Host', 'shop.test:8443']], body: '{"ü":1}' },
    response: { line: 'HTTP/1.1 200 OK', headers: [['content-type', 'text/plain']], body: 'line 1\nline 2' },
  } as unknown as EvidenceExchange
  const xml = burpItems([exchange])
  const decoded = [...xml.matchAll(/base64="true"><!\[CDATA\[([\w+/=]+)\]\]>/g)].map(([, text]) =>
    new TextDecoder().decode(Uint8Array.from(atob(text!), (sign) => sign.charCodeAt(0))),
  )
  expect(decoded).toEqual([
    'POST /a?b=]]> HTTP/1.1\r\nHost: shop.test:8443\r\n\r\n{"ü":1}',
    'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\nline 1\nline 2',
  ])
  expect(xml).toContain('<port>8443</port>')
  expect(xml).toContain('<status>200</status>')
  expect(xml).not.toContain('b=]]> ')
})
