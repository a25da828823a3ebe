/** A message as collectors send it: header maps are JSON text, times are epoch seconds. */
function sampleMessage(nowSeconds: number): Record<string, string> {
  return {
    method: 'GET',
    path: '/v1/orders/77?expand=items',
    type: 'HTTP/1.1',
    requestHeaders: JSON.stringify({ host: 'shop.example', accept: 'application/json' }),
    requestPayload: '',
    statusCode: '200',
    status: 'OK',
    responseHeaders: JSON.stringify({ 'content-type': 'application/json' }),
    responsePayload: JSON.stringify({ id: 77, email: 'ada@example.org' }),
    ip: '203.0.113.9',
    time: String(nowSeconds),
    source: 'MIRRORING',
  }
}

/** Quotes a text for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function post(origin: string, key: string, data: string): string {
  return [
    `curl ${quoted(`${origin}/api/ingestData`)} \\`,
    `  -H ${quoted(`x-api-key: ${key}`)} \\`,
    `  -H 'content-type: application/json' \\`,
    `  --data-binary ${data}`,
  ].join('\n')
}

/** A command that sends one sample message to the server at `origin`. */
export function sampleCommand(
  origin: string,
  key: string,
  nowSeconds = Math.floor(Date.now() / 1000),
): string {
  return post(origin, key, quoted(JSON.stringify({ batchData: [sampleMessage(nowSeconds)] })))
}

/** A command that sends a file holding `{"batchData":[…]}`. */
export function batchCommand(origin: string, key: string): string {
  return post(origin, key, '@batch.json')
}
