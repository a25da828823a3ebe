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

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/
const NOT_IN_VALUES = /[^\t\x20-\x7e\x80-\xff]/

/**
 * Whether a browser sends a header as instructed. A request with any other would neither leave nor fail: the
 * page waits for it.
 */
export function isSendable(name: string, value: string): boolean {
  return NAME.test(name) && !isConnectionHeader(name) && !NOT_IN_VALUES.test(value)
}

/** Those of the headers that a browser sends. */
export function sendableHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name, value]) => isSendable(name, value)))
}
