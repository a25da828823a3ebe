import { rawText } from './exchange-text.ts'
import type { EvidenceExchange } from './read-evidence.ts'

/** Exchanges as the XML items that Burp writes and other tools read; messages are in base64 with CRLF line ends. */
export function burpItems(exchanges: readonly EvidenceExchange[]): string {
  return `<?xml version="1.0"?>\n<items burpVersion="2024.1">\n${exchanges.map(itemOf).join('\n')}\n</items>\n`
}

function itemOf({ request, response, status }: EvidenceExchange): string {
  const [method = 'GET', target = '/'] = request.line.split(' ')
  const host = request.headers.find(([name]) => name.toLowerCase() === 'host')?.[1] ?? ''
  const url = /^https?:\/\//i.test(target) ? target : `https://${host}${target}`
  const address = URL.canParse(url) ? new URL(url) : new URL('https://unknown.invalid/')
  const port = address.port || (address.protocol === 'https:' ? '443' : '80')
  return [
    '  <item>',
    `    <url>${cdata(url)}</url>`,
    `    <host>${cdata(address.hostname)}</host>`,
    `    <port>${port}</port>`,
    `    <protocol>${address.protocol.replace(':', '')}</protocol>`,
    `    <method>${cdata(method)}</method>`,
    `    <path>${cdata(address.pathname + address.search)}</path>`,
    `    <request base64="true">${cdata(base64(rawText(request)))}</request>`,
    `    <status>${status}</status>`,
    `    <response base64="true">${cdata(base64(rawText(response)))}</response>`,
    '  </item>',
  ].join('\n')
}

function cdata(text: string): string {
  return `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`
}

/** UTF-8 in base64; the head of a message has CRLF line ends. */
function base64(message: string): string {
  const end = message.indexOf('\n\n')
  const head = (end < 0 ? message : message.slice(0, end)).replaceAll('\n', '\r\n')
  const body = end < 0 ? '' : message.slice(end + 2)
  const bytes = new TextEncoder().encode(`${head}\r\n\r\n${body}`)
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
