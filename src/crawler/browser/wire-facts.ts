/**
 * The parts of events of the Chrome DevTools Protocol (domains Network and Fetch) that the capture reads. They come from
 * the browser, whose pages may be hostile: texts are data.
 */

/** Headers as the protocol has them: repeated ones are joined by line feeds. */
export type WireHeaders = Readonly<Record<string, string>>

/** `Network.Request`. */
export interface WireRequest {
  readonly url: string
  readonly method: string
  readonly headers: WireHeaders
  readonly postData?: string
  readonly hasPostData?: boolean
  readonly postDataEntries?: readonly { readonly bytes?: string }[]
}

/** `Network.Response`. */
export interface WireResponse {
  readonly url: string
  readonly status: number
  readonly statusText: string
  readonly headers: WireHeaders
  readonly mimeType: string
  readonly protocol?: string
  readonly remoteIPAddress?: string
  readonly requestHeaders?: WireHeaders
}

/** `Network.requestWillBeSent`. */
export interface RequestSent {
  readonly requestId: string
  readonly loaderId: string
  readonly documentURL: string
  readonly request: WireRequest
  readonly wallTime: number
  readonly type?: string
  readonly frameId?: string
  readonly redirectHasExtraInfo?: boolean
  readonly redirectResponse?: WireResponse
}

/** `Network.requestWillBeSentExtraInfo`. */
export interface RequestSentExtra {
  readonly requestId: string
  readonly headers: WireHeaders
}

/** `Network.responseReceivedExtraInfo`. */
export interface ResponseExtra {
  readonly requestId: string
  readonly headers: WireHeaders
  readonly statusCode: number
}

/** `Network.responseReceived`. */
export interface ResponseReceived {
  readonly requestId: string
  readonly loaderId: string
  readonly type: string
  readonly response: WireResponse
  readonly hasExtraInfo: boolean
  readonly frameId?: string
}

/** `Network.loadingFailed`. */
export interface LoadingFailed {
  readonly requestId: string
  readonly errorText: string
  readonly blockedReason?: string
}

/** `Fetch.requestPaused`. */
export interface RequestPaused {
  /** Of the domain Fetch. */
  readonly requestId: string
  readonly request: WireRequest
  readonly frameId: string
  readonly resourceType: string
  readonly responseErrorReason?: string
  readonly responseStatusCode?: number
  readonly responseHeaders?: readonly { readonly name: string; readonly value: string }[]
  /** Of the domain Network. */
  readonly networkId?: string
  readonly redirectedRequestId?: string
}

/** An answer that waits, as the browser tells of it once the page gets it; null when it is none. */
export function waitingResponse(paused: RequestPaused): WireResponse | null {
  const { request, responseStatusCode: status, responseHeaders = [] } = paused
  if (status === undefined) return null
  const headers: Record<string, string> = Object.create(null)
  for (const { name, value } of responseHeaders)
    headers[name] = headers[name] === undefined ? value : `${headers[name]}\n${value}`
  const type = responseHeaders.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? ''
  return { url: request.url, status, statusText: '', headers, mimeType: type.split(';')[0]!.trim() }
}

/** Headers as a flat list; a repeated one becomes several. */
export function headerList(headers: WireHeaders): string[] {
  const list: string[] = []
  for (const [name, value] of Object.entries(headers))
    for (const line of value.split('\n')) list.push(name, line)
  return list
}

/** The body of a request as bytes; null without one, or where the browser does not hand it out. */
export function postBytes({ postData, postDataEntries }: WireRequest): Buffer | null {
  if (postDataEntries?.some((entry) => entry.bytes !== undefined))
    return Buffer.concat(postDataEntries.map(({ bytes = '' }) => Buffer.from(bytes, 'base64')))
  return postData === undefined ? null : Buffer.from(postData, 'utf8')
}

/** A URL as it is asked for: without its fragment. */
export function withoutFragment(url: string): string {
  const hash = url.indexOf('#')
  return hash < 0 ? url : url.slice(0, hash)
}
