import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

type Fields = Record<string, unknown>

/** An application with weaknesses that keeps what it is sent. */
export interface CarelessTarget {
  readonly host: string
  /** Everything that it keeps, as a text that two moments can be compared by. */
  state(): string
  /** Wrong passwords that an account got. */
  wrongPasswords(username: string): number
  close(): Promise<void>
}

interface Person {
  readonly username: string
  readonly password: string
  city: string
  isAdmin: boolean
  wrong: number
}

/** Objects of one list by their identifier. */
type List = Map<string, Fields>

/**
 * A shop: whoever knows the address of a product changes it, whoever is signed in uses the cards and addresses of
 * everybody, and sign-ins are rejected with status 200 without a limit. Accounts are deleted by the name that their
 * owner chose; members of its club stay, and say themselves whether they are administrators.
 */
export async function carelessTarget(): Promise<CarelessTarget> {
  const people = new Map<string, Person>()
  for (const username of ['ann', 'bob', 'carol'])
    people.set(username, {
      username,
      password: `${username}-Right-1`,
      city: 'Oslo',
      isAdmin: username === 'carol',
      wrong: 0,
    })
  const products: List = new Map(
    ['100', '101', '102'].map((id) => [id, { id: Number(id), name: 'lamp', price: 20, stock: 5 }]),
  )
  const cards: List = new Map()
  const members = new Map<string, unknown>()
  const addresses: List = new Map()
  let next = 103

  const signIn = ({ username, password }: Fields): [number, unknown] => {
    const person = people.get(String(username))
    if (person?.password === password)
      return [200, { status: 'success', message: 'Welcome.', token: `token-of-${person!.username}` }]
    if (person !== undefined) person.wrong++
    return [200, { status: 'fail', message: 'Wrong name or password.' }]
  }
  const register = ({ username, password, isAdmin = false }: Fields): [number, unknown] => {
    if (people.has(String(username))) return [200, { status: 'fail', message: 'The name is taken.' }]
    people.set(String(username), {
      username: String(username),
      password: String(password),
      city: '',
      isAdmin: isAdmin === true,
      wrong: 0,
    })
    return [200, { status: 'success', message: 'Successfully registered. Login to continue.' }]
  }
  const join = ({ username, isAdmin = false }: Fields): [number, unknown] => {
    if (members.has(String(username))) return [400, { error: 'Username already exists' }]
    members.set(String(username), isAdmin)
    return [200, { status: 'success', member: { username, isAdmin } }]
  }
  const product = (method: string, id: string, part: string | undefined, sent: Fields): [number, unknown] => {
    const known = products.get(id)
    if (known === undefined) return [404, { error: 'no such product' }]
    if (part !== undefined && part !== 'stock') return [404, { error: 'no such page' }]
    if (method === 'DELETE') products.delete(id)
    if (method === 'PUT' && part === undefined) Object.assign(known, sent)
    if (method === 'PUT' && part === 'stock') known['stock'] = Number(sent['stock'])
    if (part === 'stock') return [200, { product: known['id'], stock: known['stock'] }]
    return [200, method === 'DELETE' ? { message: 'Deleted.' } : known]
  }
  const belonging = (method: string, path: readonly string[], sent: Fields): [number, unknown] => {
    const [, owner = '', kind = '', id] = path
    const [list, key] = kind === 'credit-cards' ? [cards, 'card_id'] : [addresses, 'id']
    const own = [...list.values()].filter((one) => one['owner'] === owner)
    if (method === 'GET' && id === undefined) return [200, own]
    if (method === 'POST') {
      if (own.some(({ street }) => street !== undefined && street === sent['street']))
        return [409, { error: 'The address exists already.' }]
      const made = { [key]: randomUUID(), owner, ...sent }
      list.set(String(made[key]), made)
      return [201, made]
    }
    const known = list.get(id ?? '')
    if (known === undefined || known['owner'] !== owner) return [404, { error: 'none' }]
    if (method === 'GET') return [405, { error: 'method' }]
    list.delete(id!)
    return [200, { message: 'Removed.' }]
  }
  const carryOut = (
    method: string,
    path: readonly string[],
    sent: Fields,
    token: string,
  ): [number, unknown] => {
    const [kind, id, part] = path
    if (kind === 'login') return signIn(sent)
    if (kind === 'people' && id === 'register') return register(sent)
    if (kind === 'club' && id === 'join') return join(sent)
    if (kind === 'products' && id !== undefined) return product(method, id, part, sent)
    const caller = people.get(token.replace(/^Bearer token-of-/, ''))?.username
    if (caller === undefined) return [401, { error: 'sign in' }]
    if (kind === 'me') {
      const { isAdmin } = people.get(caller)!
      return [200, { username: caller, isAdmin }]
    }
    if (kind === 'products' && method === 'POST') {
      products.set(String(next), { id: next, ...sent })
      return [201, { id: next++, ...sent }]
    }
    if (kind === 'products') return [200, [...products.values()]]
    if (kind !== 'people' || id === undefined) return [404, { error: 'none' }]
    if (part === 'credit-cards' || part === 'addresses') return belonging(method, path, sent)
    const person = people.get(id)
    if (person === undefined) return [404, { error: 'no such person' }]
    if (part === 'city') {
      if (method !== 'PUT') return [405, { error: 'method' }]
      person.city = String(sent['city'])
      return [204, null]
    }
    if (method === 'GET') return [200, { username: id, city: person.city }]
    return caller === 'carol' && people.delete(id) ? [200, { message: 'Gone.' }] : [403, { error: 'no' }]
  }

  const server = createServer((request, response) => {
    void fieldsOf(request).then((sent) => {
      const { pathname } = new URL(request.url!, 'http://target')
      const path = pathname.split('/').slice(1).map(decodeURIComponent)
      const [status, body] =
        sent === null
          ? [400, { error: 'not JSON' }]
          : carryOut(request.method!, path, sent, request.headers.authorization ?? '')
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(status === 204 ? '' : JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    state: () =>
      JSON.stringify([
        [...people.values()].map(({ username, city }) => [username, city]),
        ...[products, cards, addresses].map((list) => [...list].sort(([a], [b]) => (a < b ? -1 : 1))),
      ]),
    wrongPasswords: (username) => people.get(username)?.wrong ?? 0,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** Fields of the query and the body; null when the body is not an object. */
async function fieldsOf(request: IncomingMessage): Promise<Fields | null> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const query = Object.fromEntries(new URL(request.url!, 'http://target').searchParams)
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString() || '{}')
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...query, ...body } : null
  } catch {
    return null
  }
}
