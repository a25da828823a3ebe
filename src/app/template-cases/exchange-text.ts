import type { Exchange } from '../../http/index.ts'
import type { EpochSeconds } from '../../kit/index.ts'

/** A recorded exchange as cases write it. */
export interface ExchangeText {
  /** Method and target: `GET /orders/1001?expand=items`. */
  readonly request: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly status?: number
  readonly responseHeaders?: Readonly<Record<string, string>>
  readonly response?: string
}

/** Name in samples before they are moved to the server of a case. */
const RECORDED_HOST = 'recorded.test'

/** The exchange that a text stands for. */
export function exchangeOf(text: ExchangeText): Exchange {
  const space = text.request.indexOf(' ')
  if (space <= 0 || text.request[space + 1] !== '/') throw new Error(`no request: ${text.request}`)
  return {
    request: {
      method: text.request.slice(0, space),
      target: `http://${RECORDED_HOST}${text.request.slice(space + 1)}`,
      version: 'HTTP/1.1',
      headers: ['host', RECORDED_HOST, ...flat(text.headers)],
      body: text.body ?? '',
    },
    response: {
      status: text.status ?? 200,
      reason: '',
      headers: flat(text.responseHeaders),
      body: text.response ?? '',
    },
    at: 1_700_000_000 as EpochSeconds,
    clientIp: '',
    serverIp: '',
    source: 'HAR',
    direction: 1,
    vxlanId: 0,
  }
}

/** Headers as a flat list; a value with line breaks stands for repeated headers. */
export function flat(headers: Readonly<Record<string, string>> = {}): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    String(value)
      .split('\n')
      .flatMap((line) => [name, line]),
  )
}
