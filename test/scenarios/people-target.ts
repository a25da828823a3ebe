import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Installation } from '../use-vigil.ts'
import { collectionOf } from '../use-vigil.ts'

export const PEOPLE = ['ann', 'bob', 'root'] as const
export type Person = (typeof PEOPLE)[number]
type Fields = Record<string, unknown>

/** What an application is made of. */
export interface Shape {
  /** Addresses of lists whose items can be made, read, changed and deleted. */
  readonly lists: readonly string[]
  /** Addresses that answer one object, to GET alone; `me` among them names the caller, `search` shows excerpts of items. */
  readonly pages: readonly string[]
  /** Whether somebody may use a function: `POST /menu`, items as `DELETE /menu/{}`. */
  readonly allows: (person: Person, operation: string) => boolean
  /** What each person is recorded doing: `POST /menu`; items as `PUT /menu/{}`, the newest of the list. */
  readonly days: Readonly<Record<Person, readonly string[]>>
  /** A change of accounts: sets a role by name, and shows nothing. */
  readonly setsRoles?: string
  /** Items are only shown in their list, and made by PUT to it. */
  readonly isListedOnly?: boolean
  /** A refused deletion is answered like one that was carried out. */
  readonly liesAboutDeletions?: boolean
}

/** Credentials that every application here knows. */
export function tokenOf(person: Person): string {
  return `Bearer t0ken-of-${person}-7f3a`
}

/** An application on this machine that three people use; what it does about their rights is its shape. */
export class PeopleTarget {
  readonly #shape: Shape
  readonly #server: Server
  readonly #lists: Map<string, Map<number, Fields>>
  readonly #messages: object[] = []
  /** Functions that somebody was given, as `bob DELETE /menu/{}`; without those of recordings. */
  readonly used: string[] = []
  readonly roles: Fields[] = []
  #next = 100
  host = ''

