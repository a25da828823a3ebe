import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, runCrawl } from '../../bench/crawler/run-crawl.ts'

const canRun = hasBrowser()
if (!canRun)
  console.warn('NOT TESTED: what a crawl takes for a page, since there is no browser on this machine')

const shell = (nonce: number): string =>
  `<!doctype html><title>Books</title><div id=app></div><script nonce="${nonce}" src="/studio/app.js"></script>`

const script = `
const routes = [
  { path: '/reports', component: 'Reports' },
  { path: '/reports/late', component: 'Late' },
]
const messages = { failed: 'error.name', where: 'route.path', texts: 'translations/de.yaml', none: '/nowhere/at-all' }
const help = '/help/index.html'
fetch('/api/books')
const show = () => {
  const path = location.pathname.replace('/studio', '')
  document.getElementById('app').innerHTML = '<h1>' + path + '</h1><a href="/studio/shelves">Shelves</a>'
  if (path === '/reports/late') fetch('/api/late')
}
show()
`

describe.skipIf(!canRun)('a crawl of an application that answers every path below one folder', () => {
  /** Paths of documents that pages were loaded from, in order, and paths asked for by script. */
  const loads: string[] = []
  const asked: string[] = []
  /** Of these, loads that were not ways back to a page. */
  const visits: string[] = []
  let answered = 0
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://app')
    ;(request.headers['sec-fetch-dest'] === 'document' ? loads : asked).push(pathname)
    if (pathname === '/studio/app.js')
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
    else if (pathname.startsWith('/studio'))
      response.writeHead(200, { 'content-type': 'text/html' }).end(shell(10_000_000 + answered++))
    else if (pathname.startsWith('/api/'))
      response.writeHead(200, { 'content-type': 'application/json' }).end('[]')
    else if (pathname === '/help/index.html')
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Help</title><h1>Help</h1>')
    else response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
  })

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const { requests } = await runCrawl({
      start: `http://127.0.0.1:${port}/studio/`,
      seconds: 60,
      mode: 'safe',
      tabs: 2,
    })
    // Guesses are asked for from the start, wherever a tab was before.
    for (const { kind, cause, url } of requests)
      if (kind === 'Document' && cause === 'load' && !url.endsWith('/studio/'))
        visits.push(new URL(url).pathname)
  })

  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  it('loads entries of the router table where the application answers, and nowhere else', () => {
    expect(loads).toContain('/studio/reports/late')
    expect(loads).toContain('/studio/shelves')
    expect(asked).toContain('/api/late')
    expect(loads).not.toContain('/reports')
    expect(loads).not.toContain('/studio/studio/reports')
  })

  it('loads no string of a script that the application only answers as it does any path', () => {
    const strings = loads.filter((path) => /error|route\.path|translations|nowhere|app\.js/.test(path))
    expect(strings).toEqual([])
  })

  it('loads a string that turned out to be a separate page', () => {
    expect(loads).toContain('/help/index.html')
  })

  it('loads no address twice but to go back to it', () => {
    expect(visits.length).toBeGreaterThan(3)
    expect(visits.filter((path, at) => visits.indexOf(path) !== at)).toEqual([])
  })
})
