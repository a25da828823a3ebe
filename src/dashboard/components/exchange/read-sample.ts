/** Half of a sample, for display. */
export interface SampleHalf {
  /** Request line or status line. */
  readonly line: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

/** A sample message, for display. */
export interface Sample {
  readonly request: SampleHalf
  readonly response: SampleHalf
  /** Status code, 0 when it was never answered. */
  readonly status: number
  /** Address of the caller; empty when unknown. */
  readonly ip: string
  /** Epoch seconds; 0 when unknown. */
  readonly time: number
  readonly source: string
}

type Fields = Map<string, unknown>

function fieldsOf(value: unknown): Fields {
  if (typeof value === 'string') {
    try {
      return fieldsOf(JSON.parse(value))
    } catch (error) {
      if (error instanceof SyntaxError) return new Map()
      throw error
    }
  }
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : [])
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function pair(name: string, value: unknown): [string, string][] {
  return Array.isArray(value) ? value.map((one) => [name, textOf(one)]) : [[name, textOf(value)]]
}

/** Header maps are JSON text, objects, or lists of [name, value]. */
function headersOf(value: unknown): [string, string][] {
  const listed = typeof value === 'string' && value.startsWith('[') ? JSON.parse(value) : value
  if (Array.isArray(listed)) {
    return listed.flatMap((item) =>
      Array.isArray(item) ? [[textOf(item[0]), textOf(item[1])] as [string, string]] : [],
    )
  }
  return [...fieldsOf(value)].flatMap(([name, one]) => pair(name, one))
}

/** Reads the usual form of a sample message, and the one with `request` and `response` inside; null for other text. */
export function readSample(text: string): Sample | null {
  const message = fieldsOf(text)
  if (message.size === 0) return null
  const request = message.has('request') ? fieldsOf(message.get('request')) : null
  const response = fieldsOf(message.get('response'))
  const path = textOf(request ? request.get('url') : message.get('path'))
  const query = textOf(request?.get('queryParams'))
  const method = textOf((request ?? message).get('method'))
  const protocol = textOf((request ?? message).get('type')) || 'HTTP/1.1'
  const status = Number(request ? response.get('statusCode') : message.get('statusCode')) || 0
  const word = textOf(message.get('status'))
  return {
    request: {
      line: `${method} ${path}${query === '' ? '' : `?${query}`} ${protocol}`,
      headers: headersOf(request ? request.get('headers') : message.get('requestHeaders')),
      body: textOf(request ? request.get('body') : message.get('requestPayload')),
    },
    response: {
      line: status === 0 ? 'Never answered' : `${protocol} ${status}${word === '' ? '' : ` ${word}`}`,
      headers: headersOf(request ? response.get('headers') : message.get('responseHeaders')),
      body: textOf(request ? response.get('body') : message.get('responsePayload')),
    },
    status,
    ip: textOf(message.get('ip')),
    time: Number(message.get('time')) || 0,
    source: textOf(message.get('source')),
  }
}
