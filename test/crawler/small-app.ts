import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a small application is made of. */
export interface SmallApp {
  /** Its script; every path gives one document that loads it. */
  readonly script: string
  readonly style?: string
  /** Answers calls below `/api/`; without, they get an empty object. */
  readonly answer?: (call: ApiCall) => ApiAnswer | Promise<ApiAnswer>
}

/** An answer to a call below `/api/`. */
export interface ApiAnswer {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A call below `/api/`. */
export interface ApiCall {
  /** Method and path. */
  readonly line: string
  readonly body: string
}

/** A running small application, with what it was asked for. */
export interface RunningApp {
  readonly origin: string
  readonly calls: readonly ApiCall[]
  /** Paths of the documents that were loaded. */
  readonly documents: readonly string[]
  close(): Promise<void>
}

/** What every script of a small application may use. */
const KIT = `
const call = (method, path, body) => fetch('/api/' + path, { method, headers: { 'content-type': 'application/json' },
  ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes))
    if (typeof value === 'function') element.addEventListener(name, value)
    else if (value !== false) element.setAttribute(name, value === true ? '' : value)
  element.append(...children)
  return element
}
const show = (...elements) => document.getElementById('view').replaceChildren(...elements)
const route = (draw) => {
  const follow = () => draw(location.pathname)
  addEventListener('popstate', follow)
  addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href]')
    if (!link) return
    event.preventDefault()
    history.pushState(null, '', link.href)
    follow()
  })
  follow()
}
`

/** Starts an application on a free port of loopback. */
export async function startSmallApp(app: SmallApp): Promise<RunningApp> {
  const calls: ApiCall[] = []
  const documents: string[] = []
  const page = `<!doctype html><html lang=en><title>Small</title><meta name=description content="${'Small application. '.repeat(12)}"><style>${app.style ?? ''}</style>
    <body><div id=view></div><script src=/app.js></script></body></html>`
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://small')
    if (request.headers['sec-fetch-dest'] === 'document') documents.push(pathname)
    if (pathname === '/app.js')
      return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(KIT + app.script)
    if (!pathname.startsWith('/api/'))
      return void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
    void textOf(request).then(async (body) => {
      const made = { line: `${request.method} ${pathname}`, body }
      calls.push(made)
      const { status, body: content, headers = {} } = (await app.answer?.(made)) ?? { status: 200, body: {} }
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(content))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    documents,
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}
