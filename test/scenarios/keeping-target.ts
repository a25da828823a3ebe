import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Installation } from '../use-vigil.ts'

type Fields = Record<string, unknown>

/** An application on this machine that keeps what it is sent. */
export interface KeepingTarget {
  readonly host: string
  /** Everything that it keeps, as a text that two moments can be compared by. */
  state(): string
  /** Requests that were carried out and wrote something, as `METHOD /path`. */
  writes(): readonly string[]
  /** Credentials of the requests that deleted something. */
  deleters(): readonly (string | undefined)[]
  /** Names that somebody tried to sign in with, each with how many wrong passwords it got in all. */
  guesses(): Readonly<Record<string, number>>
  /** From now on creations are carried out and their answers cut off. */
  loseAnswers(): void
  reset(): void
  close(): Promise<void>
}

interface Account {
  readonly id: number
  readonly user: string
  readonly password: string
  /** Wrong passwords since the last right one. */
  failures: number
  isLocked: boolean
}

/** Wrong passwords in a row after which an account is locked for good. */
const LOCKS_AFTER = 5

/**
 * Notes and tickets that can be listed, read, made, changed and deleted, settings that can be read and changed,
 * transfers and groups that can only be made, members who cannot be shown where one has no valid address, and accounts that lock, which everybody can make and the caretaker delete.
 *
 * @param delayMs before each answer
 */
