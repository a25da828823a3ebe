import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join, normalize } from 'node:path'
import { describeCost, runCrawl } from './run-crawl.ts'

/*
 * Coverage of Google's security-crawl-maze: `node bench/crawler/crawl-maze.ts <folder of a checkout> [seconds] [tabs]`.
 * The framework applications count as found only where their builds are in the checkout. Set NO_STATIC=1 to crawl without
 * reading scripts.
 */

const folder = process.argv[2]
if (!folder || !existsSync(join(folder, 'test-cases'))) {
  console.error('Name the folder of a checkout of security-crawl-maze.')
  process.exit(2)
}
const seconds = Number(process.argv[3] ?? 240)
const tabs = Number(process.argv[4] ?? 4)
const expected = JSON.parse(
  readFileSync(join(folder, 'blueprints/utils/resources/expected-results.json'), 'utf8'),
) as string[]
const cases = join(folder, 'test-cases')
const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'application/javascript',
  css: 'text/css',
  json: 'application/json',
  svg: 'image/svg+xml',
}
/** Method and path of everything the server was asked for. */
const asked = new Set<string>()

function send(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers })
  response.end(body)
}

/** The routes of the original that are not files. */
function special(
  path: string,
  origin: string,
): { status: number; body: string; headers?: Record<string, string> } | null {
  const template = (name: string) =>
    readFileSync(join(folder!, name), 'utf8').replace(
      /\{\{\s*url_for\(\s*['"]index['"]\s*(?:,\s*_external\s*=\s*True\s*)?(,\s*_scheme\s*=\s*""\s*)?\)\s*\}\}/g,
      (_, isRelative: string | undefined) => `${isRelative ? origin.replace('http:', '') : origin}/`,
    )
  const script = { 'content-type': 'application/javascript' }
  switch (path.replace(/\/$/, '')) {
    case '':
      return { status: 200, body: template('templates/index.html') }
    case '/robots.txt':
      return {
        status: 200,
        body: 'User-agent: *\nDisallow: /test/misc/known-files/robots.txt.found',
        headers: { 'content-type': 'text/plain' },
      }
    case '/sitemap.xml':
      return {
        status: 200,
        body: template('templates/sitemap.xml'),
        headers: { 'content-type': 'application/xml' },
      }
    case '/css/font-face.css':
      return {
        status: 200,
        body: `@font-face{font-family: leak;src: url(${origin}/test/css/font-face.found);}`,
        headers: { 'content-type': 'text/css' },
      }
    case '/headers/content-location':
      return {
        status: 201,
        body: template('blueprints/headers/templates/content-location-header.html'),
        headers: { 'content-location': '/test/headers/content-location.found' },
      }
    case '/headers/link':
      return {
        status: 200,
        body: template('blueprints/headers/templates/link-header.html'),
        headers: { link: '</test/headers/link.found>; rel="preload"' },
      }
    case '/headers/location':
      return { status: 301, body: '', headers: { location: '/test/headers/location.found' } }
    case '/headers/refresh':
      return {
        status: 200,
        body: template('blueprints/headers/templates/refresh-header.html'),
        headers: { refresh: '999; url=/test/headers/refresh.found' },
      }
    case '/html/misc/url/full-url':
      return { status: 200, body: template('blueprints/html/templates/url/full-url.html') }
    case '/html/misc/url/path-relative-url':
      return { status: 200, body: template('blueprints/html/templates/url/path-relative-url.html') }
    case '/html/misc/url/protocol-relative-url':
      return { status: 200, body: template('blueprints/html/templates/url/protocol-relative-url.html') }
    case '/html/misc/string/url-string':
      return { status: 200, body: template('blueprints/html/templates/string/url-string.html') }
    case '/javascript/misc/comment.js':
      return { status: 200, body: `// ${origin}/test/javascript/misc/comment.found`, headers: script }
    case '/javascript/misc/string-variable.js':
      return {
        status: 200,
        body: `var url = "${origin}/test/javascript/misc/string-variable.found";`,
        headers: script,
      }
    case '/javascript/misc/string-concat-variable.js':
      return {
        status: 200,
        body: `var domain = "${origin}/";var path = "test/javascript/misc/string-concat-variable.found";var full = domain + path;`,
        headers: script,
      }
    default:
      return null
  }
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const origin = `http://${request.headers.host}`
  const path = decodeURIComponent(new URL(request.url ?? '/', origin).pathname)
  asked.add(`${request.method} ${path}`)
  const known = special(path, origin)
  const framework = /^\/javascript\/frameworks\/(angular|angularjs|polymer|react)(?:\/(.*))?$/.exec(path)
  const file = normalize(join(cases, path))
  if (known) send(response, known.status, known.body, known.headers)
  else if (path.startsWith('/test/')) send(response, expected.includes(path) ? 200 : 404, 'found')
  else if (!file.startsWith(cases)) send(response, 404, '')
  else if (framework && framework[2] === undefined) send(response, 308, '', { location: `${path}/` })
  else if (framework) sendFramework(response, framework[1]!, framework[2]!)
  else if (!existsSync(file)) send(response, 404, '')
  else if (statSync(file).isFile()) sendFile(response, file)
  else if (!path.endsWith('/')) send(response, 308, '', { location: `${path}/` })
  else {
    const links = readdirSync(file).map((name) => `<li><a href="${path}${name}">${name}</a></li>`)
    send(response, 200, `<!doctype html><title>${path}</title><ul>${links.join('')}</ul>`)
  }
}

/** A file of a framework application, or its index for every other path; the build is in `dist` where there is one. */
function sendFramework(response: ServerResponse, name: string, path: string): void {
  const home = join(cases, 'javascript/frameworks', name)
  const built = existsSync(join(home, 'dist')) ? join(home, 'dist') : home
  const inner = normalize(join(built, path))
  const isFile = inner.startsWith(built) && existsSync(inner) && statSync(inner).isFile()
  sendFile(response, isFile ? inner : join(built, 'index.html'))
}

function sendFile(response: ServerResponse, file: string): void {
  const type = types[file.split('.').at(-1) ?? ''] ?? 'text/html; charset=utf-8'
  if (existsSync(file)) send(response, 200, readFileSync(file), { 'content-type': type })
  else send(response, 404, '')
}

const server: Server = createServer(answer)
await new Promise<void>((resolve) =>
  server.listen(Number(process.env['PORT'] ?? 21_600), '127.0.0.1', resolve),
)
const address = server.address()
const port = typeof address === 'object' && address ? address.port : 0
const measure = await runCrawl({
  start: `http://127.0.0.1:${port}/`,
  seconds,
  mode: 'full',
  tabs,
  staticAnalysis: process.env['NO_STATIC'] === undefined,
})
server.closeAllConnections()
server.close()

const listed = new Set(measure.urls.map((found) => new URL(found.url).pathname))
const requested = new Set([...asked].map((line) => line.slice(line.indexOf(' ') + 1)))
const found = expected.filter((path) => requested.has(path) || listed.has(path))
const missed = expected.filter((path) => !found.includes(path))
/** What the page sends when the control is used, as the cases are written. */
const methods = new Map([
  ['js-delete', 'DELETE'],
  ['js-post', 'POST'],
  ['js-post-event-listener', 'POST'],
  ['js-put', 'PUT'],
])
const interactive = expected.filter((path) => path.includes('/interactive/'))
/** Only what pages sent themselves: what the crawler read in a script and asked for exercises no control. */
const acted = new Set(
  measure.requests
    .filter((line) => line.cause !== 'probe' && line.kind !== 'Document')
    .map((line) => `${line.method} ${new URL(line.url).pathname}`),
)
const exact = interactive.filter((path) => {
  const name = /([^/]+)\.found$/.exec(path)?.[1] ?? ''
  const method = methods.get(name) ?? (/listener-and|two-listeners/.test(name) ? 'POST' : 'GET')
  return acted.has(`${method} ${path}`)
})
console.log(
  `found ${found.length} of ${expected.length}; requested ${expected.filter((path) => requested.has(path)).length}`,
)
console.log(`interactive with the right method: ${exact.length} of ${interactive.length}`)
if (missed.length > 0) console.log(`missed:\n  ${missed.join('\n  ')}`)
const wrong = interactive.filter((path) => !exact.includes(path))
if (wrong.length > 0) console.log(`wrong method:\n  ${wrong.join('\n  ')}`)
console.log(describeCost(measure))
for (const warning of measure.outcome.warnings.slice(0, 10)) console.log(`warning: ${warning}`)
process.exit(0)
