/** A seeded generator (mulberry32): the same seed gives the same messages on every machine. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const RESOURCES = [
  'orders',
  'users',
  'carts',
  'invoices',
  'payments',
  'products',
  'reviews',
  'shipments',
  'coupons',
  'accounts',
  'sessions',
  'devices',
  'tickets',
  'messages',
  'teams',
  'projects',
  'files',
  'events',
  'plans',
  'refunds',
]
const ACTIONS = ['', '/items', '/history', '/notes', '/status']
const METHODS = ['GET', 'POST']
/** 20 resources × 5 actions × 2 methods = 200 endpoints. */
export const ENDPOINTS = RESOURCES.length * ACTIONS.length * METHODS.length
const WORDS = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf', 'hotel', 'india', 'juliet']

/** Ids never seen before have nine digits and begin with 7, so that a replay can give each pass new ones. */
const NEW_ID_FROM = 700_000_000
const TIME_FROM = 1_795_000_000

/** Value of a parameter in messages that attack. */
const ATTACK = '1%27%20UNION%20SELECT%20login,password%20FROM%20users--'

/** Makes sample messages of about 2 KB: JSON bodies, 20 request headers, 200 endpoints, a share of new paths. */
export class MessageSource {
  readonly #random: () => number
  readonly #share: number
  readonly #shareOfAttacks: number
  #made = 0

  constructor(seed: number, shareOfNewPaths = 0.05, shareOfAttacks = 0) {
    this.#random = seeded(seed)
    this.#share = shareOfNewPaths
    this.#shareOfAttacks = shareOfAttacks
  }

  /** JSON texts of the next messages. */
  take(count: number): string[] {
    return Array.from({ length: count }, () => JSON.stringify(this.#next()))
  }

  #next(): Record<string, string> {
    const random = this.#random
    this.#made++
    const endpoint = Math.floor(random() * ENDPOINTS)
    const method = METHODS[endpoint % 2]!
    const resource = RESOURCES[Math.floor(endpoint / 2) % RESOURCES.length]!
    const action = ACTIONS[Math.floor(endpoint / 40)]!
    // A known path carries one of 50 ids; a new one an id never seen before.
    const id = random() < this.#share ? NEW_ID_FROM + this.#made : 1 + Math.floor(random() * 50)
    const sort = this.#shareOfAttacks > 0 && random() < this.#shareOfAttacks ? ATTACK : 'created'
    return {
      path: `/api/v1/${resource}/${id}${action}?page=${Math.floor(random() * 9)}&sort=${sort}`,
      method,
      type: 'HTTP/1.1',
      requestHeaders: JSON.stringify(this.#requestHeaders()),
      responseHeaders: JSON.stringify({
        'content-type': 'application/json; charset=utf-8',
        date: 'Sat, 21 Nov 2026 10:00:00 GMT',
        'x-request-id': this.#hex(32),
        'cache-control': 'no-store',
      }),
      requestPayload: method === 'POST' ? JSON.stringify(this.#body(4)) : '',
      responsePayload: JSON.stringify(this.#body(method === 'POST' ? 3 : 7)),
      statusCode: random() < 0.95 ? '200' : '404',
      status: 'OK',
      ip: `203.0.113.${Math.floor(random() * 200)}`,
      destIp: '10.0.0.7',
      time: String(TIME_FROM + Math.floor(this.#made / 2000)),
      akto_vxlan_id: '0',
      is_pending: 'false',
      source: 'MIRRORING',
      direction: '1',
    }
  }

  #requestHeaders(): Record<string, string> {
    return {
      host: 'shop.example',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36',
      accept: 'application/json',
      'accept-encoding': 'gzip, deflate, br',
      'accept-language': 'en-GB,en;q=0.9',
      authorization: `Bearer eyJhbGciOiJIUzI1NiJ9.${this.#hex(60)}.${this.#hex(43)}`,
      'content-type': 'application/json',
      'x-request-id': this.#hex(32),
      'x-correlation-id': this.#hex(16),
      'x-client-version': '4.17.2',
      'x-device': 'web',
      'x-tenant': WORDS[Math.floor(this.#random() * 10)]!,
      origin: 'https://shop.example',
      referer: 'https://shop.example/app',
      'sec-fetch-mode': 'cors',
      'sec-fetch-site': 'same-origin',
      'cache-control': 'no-cache',
      pragma: 'no-cache',
      'x-forwarded-for': `203.0.113.${Math.floor(this.#random() * 200)}`,
      connection: 'keep-alive',
    }
  }

  #body(items: number): Record<string, unknown> {
    const random = this.#random
    return {
      id: Math.floor(random() * 1e6),
      uuid: `${this.#hex(8)}-${this.#hex(4)}-4${this.#hex(3)}-a${this.#hex(3)}-${this.#hex(12)}`,
      email: `user${Math.floor(random() * 1e5)}@mail.example`,
      active: random() < 0.5,
      created: '2026-11-21T10:00:00Z',
      total: Math.round(random() * 1e5) / 100,
      items: Array.from({ length: items }, () => ({
        sku: `SKU-${Math.floor(random() * 1e5)}`,
        name: `${WORDS[Math.floor(random() * 10)]} ${WORDS[Math.floor(random() * 10)]}`,
        quantity: Math.floor(random() * 10),
        price: Math.round(random() * 1e4) / 100,
        tags: [WORDS[Math.floor(random() * 10)], WORDS[Math.floor(random() * 10)]],
      })),
    }
  }

  #hex(length: number): string {
    let text = ''
    while (text.length < length)
      text += Math.floor(this.#random() * 0x100000000)
        .toString(16)
        .padStart(8, '0')
    return text.slice(0, length)
  }
}

/**
 * A batch as bytes that can be sent again and again as different messages: each pass writes a new time and new ids
 * in place, so the sender costs next to nothing beside the server.
 */
export class ReplayableBatch {
  readonly bytes: Buffer
  readonly messages: number
  readonly #times: number[] = []
  readonly #ids: number[] = []

  constructor(messages: readonly string[]) {
    this.bytes = Buffer.from(`{"batchData":[${messages.join(',')}]}`)
    this.messages = messages.length
    const text = this.bytes.toString('latin1')
    for (const match of text.matchAll(/"time":"/g)) this.#times.push(match.index + match[0].length)
    for (const match of text.matchAll(/\/7\d{8}/g)) this.#ids.push(match.index + 1)
  }

  /** Makes every message new: `pass` counts from 1. */
  renew(pass: number, idSeed: number): void {
    const time = String(TIME_FROM + pass * 7)
    for (const at of this.#times) this.bytes.write(time, at, 'latin1')
    for (let i = 0; i < this.#ids.length; i++) {
      this.bytes.write(String(NEW_ID_FROM + ((idSeed + i) % 99_999_999)), this.#ids[i]!, 'latin1')
    }
  }

  get newPaths(): number {
    return this.#ids.length
  }
}
