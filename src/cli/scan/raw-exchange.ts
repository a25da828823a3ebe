import type { FindingProof } from './scan-result.ts'

const MAX_TEXT = 4000

interface Side {
  method?: string
  url?: string
  type?: string
  queryParams?: string | null
  body?: string | null
  headers?: string | Record<string, unknown> | null
  statusCode?: number | string
}

/** The two messages of an attempt as raw HTTP, each cut to a readable length; null when the text is not an attempt. */
export function rawExchange(message: string): FindingProof | null {
  let parsed: { request?: Side; response?: Side | null } | null
  try {
    parsed = JSON.parse(message)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return null
  }
  if (!parsed?.request) return null
  const { request, response } = parsed
  const query = request.queryParams ? `?${request.queryParams}` : ''
  return {
    request: cut(rawText(`${request.method ?? ''} ${request.url ?? ''}${query}`, request)),
    response: response ? cut(rawText(`HTTP ${response.statusCode ?? ''}`, response)) : '',
  }
}

function rawText(firstLine: string, { headers, body }: Side): string {
  const lines = Object.entries(headersOf(headers)).map(([name, value]) => `${name}: ${String(value)}`)
  return [firstLine, ...lines, ...(body ? ['', body] : [])].join('\n')
}

function headersOf(headers: Side['headers']): Record<string, unknown> {
  if (typeof headers !== 'string') return headers ?? {}
  try {
    return JSON.parse(headers) as Record<string, unknown>
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return {}
  }
}

function cut(text: string): string {
  return text.length <= MAX_TEXT
    ? text
    : `${text.slice(0, MAX_TEXT)}\n… ${text.length - MAX_TEXT} characters more`
}
