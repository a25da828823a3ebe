import type { Exchange } from '../../http/index.ts'
import { cleanHeaderPart, readMethod, targetProblem } from '../../http/index.ts'
import { nowSeconds } from '../../kit/index.ts'
import { importedAddress } from '../import-entry.ts'
import type { ImportOptions } from '../importer.ts'
import { cutText } from '../untrusted-value.ts'

/** What one entry tells, '' where it is silent. */
export interface LogEntry {
  /** The request line, `GET /a HTTP/1.1`; read where method or URL are missing. */
  readonly request: string
  readonly method: string
  readonly url: string
  readonly query: string
  readonly host: string
  readonly scheme: string
  readonly status: string
  readonly time: string
  readonly client: string
  readonly agent: string
  readonly referer: string
  readonly type: string
  /** Milliseconds; absent where it is silent. */
  readonly durationMs?: number | undefined
}

const REQUEST_LINE = /^([!-~]{1,32}) (\S+)(?: HTTP\/\d(?:\.\d)?)?$/
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const COMMON_TIME =
  /^\[?(\d{1,2})\/([A-Za-z]{3})\/(\d{4}):(\d{2}):(\d{2}):(\d{2})(?: ([+-])(\d{2})(\d{2}))?\]?$/
const MAX_SECONDS = 0x7fffffff

/** The exchange that an entry tells of, without bodies; the reason as text where it tells too little. */
export function logExchange(entry: LogEntry, options: ImportOptions, notes: string[]): Exchange | string {
  const line = REQUEST_LINE.exec(entry.request)
  const given = entry.method || (line?.[1] ?? '')
  const url = entry.url || (line?.[2] ?? '')
  if (url === '') return 'no field tells the path'
  const method = given === '' ? undefined : readMethod(given)
  if (method === undefined)
    return given === '' ? 'no field tells the method' : 'the method is not an HTTP method'
  const target = targetOf(url, entry, options)
  const problem = targetProblem(target)
  if (problem !== undefined) return `the URL ${problem}`
  if (!/^(?:\/|https?:\/\/)/i.test(target)) return 'the path does not start with "/"'
  const status = Number(entry.status)
  if (!Number.isInteger(status) || status < 100 || status > 999)
    return entry.status === '' ? 'no field tells the status' : 'the status is not an HTTP status'
  const headers: string[] = []
  const add = (name: string, value: string): void => {
    if (value !== '' && value !== '-') headers.push(name, cleanHeaderPart(cutText(value, 2000)))
  }
  if (target.startsWith('/')) add('Host', entry.host)
  add('User-Agent', entry.agent)
  add('Referer', entry.referer)
  return {
    request: { method, target, version: 'HTTP/1.1', headers, body: '' },
    response: {
      status,
      reason: '',
      headers: entry.type === '' ? [] : ['Content-Type', cleanHeaderPart(cutText(entry.type, 200))],
      body: '',
    },
    at: logTime(entry.time) ?? timeless(entry, options, notes),
    clientIp: importedAddress(entry.client.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')),
    serverIp: '',
    source: options.source ?? 'ACCESS_LOG',
    direction: 1,
    vxlanId: 0,
    durationMs: entry.durationMs,
  }
}

/** The target with its query, absolute where the host is known. */
function targetOf(url: string, { query, host, scheme }: LogEntry, options: ImportOptions): string {
  const asked =
    query === '' || query === '-' || url.includes('?') ? url : `${url}?${query.replace(/^\?/, '')}`
  if (!asked.startsWith('/')) return asked
  if (host !== '' && /^https?$/i.test(scheme)) return `${scheme.toLowerCase()}://${host}${asked}`
  const base = options.baseUrl ?? ''
  return host === '' && URL.canParse(base) ? new URL(base).origin + asked : asked
}

function timeless(entry: LogEntry, options: ImportOptions, notes: string[]): number {
  if (entry.time !== '') notes.push('its time is unreadable; the time of the import is used')
  return options.at ?? nowSeconds()
}

/** Epoch seconds of ISO 8601, of the common log format, or of seconds, milliseconds, micro- or nanoseconds since 1970. */
function logTime(text: string): number | undefined {
  if (text === '' || text.length > 64) return undefined
  const common = COMMON_TIME.exec(text)
  if (common !== null) return inRange(commonTime(common) / 1000)
  if (!/^\d+(?:\.\d+)?$/.test(text)) return inRange(Date.parse(text) / 1000)
  let seconds = Number(text)
  while (seconds > MAX_SECONDS && seconds < 1e22) seconds /= 1000
  return inRange(seconds)
}

function commonTime(parts: RegExpExecArray): number {
  const [, day, month, year, hours, minutes, seconds, sign = '+', zoneHours = '0', zoneMinutes = '0'] = parts
  const offset = (sign === '-' ? -1 : 1) * (Number(zoneHours) * 60 + Number(zoneMinutes))
  const at = MONTHS.indexOf(month!.toLowerCase())
  if (at < 0) return Number.NaN
  return Date.UTC(Number(year), at, Number(day), Number(hours), Number(minutes) - offset, Number(seconds))
}

function inRange(seconds: number): number | undefined {
  const whole = Math.floor(seconds)
  return whole > 0 && whole <= MAX_SECONDS ? whole : undefined
}
