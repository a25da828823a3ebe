import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** Everything that the console keeps; a crawl that changes nothing leaves it as it was. */
interface ConsoleState {
  readonly flags: Record<string, boolean>
  readonly tokens: string[]
  readonly invites: string[]
  readonly settings: Record<string, string>
  readonly people: Record<string, { name: string; isActive: boolean; role: string }>
  readonly notes: Record<string, { title: string }>
}

/** A running console. */
export interface Console {
  readonly origin: string
  /** What it keeps now, as JSON text. */
  snapshot(): string
  /** Method and path of every request that arrived, in order. */
  readonly requests: readonly string[]
  close(): Promise<void>
}

const script = `
const call = (method, path, body) => fetch(path, { method, headers: { 'content-type': 'application/json' },
  ...(body === undefined ? {} : { body: JSON.stringify(body) }) }).then((answer) => answer.json(), () => ({}))
const at = (id) => document.getElementById(id)
const button = (parent, text, act, attributes = {}) => {
  const made = document.createElement('button')
  made.textContent = text
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.onclick = act
  parent.append(made)
}
`

const pages: Readonly<Record<string, string>> = {
  '/': '<h1>Console</h1>',
  '/flags': `<h1>Flags</h1><div id=list></div><script>
    call('GET', '/api/flags').then((flags) => { for (const [name, isOn] of Object.entries(flags)) {
      const row = document.createElement('p')
      row.textContent = name
      button(row, '', () => call('POST', '/api/flags/' + name + '/' + (isOn ? 'off' : 'on')), { role: 'switch', 'aria-label': name })
      button(row, 'Archive', () => confirm('Archive ' + name + '?') && call('DELETE', '/api/flags/' + name))
      at('list').append(row)
    } })</script>`,
  '/tokens': `<h1>Tokens</h1><form id=make><input name=name placeholder="Token name"><button>Create token</button></form>
    <div id=more></div><script>
    at('make').onsubmit = (event) => { event.preventDefault(); call('POST', '/api/tokens', { name: event.target.name.value }) }
    button(at('more'), 'Invite link', () => call('POST', '/api/invites', {}))
    button(at('more'), 'Usage', () => call('POST', '/graphql', { query: 'query { usage { calls } }' }))
    button(at('more'), 'Rotate', () => call('POST', '/graphql', { query: 'mutation { rotateTokens { id } }' }))
    button(at('more'), 'Next page', () => call('POST', '/rpc', { jsonrpc: '2.0', id: 1, method: 'tokens.list' }))
    button(at('more'), 'Quota', () => call('POST', '/rpc', { jsonrpc: '2.0', id: 2, method: 'quota.raise' }))
    </script>`,
  '/settings': `<h1>Settings</h1><form id=settings><label>Project name <input name=project></label>
    <label>Map key <input name=mapKey></label><button>Save</button></form>
    <form method=post action=/settings/theme><input name=theme value=dark><button>Apply</button></form><script>
    at('settings').onsubmit = (event) => { event.preventDefault()
      call('PATCH', '/api/settings', { project: event.target.project.value, mapKey: event.target.mapKey.value }) }</script>`,
  '/people': `<h1>People</h1><form id=find><input name=word placeholder="Search people"><button>Search</button></form>
    <div id=found></div>
    <p><a href="/people/5/deactivate">Switch off</a> <a href="/people?action=promote&id=5">Make administrator</a>
    <a href="/people/door?p=5">Lock</a> <button onclick="location.href='/people/step?x=5'">Remove</button></p><script>
    at('find').onsubmit = (event) => { event.preventDefault()
      call('POST', '/api/people/search', { word: event.target.word.value }).then((people) => {
        at('found').innerHTML = Object.keys(people).map((id) => '<a href="/people/' + id + '">' + people[id].name + '</a>').join(' ')
      }) }</script>`,
  '/people/5': `<h1>Person</h1><form id=person><label>Name <input name=fullName></label><button>Save person</button></form><script>
    call('GET', '/api/people/5/history')
    at('person').onsubmit = (event) => { event.preventDefault(); call('PUT', '/api/people/5', { name: event.target.fullName.value }) }
    </script>`,
  '/live': `<h1>Live</h1><div id=more></div><script>
    const socket = new WebSocket(location.origin.replace('http', 'ws') + '/live')
    socket.onopen = () => socket.send('{"type":"subscribe","channel":"news"}')
    button(at('more'), 'Rename channel', () => socket.send('{"type":"rename","channel":"vigil"}'))
    </script>`,
  '/notes': `<h1>Notes</h1><div id=list></div>
    <form id=make><input name=title placeholder=Title><button>Add note</button></form><script>
    const show = () => call('GET', '/api/notes').then((notes) => { at('list').innerHTML = ''
      for (const id of Object.keys(notes)) {
        button(at('list'), 'Delete note', () => call('DELETE', '/api/notes/' + id).then(show))
        button(at('list'), 'Open note', () => call('GET', '/api/notes/' + id + '/content'))
      } })
    show()
    at('make').onsubmit = (event) => { event.preventDefault()
      call('POST', '/api/notes', { title: event.target.title.value }).then(show) }</script>`,
}

