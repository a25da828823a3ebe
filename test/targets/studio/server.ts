import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const folder = new URL('./public/', import.meta.url)
const types: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css' }
/** Names that belong to the application; other last parts of a path, and all numbers, are those of records. */
const CUSTOMERS = ['Ada Ames', 'Bo Bell']

/** A running studio, with what it was asked for. */
export interface Studio {
  readonly origin: string
  /** Calls that pages made, numbers and names of records as `{}`, queries left out. */
  readonly calls: ReadonlySet<string>
  /** Documents that were loaded. */
  readonly documents: () => number
  close(): Promise<void>
}

/** Starts the studio on a free port of loopback. */
export async function startStudio(): Promise<Studio> {
  const calls = new Set<string>()
  let documents = 0
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://studio')
    const [, ending = ''] = /\.(\w+)$/.exec(pathname) ?? []
    request.resume()
    if (request.headers['sec-fetch-dest'] === 'document') documents++
    if (pathname.startsWith('/api/')) {
      calls.add(`${request.method} ${pathname.replace(/\/\d+(?=\/|$)|(?<=\/flags)\/\w+/g, '/{}')}`)
      const body = pathname === '/api/customers' ? CUSTOMERS : {}
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    } else if (ending in types)
      response
        .writeHead(200, { 'content-type': types[ending] })
        .end(readFileSync(new URL(`.${pathname}`, folder)))
    else
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(readFileSync(new URL('index.html', folder)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    documents: () => documents,
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
