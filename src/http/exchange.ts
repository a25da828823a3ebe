import type { EpochSeconds } from '../kit/index.ts'

/** Where an exchange was observed. CRAWLER, ACCESS_LOG and OPEN_TELEMETRY are Vigil's own additions. */
export const DATA_SOURCES = [
  'HAR',
  'PCAP',
  'MIRRORING',
  'SDK',
  'OTHER',
  'POSTMAN',
  'OPEN_API',
  'BURP',
  'IMPERVA',
  'WIZ',
  'CRAWLER',
  'ACCESS_LOG',
  'OPEN_TELEMETRY',
] as const
export type DataSource = (typeof DATA_SOURCES)[number]

/**
 * Headers as a flat list: name, value, name, value … in the order and letter case observed; repeats are kept.
 * Same convention as Node's `rawHeaders`.
 */
export type HeaderList = readonly string[]

export interface RequestMessage {
  /** As observed, upper-cased only when it is a known method. */
  readonly method: string
  /** The request target as observed: a path with query, or an absolute URL. Never normalised here. */
  readonly target: string
  /** Protocol version text, for example `HTTP/1.1`. */
  readonly version: string
  readonly headers: HeaderList
  /** Body as text; base64 when `bodyIsBase64`. Empty text when there is none. */
  readonly body: string
  readonly bodyIsBase64?: boolean
}

export interface ResponseMessage {
  /** HTTP status; 0 when unknown. */
  readonly status: number
  readonly reason: string
  readonly headers: HeaderList
  readonly body: string
  readonly bodyIsBase64?: boolean
}

/** One request with its response, from one source (RFC 9110 section 3.3). Immutable; parsed once at the border. */
export interface Exchange {
  readonly request: RequestMessage
  readonly response: ResponseMessage
  /** Event time. */
  readonly at: EpochSeconds
  /** Address of the caller, as observed on the connection; '' when unknown. */
  readonly clientIp: string
  /** Address of the server; '' when unknown. */
  readonly serverIp: string
  readonly source: DataSource
  /** 1 inbound to the observed service (default), 2 outbound call of it. */
  readonly direction: 1 | 2
  /** Fallback collection number of the collector; 0 when none. */
  readonly vxlanId: number
  /** Labels for the collection, for example { team: 'pay' }. */
  readonly tags?: Readonly<Record<string, string>>
  /** The sender's own message id; makes redelivery harmless. */
  readonly messageId?: string
  /** The framework's own route template when the source knows it (OpenTelemetry `http.route`, Postman `:name`, OpenAPI path). */
  readonly route?: string
  /** Milliseconds from the request to the end of its response, where the source knows them. */
  readonly durationMs?: number
  /** A message that is still part of its batch has it (`LiveExchange`), and does not pass for an exchange. */
  readonly toExchange?: undefined
}

/** First value of a header (name compared without case), or undefined. */
export function headerValue(headers: HeaderList, name: string): string | undefined {
  const wanted = name.toLowerCase()
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const candidate = headers[i]!
    if (candidate.length === wanted.length && candidate.toLowerCase() === wanted) return headers[i + 1]
  }
  return undefined
}

/** All values of a header, in order. */
export function headerValues(headers: HeaderList, name: string): string[] {
  const wanted = name.toLowerCase()
  const values: string[] = []
  for (let i = 0; i + 1 < headers.length; i += 2) {
    if (headers[i]!.toLowerCase() === wanted) values.push(headers[i + 1]!)
  }
  return values
}
