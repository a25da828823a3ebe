/** Headers that say how a connection is used (RFC 9110 sections 7.2 and 7.6.1, RFC 9112): the browser writes them. */
const NAMES: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'cookie2',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Whether a browser refuses to send a header with a value that is not its own. */
export function isConnectionHeader(name: string): boolean {
  return NAMES.has(name.toLowerCase()) || /^(?:proxy-|sec-websocket-)/i.test(name)
}
