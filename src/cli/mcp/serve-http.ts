import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { AnswerPages } from './answer-pages.ts'
import { type Connection, protocolServer } from './protocol-server.ts'

const PATH = '/mcp'
const CALLERS_KEPT = 100

/** What all callers share. */
export interface HttpOptions extends Omit<Connection, 'apiKey' | 'pages'> {
  readonly port: number
  readonly maxTokens: number
}

/**
 * Serves the protocol as streamable HTTP on 127.0.0.1, without sessions: every request brings its own key (`Authorization:
 * Bearer` or `x-api-key`) and has the rights of that key. Pages of other sites cannot call it: names and origins other than
 * this machine are refused.
 */
export async function serveHttp({
  port,
  maxTokens,
  ...shared
}: HttpOptions): Promise<{ address: string; server: Server }> {
  const callers = new Map<string, AnswerPages>()
  const pagesOf = (key: string): AnswerPages => {
    const pages = callers.get(key) ?? new AnswerPages(maxTokens)
    callers.delete(key)
    callers.set(key, pages)
    const oldest = callers.keys().next()
    if (callers.size > CALLERS_KEPT && !oldest.done) callers.delete(oldest.value)
    return pages
  }
  const server = createServer((request, response) => {
    const apiKey = keyOf(request)
    if (!isLocal(request)) return answer(response, 403, 'Only this machine may call.')
    if (new URL(request.url ?? '/', 'http://127.0.0.1').pathname !== PATH)
      return answer(response, 404, `The endpoint is ${PATH}.`)
    if (apiKey === null)
      return answer(response, 401, 'Send an API key of Vigil as "Authorization: Bearer KEY" or x-api-key.')
    if (request.method !== 'POST') return answer(response, 405, 'Only POST: this server keeps no sessions.')
    return void handle({ ...shared, apiKey, pages: pagesOf(apiKey) }, request, response)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`, server }
}

async function handle(
  connection: Connection,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const server = protocolServer(connection)
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
  response.on('close', () => void server.close())
  try {
    await server.connect(transport as Parameters<typeof server.connect>[0])
    await transport.handleRequest(request, response)
  } catch (error) {
    process.stderr.write(`vigil: ${(error as Error).message}\n`)
    if (!response.headersSent) answer(response, 500, 'The request failed.')
  }
}

function keyOf({ headers }: IncomingMessage): string | null {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  const named = headers['x-api-key']
  return bearer ?? (typeof named === 'string' && named !== '' ? named : null)
}

/** A page of another site could reach this port under the name of that site. */
function isLocal({ headers }: IncomingMessage): boolean {
  const isOwn = (url: string): boolean =>
    URL.canParse(url) && ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)
  return isOwn(`http://${headers.host}`) && (headers.origin === undefined || isOwn(headers.origin))
}

function answer(response: ServerResponse, status: number, message: string): void {
  const body = { jsonrpc: '2.0', error: { code: -32_000, message }, id: null }
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