export async function keepingTarget(delayMs = 0): Promise<KeepingTarget> {
  let lists: Record<string, Map<number, Fields>> = {}
  let settings: Fields = {}
  let transfers: Fields[] = []
  let groups: Fields[] = []
  let accounts: Account[] = []
  let wrong: Record<string, number> = {}
  let next = 100
  let losesAnswers = false
  let writes: string[] = []
  let deleters: (string | undefined)[] = []
  const reset = (): void => {
    lists = {
      notes: new Map([1, 2, 3].map((id) => [id, { id, title: 'milk', body: 'two bottles' }])),
      members: new Map([1, 2, 3].map((id) => [id, { id, email: `m${id}@shop.com`, city: 'Oslo' }])),
      tickets: new Map([7, 8].map((id) => [id, { id, title: 'broken', state: 'open', role: 'none' }])),
    }
    settings = { name: 'Our shop', language: 'en', role: 'none', updatedAt: '2026-01-01T00:00:00Z' }
    transfers = []
    groups = []
    accounts = [{ id: 1, user: 'ann', password: 'Right-1', failures: 0, isLocked: false }]
    wrong = {}
    next = 100
    losesAnswers = false
    writes = []
    deleters = []
  }
  reset()

  const signIn = ({ user, password }: Fields): [number, unknown] => {
    const account = accounts.find((one) => one.user === user)
    if (account?.isLocked === true) return [423, { error: 'locked' }]
    if (account !== undefined && account.password === password) {
      account.failures = 0
      return [200, { token: `of-${account.user}` }]
    }
    wrong[String(user)] = (wrong[String(user)] ?? 0) + 1
    if (account !== undefined) account.isLocked = ++account.failures >= LOCKS_AFTER
    return [401, { error: 'wrong user or password' }]
  }
  const signUp = ({ user, password }: Fields): [number, unknown] => {
    if (typeof user !== 'string' || typeof password !== 'string') return [400, { error: 'incomplete' }]
    if (accounts.some((one) => one.user === user)) return [409, { error: 'taken' }]
    const account = { id: next++, user, password, failures: 0, isLocked: false }
    accounts.push(account)
    return [201, { id: account.id, user }]
  }

  const carryOut = (
    method: string,
    path: string,
    body: Fields,
    caller: string | undefined,
  ): [number, unknown] => {
    const [, name = '', id] = path.split('/')
    const list = lists[name]
    if (path === '/login' && method === 'POST') return signIn(body)
    if (name === 'accounts' && method === 'POST') return signUp(body)
    if (name === 'accounts' && method === 'DELETE') {
      if (caller !== 'Bearer of-caretaker') return [403, { error: 'not yours' }]
      deleters.push(caller)
      accounts = accounts.filter((one) => String(one.id) !== id)
      return [204, '']
    }
    if (path === '/settings') {
      if (method === 'GET') return [200, settings]
      if (method !== 'PUT') return [405, { error: 'method' }]
      const known = Object.keys(settings).filter((key) => key !== 'updatedAt' && key in body)
      settings = {
        ...settings,
        ...Object.fromEntries(known.map((key) => [key, body[key]])),
        updatedAt: new Date().toISOString(),
      }
      return [200, settings]
    }
    if (path === '/groups') {
      if (method === 'POST') groups.push({ ...body, id: next++ })
      return method === 'POST' ? [201, { data: groups.at(-1) }] : [200, { data: groups }]
    }
    if (path === '/transfers' && method === 'POST') {
      transfers.push(body)
      return [201, { id: next++, ...body }]
    }
    if (list === undefined) return [404, { error: 'no such path' }]
    // One address that is none, and no member can be shown any more.
    const isBroken = [...(lists['members']?.values() ?? [])].some(
      ({ email }) => !/^[\w.]+@[\w.]+$/.test(String(email)),
    )
    if (name === 'members' && method === 'GET' && isBroken) return [500, { error: 'not an address' }]
    if (id === undefined) {
      if (method === 'GET') return [200, [...list.values()]]
      if (method !== 'POST') return [405, { error: 'method' }]
      const made = { ...body, id: next++ }
      list.set(made.id, made)
      return [201, made]
    }
    const item = list.get(Number(id))
    if (item === undefined) return [404, { error: 'no such item' }]
    if (method === 'GET') return [200, item]
    if (method === 'DELETE') {
      list.delete(Number(id))
      deleters.push(caller)
      return [204, '']
    }
    if (method !== 'PUT' && method !== 'PATCH') return [405, { error: 'method' }]
    const known = Object.keys(item).filter((key) => key !== 'id' && key in body)
    const changed = { ...item, ...Object.fromEntries(known.map((key) => [key, body[key]])) }
    list.set(Number(id), changed)
    return [200, changed]
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
    const { method = 'GET', headers } = request
    const path = new URL(request.url ?? '/', 'http://target').pathname
    let body: Fields = {}
    try {
      body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Fields
    } catch {
      return void response.writeHead(400).end('{"error":"not JSON"}')
    }
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      return void response.writeHead(400).end('{"error":"not an object"}')
    const [status, value] = carryOut(method, path, body, headers.authorization)
    if (status < 300 && method !== 'GET' && path !== '/login') writes.push(`${method} ${path}`)
    if (losesAnswers && method === 'POST') return void request.socket.destroy()
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(value === '' ? '' : JSON.stringify(value))
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    state: () => {
      const { updatedAt: _, ...shown } = settings
      return JSON.stringify({
        lists: Object.entries(lists).map(([name, list]) => [name, [...list].sort(([a], [b]) => a - b)]),
        settings: shown,
        transfers,
        groups,
        accounts: accounts.map(({ user, password, isLocked }) => ({ user, password, isLocked })),
      })
    },
    guesses: () => wrong,
    writes: () => writes,
    deleters: () => deleters,
    loseAnswers: () => {
      losesAnswers = true
    },
    reset,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** Records how somebody uses such an application. */
export async function recordUse(vigil: Installation, host: string): Promise<void> {
  let at = 1_795_000_000
  const message = (method: string, path: string, status: number, sent: unknown, answered: unknown) => ({
    method,
    path,
    requestHeaders: { host, authorization: 'Bearer of-ann', 'content-type': 'application/json' },
    responseHeaders: { 'content-type': 'application/json' },
    statusCode: status,
    ...(sent === null ? {} : { requestPayload: JSON.stringify(sent) }),
    ...(answered === null ? {} : { responsePayload: JSON.stringify(answered) }),
    ip: '203.0.113.9',
    time: at++,
    source: 'MIRRORING',
  })
  const note = (id: number) => ({ id, title: 'milk', body: 'two bottles' })
  const ticket = (id: number) => ({ id, title: 'broken', state: 'open', role: 'none' })
  const settings = { name: 'Our shop', language: 'en', role: 'none', updatedAt: '2026-01-01T00:00:00Z' }
  const { id: _, ...title } = note(1)
  const batchData = [
    message('GET', '/notes', 200, null, [1, 2, 3].map(note)),
    message('POST', '/notes', 201, title, { ...title, id: 4 }),
    ...[1, 2, 3].map((id) => message('GET', `/notes/${id}`, 200, null, note(id))),
    ...[4, 5, 6].map((id) => message('DELETE', `/notes/${id}`, 204, null, null)),
    message('GET', '/settings', 200, null, settings),
    message('PUT', '/settings', 200, { name: 'Our shop', language: 'en' }, settings),
    ...[7, 8, 9].map((id) => message('GET', `/tickets/${id}`, 200, null, ticket(id))),
    ...[9, 8, 7].map((id) => message('PATCH', `/tickets/${id}`, 200, { title: 'broken' }, ticket(id))),
    message('GET', '/groups', 200, null, { data: [] }),
    message('POST', '/groups', 201, { members: ['ann'] }, { data: { id: 1, members: ['ann'] } }),
    message('POST', '/transfers', 201, { amount: 5, text: 'rent' }, { id: 1, amount: 5, text: 'rent' }),
  ]
  await vigil.call('ingestData', { batchData })
}

/** Records how somebody reads and changes members. */
export async function recordMembers(vigil: Installation, host: string): Promise<void> {
  const message = (method: string, id: number, sent: unknown) => ({
    method,
    path: `/members/${id}`,
    requestHeaders: { host, authorization: 'Bearer of-ann', 'content-type': 'application/json' },
    responseHeaders: { 'content-type': 'application/json' },
    statusCode: 200,
    ...(sent === null ? {} : { requestPayload: JSON.stringify(sent) }),
    responsePayload: JSON.stringify({ id, email: `m${id}@shop.com`, city: 'Oslo' }),
    ip: '203.0.113.9',
    time: 1_795_000_700 + id,
    source: 'MIRRORING',
  })
  const batchData = [1, 2, 3].flatMap((id) => [
    message('GET', id, null),
    message('PUT', id, { email: `m${id}@shop.com`, city: 'Oslo' }),
  ])
  await vigil.call('ingestData', { batchData })
}

/** Records how people sign in, and, if wanted, how they sign up and a caretaker deletes accounts. */
export async function recordSignIns(vigil: Installation, host: string, signsUp: boolean): Promise<void> {
  let at = 1_795_000_500
  const message = (method: string, path: string, status: number, sent: unknown, answered: unknown) => ({
    method,
    path,
    requestHeaders: {
      host,
      'content-type': 'application/json',
      ...(method === 'DELETE' ? { authorization: 'Bearer of-caretaker' } : {}),
    },
    responseHeaders: { 'content-type': 'application/json' },
    statusCode: status,
    ...(sent === null ? {} : { requestPayload: JSON.stringify(sent) }),
    ...(answered === null ? {} : { responsePayload: JSON.stringify(answered) }),
    ip: '203.0.113.9',
    time: at++,
    source: 'MIRRORING',
  })
  const ann = { user: 'ann', password: 'Right-1' }
  const batchData = [
    message('POST', '/login', 200, ann, { token: 'of-ann' }),
    ...(signsUp
      ? [
          message('POST', '/accounts', 201, ann, { id: 1, user: 'ann' }),
          ...[41, 42, 43].map((id) => message('DELETE', `/accounts/${id}`, 204, null, null)),
        ]
      : []),
  ]
  await vigil.call('ingestData', { batchData })
}