const menu = Object.keys(pages)
  .filter((path) => !/\d/.test(path))
  .map((path) => `<a href="${path}">${path}</a>`)
  .join(' ')

/** Starts a console for administrators: whatever is pressed there changes what it keeps. */
export async function startConsole(): Promise<Console> {
  const state: ConsoleState = {
    flags: { dark: false, beta: true, fast: false },
    tokens: ['ci'],
    invites: [],
    settings: { project: 'Console', mapKey: '', theme: 'light' },
    people: { 5: { name: 'Ines', isActive: true, role: 'member' } },
    notes: { 1: { title: 'Milk' } },
  }
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://console')
    const body = await read(request)
    requests.push(`${request.method} ${url.pathname}${url.search}`)
    const page = request.method === 'GET' ? pages[url.pathname] : undefined
    const done =
      page !== undefined && url.search === '' ? null : change(state, request.method ?? '', url, body)
    if (done === null)
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<!doctype html><title>Console</title><nav>${menu}</nav><script>${script}</script>${page}`)
    else
      response
        .writeHead(done.status, { 'content-type': 'application/json', ...done.headers })
        .end(JSON.stringify(done.body))
  })
  const sockets = new Set<Socket>()
  server.on('upgrade', (request, socket) => {
    sockets.add(socket as Socket)
    listen(request, socket as Socket, (text) => {
      requests.push(`MESSAGE ${text}`)
      if (/rename/.test(text)) state.settings['channel'] = 'renamed'
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    snapshot: () => JSON.stringify(state),
    requests,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** The smallest web socket (RFC 6455): hears short texts, and says nothing. */
function listen(request: IncomingMessage, socket: Socket, hear: (text: string) => void): void {
  const key = request.headers['sec-websocket-key'] ?? ''
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
  socket.on('error', () => socket.destroy())
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  )
  let waiting = Buffer.alloc(0)
  socket.on('data', (bytes: Buffer) => {
    waiting = Buffer.concat([waiting, bytes])
    while (waiting.length >= 6 && waiting.length >= 6 + (waiting[1]! & 127)) {
      const length = waiting[1]! & 127
      const mask = waiting.subarray(2, 6)
      const text = Buffer.from(waiting.subarray(6, 6 + length).map((byte, at) => byte ^ mask[at % 4]!))
      if ((waiting[0]! & 15) === 1) hear(text.toString('utf8'))
      waiting = waiting.subarray(6 + length)
    }
  })
}

interface Answer {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

function change(state: ConsoleState, method: string, url: URL, body: string): Answer {
  const ok = (value: unknown = {}): Answer => ({ status: 200, body: value })
  const fields = (): Record<string, string> => {
    try {
      return JSON.parse(body) as Record<string, string>
    } catch {
      return Object.fromEntries(new URLSearchParams(body))
    }
  }
  const [, top = '', second = '', third = '', fourth = ''] = url.pathname.split('/')
  const [five] = Object.values(state.people)
  switch (`${method} ${top}/${second}`) {
    case 'GET api/flags':
      return ok(state.flags)
    case 'POST api/flags':
      if (!(third in state.flags)) return { status: 404, body: {} }
      state.flags[third] = fourth === 'on'
      return ok()
    case 'DELETE api/flags':
      delete state.flags[third]
      return ok()
    case 'POST api/tokens':
      state.tokens.push(fields()['name'] ?? '')
      return { status: 201, body: { id: state.tokens.length } }
    case 'POST api/invites':
      state.invites.push('https://console.example/join')
      return { status: 201, body: { id: state.invites.length } }
    case 'POST graphql/':
      if (/mutation/.test(body)) state.tokens.push('rotated')
      return ok({ data: { usage: { calls: 7 } } })
    case 'POST rpc/':
      if (fields()['method'] === 'quota.raise') state.settings['quota'] = 'raised'
      return ok({ jsonrpc: '2.0', id: 1, result: [] })
    case 'PATCH api/settings':
    case 'POST settings/theme':
      Object.assign(state.settings, fields())
      return ok()
    case 'POST api/people':
      return ok(state.people)
    case 'GET api/people':
      return ok([])
    case 'PUT api/people':
      Object.assign(five!, fields())
      return ok()
    case 'GET people/5':
    case 'GET people/door':
    case 'GET people/step':
      five!.isActive = false
      return ok()
    case 'GET people/':
      five!.role = 'administrator'
      return ok()
    case 'GET api/notes':
      if (third === '') return ok(state.notes)
      return state.notes[third] === undefined ? { status: 404, body: {} } : ok(state.notes[third])
    case 'POST api/notes': {
      const id = String(Date.now())
      state.notes[id] = { title: fields()['title'] ?? '' }
      return { status: 201, body: { id } }
    }
    case 'DELETE api/notes':
      delete state.notes[third]
      return ok()
    default:
      return { status: 404, body: {} }
  }
}

async function read(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return body
}
