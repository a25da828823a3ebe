import { CallError } from './call-error.ts'
import type { OperationName, RequestBodyOf, ResponseOf } from './types.ts'
import { accessTokenHeader, apiKeyHeader, errorCodeHeader, requestIdHeader } from './wire.ts'

export { CallError } from './call-error.ts'

/** How a client reaches a server. */
interface ClientOptions {
  /** Origin (and path prefix) of the server, for example `http://127.0.0.1:9090`; '' for the page's own origin. */
  readonly baseUrl: string
  /** Sent as x-api-key. */
  readonly apiKey?: string
  /** Sent as access-token; a function is asked before each call. */
  readonly accessToken?: string | (() => string | null)
  /** Called with the token of a renewed session, which the server sends along. */
  readonly onAccessToken?: (token: string) => void
  /** Used instead of the global fetch. */
  readonly fetch?: typeof globalThis.fetch
}

interface CallOptions {
  readonly signal?: AbortSignal
}

type Arguments<Name extends OperationName> =
  Record<never, never> extends RequestBodyOf<Name>
    ? [body?: RequestBodyOf<Name>, options?: CallOptions]
    : [body: RequestBodyOf<Name>, options?: CallOptions]

/** Every operation as a method. */
type OperationMethods = {
  readonly [Name in OperationName]: (...args: Arguments<Name>) => Promise<ResponseOf<Name>>
}

/** A typed client of the interface. */
export interface Client {
  /** Calls an operation by name. @throws CallError when the server refuses; TypeError when it cannot be reached */
  call<Name extends OperationName>(name: Name, ...args: Arguments<Name>): Promise<ResponseOf<Name>>
  /** The same as methods: `client.op.getAllCollections({})`. */
  readonly op: OperationMethods
}

/** Makes a client. Nothing is sent before the first call. */
export function createClient(options: ClientOptions): Client {
  const call: Client['call'] = (name, ...[body, callOptions]) => send(options, name, body ?? {}, callOptions)
  const op = new Proxy({} as OperationMethods, {
    get: (_target, name) => {
      // A promise looks for `then` on whatever it resolves to; a client is not a thenable.
      if (typeof name !== 'string' || name === 'then') return undefined
      return (body: unknown, callOptions?: CallOptions) => send(options, name, body ?? {}, callOptions)
    },
  })
  return { call, op }
}

async function send<Answer>(
  options: ClientOptions,
  name: string,
  body: unknown,
  callOptions?: CallOptions,
): Promise<Answer> {
  const fetch = options.fetch ?? globalThis.fetch
  const answer = await fetch(`${options.baseUrl.replace(/\/$/, '')}/api/${name}`, {
    method: 'POST',
    headers: headersOf(options),
    body: JSON.stringify(body),
    ...(callOptions?.signal === undefined ? {} : { signal: callOptions.signal }),
  })
  const renewed = answer.headers.get(accessTokenHeader)
  if (renewed !== null) options.onAccessToken?.(renewed)
  const text = await answer.text()
  if (!answer.ok) throw refusal(answer, text)
  return (text === '' ? undefined : parse(answer, text)) as Answer
}

function headersOf(options: ClientOptions): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' }
  if (options.apiKey !== undefined) headers[apiKeyHeader] = options.apiKey
  const token = typeof options.accessToken === 'function' ? options.accessToken() : options.accessToken
  if (token !== undefined && token !== null) headers[accessTokenHeader] = token
  return headers
}

function parse(answer: Response, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new CallError(answer.status, ['The answer is not JSON'], null)
  }
}

function refusal(answer: Response, text: string): CallError {
  const wait = Number(answer.headers.get('retry-after') ?? Number.NaN)
  const error = new CallError(
    answer.status,
    messagesOf(text) ?? [`The server answered with status ${answer.status}`],
    answer.headers.get(errorCodeHeader),
    Number.isFinite(wait) ? wait : null,
  )
  error.requestId = answer.headers.get(requestIdHeader)
  return error
}

function messagesOf(text: string): string[] | null {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body !== 'object' || body === null || !('actionErrors' in body)) return null
    const messages = body.actionErrors
    return Array.isArray(messages) && messages.length > 0 ? messages.map(String) : null
  } catch (error) {
    // A proxy in between may answer with its own page.
    if (error instanceof SyntaxError) return null
    throw error
  }
}