  constructor(shape: Shape) {
    this.#shape = shape
    this.#lists = new Map(
      shape.lists.map((path) => [path, new Map([1, 2, 3].map((id) => [id, itemOf(id, 'Soup')]))]),
    )
    this.#server = createServer((request, response) => void this.#answer(request, response))
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.host = `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }

  state(): string {
    return JSON.stringify([...this.#lists].map(([path, items]) => [path, [...items.values()]]))
  }

  /** Lets people use it one after the other, hands the recording over, and returns its collection. */
  async record(vigil: Installation, order: readonly Person[]): Promise<number> {
    for (const person of order) await this.#day(person)
    this.used.length = 0
    await vigil.call('ingestData', { batchData: this.#messages })
    return collectionOf(vigil, this.host)
  }

  async #day(person: Person): Promise<void> {
    const made = new Map<string, number>()
    for (const [at, operation] of this.#shape.days[person].entries()) {
      const [method = '', path = ''] = operation.split(' ')
      const list = path.replace('/{}', '')
      const id = made.get(list) ?? 1
      const answer = await this.#call(person, method, path.replace('{}', String(id)), at)
      const isMade = method === 'POST' || (method === 'PUT' && this.#lists.has(path))
      if (isMade && typeof answer['id'] === 'number') made.set(list, answer['id'])
    }
  }

  async #call(person: Person, method: string, path: string, at: number): Promise<Fields> {
    const headers = { host: this.host, authorization: tokenOf(person), 'content-type': 'application/json' }
    const body = bodyFor(method, path, person, at, this.#shape)
    const answer = await fetch(`http://${this.host}${path}`, { method, headers, body })
    const responsePayload = await answer.text()
    this.#messages.push({
      method,
      path,
      requestHeaders: headers,
      requestPayload: body ?? '',
      responseHeaders: { 'content-type': 'application/json' },
      statusCode: answer.status,
      responsePayload,
      ip: '203.0.113.9',
      time: 1_795_000_000 + this.#messages.length,
      source: 'MIRRORING',
    })
    return responsePayload === '' ? {} : (JSON.parse(responsePayload) as Fields)
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const person = PEOPLE.find((one) => tokenOf(one) === request.headers.authorization)
    const { pathname } = new URL(request.url ?? '/', 'http://target')
    const [status, body] =
      person === undefined
        ? [401, { error: 'sign in' }]
        : this.#carryOut(person, request.method ?? 'GET', pathname, text)
    response.writeHead(status as number, { 'content-type': 'application/json' })
    response.end(body === null ? '' : JSON.stringify(body))
  }

  #carryOut(person: Person, method: string, path: string, text: string): [number, unknown] {
    const { pages, allows, setsRoles, isListedOnly, liesAboutDeletions } = this.#shape
    const [, parent = '', last = ''] = /^(.*)\/([^/]*)$/.exec(path) ?? []
    const list = this.#lists.get(path)
    const items = this.#lists.get(parent)
    const isItem = items !== undefined && /^\d+$/.test(last)
    const operation = `${method} ${isItem ? `${parent}/{}` : path}`
    const isKnown = list !== undefined || isItem || pages.includes(path) || operation === setsRoles
    if (!isKnown) return [404, { error: 'no such path' }]
    if (!allows(person, operation))
      return method === 'DELETE' && liesAboutDeletions === true ? [204, null] : [403, { error: 'forbidden' }]
    let body: Fields
    try {
      body = JSON.parse(text === '' ? '{}' : text) as Fields
    } catch {
      return [400, { error: 'not JSON' }]
    }
    this.used.push(`${person} ${operation}`)
    if (operation === setsRoles) return [200, this.#setRole(body)]
    if (list !== undefined) return this.#ofList(list, method, body, isListedOnly === true)
    if (isItem) return this.#ofItem(items, Number(last), method, body, isListedOnly === true)
    if (method !== 'GET') return [405, { error: 'method' }]
    return [
      200,
      last === 'me' ? { id: PEOPLE.indexOf(person) + 1, email: `${person}@shop.example` } : pageOf(path),
    ]
  }

  #setRole(body: Fields): Fields {
    this.roles.push(body)
    return { username: body['username'], role: body['role'] }
  }

  #ofList(list: Map<number, Fields>, method: string, body: Fields, isListedOnly: boolean): [number, unknown] {
    if (method === 'GET') return [200, [...list.values()]]
    if (method !== (isListedOnly ? 'PUT' : 'POST')) return [405, { error: 'method' }]
    const made = { ...itemOf(this.#next++, 'Soup'), ...body }
    list.set(made.id, made)
    return [201, made]
  }

  #ofItem(
    list: Map<number, Fields>,
    id: number,
    method: string,
    body: Fields,
    isListedOnly: boolean,
  ): [number, unknown] {
    const item = list.get(id)
    if (method === 'GET' && isListedOnly) return [405, { error: 'method' }]
    if (item === undefined) return [404, { error: 'no such item' }]
    if (method === 'GET') return [200, item]
    if (method === 'DELETE') {
      list.delete(id)
      return [204, null]
    }
    if (method !== 'PUT') return [405, { error: 'method' }]
    const changed = { ...item, ...body, id }
    list.set(id, changed)
    return [200, changed]
  }
}

function itemOf(id: number, name: string): Fields & { id: number } {
  return { id, name, price: 4, note: 'hot' }
}

function pageOf(path: string): Fields {
  if (path.endsWith('/search')) return { found: [{ id: 1, name: 'Soup', note: 'hot' }] }
  return { of: path, total: path.length * 100, text: `Everything about ${path}` }
}

function bodyFor(method: string, path: string, person: Person, at: number, shape: Shape): string | null {
  if (method === 'GET' || method === 'DELETE') return null
  if (`${method} ${path}` === shape.setsRoles) return JSON.stringify({ username: 'hhm', role: 'Employee' })
  return JSON.stringify({ name: `Dish ${at} of ${person}`, price: at + 1, note: 'as usual' })
}
