import { type Exchange, type HeaderList, headerValue } from './exchange.ts'
import { absoluteUrl } from './raw-http-write.ts'

/** Writes exchanges as a HAR 1.2 document (http://www.softwareishard.com/blog/har-12-spec/); sizes and times that were not recorded are -1. */
export function writeHar(exchanges: readonly Exchange[], creator: { name: string; version: string }): object {
  return { log: { version: '1.2', creator, entries: exchanges.map(entryOf) } }
}

function entryOf(exchange: Exchange): object {
  const { request, response, at, serverIp } = exchange
  const url = absoluteUrl(request)
  return {
    startedDateTime: new Date(at * 1000).toISOString(),
    time: -1,
    request: {
      method: request.method,
      url,
      httpVersion: request.version,
      headers: pairs(request.headers),
      queryString: queryOf(url),
      cookies: [],
      headersSize: -1,
      bodySize: -1,
      ...(request.body === '' ? {} : { postData: { mimeType: typeOf(request.headers), ...bodyOf(request) } }),
    },
    response: {
      status: response.status,
      statusText: response.reason,
      httpVersion: request.version,
      headers: pairs(response.headers),
      cookies: [],
      content: {
        size: Buffer.byteLength(response.body, response.bodyIsBase64 ? 'base64' : 'utf8'),
        mimeType: typeOf(response.headers),
        ...bodyOf(response),
      },
      redirectURL: headerValue(response.headers, 'location') ?? '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: -1, wait: -1, receive: -1 },
    ...(serverIp === '' ? {} : { serverIPAddress: serverIp }),
  }
}

function bodyOf({ body, bodyIsBase64 }: { readonly body: string; readonly bodyIsBase64?: boolean }): object {
  return bodyIsBase64 ? { text: body, encoding: 'base64' } : { text: body }
}

function typeOf(headers: HeaderList): string {
  return headerValue(headers, 'content-type') ?? ''
}

function pairs(headers: HeaderList): { name: string; value: string }[] {
  const list: { name: string; value: string }[] = []
  for (let i = 0; i + 1 < headers.length; i += 2) list.push({ name: headers[i]!, value: headers[i + 1]! })
  return list
}

function queryOf(url: string): { name: string; value: string }[] {
  if (!URL.canParse(url)) return []
  return [...new URL(url).searchParams].map(([name, value]) => ({ name, value }))
}
