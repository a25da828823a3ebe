import { percentDecoded } from '../kit/index.ts'
import { type Exchange, type HeaderList, headerValue } from './exchange.ts'
import { absoluteUrl } from './raw-http-write.ts'

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
/** Headers that the program which sends a request sets itself. */
const SET_BY_SENDER = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'accept-encoding',
])

/** An endpoint of a collection; without a recorded exchange only its method and URL are known. */
interface PostmanEndpoint {
  readonly method: string
  /** Absolute. */
  readonly url: string
  readonly exchange: Exchange | null
}

/** Writes endpoints as a Postman collection 2.1, one request each, with the recorded response as its example. */
export function writePostman(name: string, endpoints: readonly PostmanEndpoint[]): object {
  return { info: { name, schema: SCHEMA }, item: endpoints.map(itemOf) }
}

function itemOf({ method, url, exchange }: PostmanEndpoint): object {
  const path = URL.canParse(url) ? new URL(url).pathname : url
  const request = exchange === null ? { method, header: [], url: urlOf(url) } : requestOf(exchange)
  return {
    name: `${method} ${percentDecoded(path)}`,
    request,
    response: exchange === null ? [] : [responseOf(exchange, request)],
  }
}

function requestOf({ request }: Exchange): object {
  const { method, headers, body, bodyIsBase64 } = request
  return {
    method,
    header: pairs(headers).filter(({ key }) => !SET_BY_SENDER.has(key.toLowerCase())),
    url: urlOf(absoluteUrl(request)),
    // A collection has no form for bytes that are not text.
    ...(body === '' || bodyIsBase64 ? {} : { body: rawBody(headers, body) }),
  }
}

function rawBody(headers: HeaderList, raw: string): object {
  const isJson = /\bjson\b/i.test(headerValue(headers, 'content-type') ?? '')
  return { mode: 'raw', raw, ...(isJson ? { options: { raw: { language: 'json' } } } : {}) }
}

function responseOf({ response }: Exchange, originalRequest: object): object {
  const { status, reason, headers, body, bodyIsBase64 } = response
  return {
    name: `${status} ${reason}`.trim(),
    originalRequest,
    status: reason,
    code: status,
    header: pairs(headers),
    body: bodyIsBase64 ? '' : body,
  }
}

function urlOf(raw: string): object | string {
  if (!URL.canParse(raw)) return raw
  const { protocol, hostname, port, pathname, searchParams } = new URL(raw)
  const query = [...searchParams].map(([key, value]) => ({ key, value }))
  return {
    raw,
    protocol: protocol.slice(0, -1),
    host: hostname.split('.'),
    ...(port === '' ? {} : { port }),
    path: pathname.slice(1).split('/').map(percentDecoded),
    ...(query.length === 0 ? {} : { query }),
  }
}

function pairs(headers: HeaderList): { key: string; value: string }[] {
  const list: { key: string; value: string }[] = []
  for (let i = 0; i + 1 < headers.length; i += 2) list.push({ key: headers[i]!, value: headers[i + 1]! })
  return list
}
