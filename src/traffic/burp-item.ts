import type { Exchange, RequestMessage, ResponseMessage } from '../http/index.ts'
import { absoluteUrl, originForm, parseRawRequest, parseRawResponse, targetProblem } from '../http/index.ts'
import { Failure } from '../kit/index.ts'
import type { DecodeBudget } from './decode-budget.ts'
import { importedAddress, importedTime } from './import-entry.ts'
import type { ImportOptions } from './importer.ts'

/** One `item` element as read. */
export interface BurpItem {
  readonly line: number
  /** Texts of its elements by name. */
  readonly fields: Map<string, string>
  /** Names of the elements marked base64. */
  readonly encoded: Set<string>
  /** The `ip` attribute of `host`. */
  address: string
  problem?: string
}

const BASE64 = /^[A-Za-z0-9+/=\s]*$/

/** The exchange of an item; the reason as text when it gives none. */
export function readBurpItem(
  item: BurpItem,
  budget: DecodeBudget,
  options: ImportOptions,
): { exchange: Exchange; notes: readonly string[] } | string {
  const requestBytes = bytesOf(item, 'request')
  if (typeof requestBytes === 'string') return requestBytes
  if (requestBytes.length === 0) return 'it has no request'
  const responseBytes = bytesOf(item, 'response')
  if (typeof responseBytes === 'string') return responseBytes
  const status = Number(item.fields.get('status') || 0)
  if (responseBytes.length === 0 && !(status > 0)) return 'it got no response'
  try {
    const request = budget.spend((maxBodyBytes) => parseRawRequest(requestBytes, { maxBodyBytes }))
    const response =
      responseBytes.length === 0
        ? { message: emptyResponse(status), notes: ['its response is not in the file'] }
        : budget.spend((maxBodyBytes) => parseRawResponse(responseBytes, { maxBodyBytes }))
    const notes = [...request.notes, ...response.notes]
    const target = targetOf(item, request.message)
    const problem = targetProblem(target)
    if (problem !== undefined) return `the URL ${problem}`
    const exchange: Exchange = {
      request: { ...request.message, target },
      response: response.message,
      at: importedTime(item.fields.get('time'), options, notes),
      clientIp: '',
      serverIp: importedAddress(item.address),
      source: options.source ?? 'BURP',
      direction: 1,
      vxlanId: 0,
    }
    return { exchange, notes }
  } catch (error) {
    if (error instanceof Failure) return String(error.details['reason'])
    throw error
  }
}

function bytesOf(item: BurpItem, name: string): Uint8Array | string {
  const text = item.fields.get(name) ?? ''
  if (!item.encoded.has(name)) return Buffer.from(text, 'utf8')
  return BASE64.test(text) ? Buffer.from(text, 'base64') : `its ${name} is marked base64 but is none`
}

function emptyResponse(status: number): ResponseMessage {
  return { status: Number.isInteger(status) && status <= 999 ? status : 0, reason: '', headers: [], body: '' }
}

/** The absolute URL: of the item, else of its host, port and protocol, else by the request's own headers. */
function targetOf(item: BurpItem, request: RequestMessage): string {
  const url = (item.fields.get('url') ?? '').trim()
  if (/^https?:\/\/[^\s/?#]/i.test(url) && !/[\0-\x20\x7f]/.test(url)) {
    // A copy: a part of the file's text would keep all of it in memory as long as the URL is known.
    return Buffer.from(url, 'utf8').toString('utf8')
  }
  const host = (item.fields.get('host') ?? '').trim()
  if (host === '' || /[\0-\x20\x7f/?#@]/.test(host)) return absoluteUrl(request)
  const protocol = item.fields.get('protocol')?.trim() === 'http' ? 'http' : 'https'
  const port = Number(item.fields.get('port') ?? '')
  const usual = protocol === 'http' ? 80 : 443
  const suffix = Number.isInteger(port) && port > 0 && port < 65_536 && port !== usual ? `:${port}` : ''
  return `${protocol}://${host.toWellFormed()}${suffix}${originForm(request.target)}`
}
