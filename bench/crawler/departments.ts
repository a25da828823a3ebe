import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const WOODS = ['alder', 'birch', 'cedar', 'elm', 'fir', 'hazel', 'larch', 'maple', 'oak', 'pine']
const ROOMS = ['bench', 'desk', 'frame', 'hall', 'lamp', 'shelf', 'stool', 'table', 'trunk', 'wall']

/** An application of departments that answers as slowly as one at the other end of a line. */
export interface Departments {
  readonly origin: string
  /** Kinds of requests there are: method and path, without the start. */
  readonly kinds: ReadonlySet<string>
  /** Kinds that were asked for, with the moment of `performance.now()`. */
  readonly seen: ReadonlyMap<string, number>
  close(): Promise<void>
}

/**
 * Starts one. Every department has two pages, a form, and four calls of its own, two of which are made by acting on it
 * alone.
 *
 * @param count departments, at most 100
 * @param latencyMs time before every answer
 */
export async function startDepartments(count: number, latencyMs: number): Promise<Departments> {
  const names = WOODS.flatMap((wood) => ROOMS.map((room) => `${wood}-${room}`)).slice(0, count)
  const kinds = new Set(names.flatMap(kindsOf))
  const seen = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const kind = `${request.method} ${(request.url ?? '').split('?')[0]}`
    if (kinds.has(kind) && !seen.has(kind)) seen.set(kind, performance.now())
    request.resume()
    await pause(latencyMs)
    const [, area = '', name = '', part = ''] = (request.url ?? '').split('?')[0]!.split('/')
    if (area === '') return response.setHeader('content-type', 'text/html').end(startPage(names))
    if (!names.includes(name)) return response.writeHead(404).end()
    if (area === 'room')
      return response.setHeader('content-type', 'text/html').end(part === 'about' ? about(name) : room(name))
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ [part]: name, ok: true }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    kinds,
    seen,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function kindsOf(name: string): string[] {
  return [
    `GET /room/${name}`,
    `GET /room/${name}/about`,
    `GET /api/${name}/items`,
    `GET /api/${name}/hours`,
    `GET /api/${name}/prices`,
    `POST /api/${name}/notes`,
  ]
}

function startPage(names: readonly string[]): string {
  const links = names.map((name) => `<li><a href="/room/${name}">${name}</a></li>`).join('')
  return `<!doctype html><title>House</title><h1>House</h1><ul>${links}</ul>`
}

function room(name: string): string {
  return `<!doctype html><title>${name}</title><h1>${name}</h1><a href="/room/${name}/about">About ${name}</a>
<button id="prices">Prices of ${name}</button>
<form><label>Note for ${name} <input name="note" required></label><button>Leave it</button></form>
<ul id="list"></ul>
<script>
const call = (part, options) => fetch(location.pathname.replace('/room', '/api') + '/' + part, options)
call('items').then((answer) => answer.json()).then((found) => { list.textContent = Object.values(found).join() })
prices.onclick = () => call('prices')
document.forms[0].onsubmit = (event) => {
  event.preventDefault()
  call('notes', { method: 'POST', body: JSON.stringify({ note: event.target.note.value }) })
}
</script>`
}

function about(name: string): string {
  return `<!doctype html><title>About ${name}</title><h1>About ${name}</h1><p id="open"></p>
<script>
fetch(location.pathname.replace('/room', '/api').replace('/about', '/hours')).then((answer) => answer.text())
  .then((text) => { open.textContent = text })
</script>`
}
