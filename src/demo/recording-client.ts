/** One observed exchange in the sample-message form of live ingestion. */
export interface ObservedMessage {
  readonly method: string
  readonly path: string
  readonly requestHeaders: string
  readonly requestPayload: string
  readonly statusCode: number
  readonly status: string
  readonly responseHeaders: string
  readonly responsePayload: string
  readonly ip: string
  readonly time: number
  readonly type: 'HTTP/1.1'
  readonly source: 'MIRRORING'
}

/** What a client got. */
export interface RecordedAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** A client that remembers every exchange, as a mirror beside the target would. */
export class RecordingClient {
  readonly messages: ObservedMessage[] = []
  readonly #origin: string
  readonly #ip: string
  /** Headers of every request from now on, such as those of a session; lower-case names. */
  headers: Readonly<Record<string, string>>

  /** @param ip address that the client seems to have */
  constructor(origin: string, ip: string, headers: Readonly<Record<string, string>> = {}) {
    this.#origin = origin
    this.#ip = ip
    this.headers = headers
  }

  /** Sends a request; a body that is not text goes as JSON. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    type = 'application/json',
  ): Promise<RecordedAnswer> {
    const payload = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
    const headers: Record<string, string> = {
      accept: 'application/json',
      ...this.headers,
      ...(payload === '' ? {} : { 'content-type': type }),
    }
    const answer = await fetch(this.#origin + path, {
      method,
      headers,
      redirect: 'manual',
      ...(payload === '' ? {} : { body: payload }),
    })
    const text = await answer.text()
    this.messages.push({
      method,
      path,
      requestHeaders: JSON.stringify({ host: new URL(this.#origin).host, ...headers }),
      requestPayload: payload,
      statusCode: answer.status,
      status: answer.statusText,
      responseHeaders: JSON.stringify(Object.fromEntries(answer.headers)),
      responsePayload: text,
      ip: this.#ip,
      time: Math.floor(Date.now() / 1000),
      type: 'HTTP/1.1',
      source: 'MIRRORING',
    })
    return { status: answer.status, headers: answer.headers, text }
  }
}
