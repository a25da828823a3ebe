import { afterEach, beforeEach } from 'vitest'
import { InventoryEngine } from '../src/inventory/engine/engine.ts'
import type { Store } from '../src/store/index.ts'
import { openTestStore } from './store-fixture.ts'

/** Epoch second of messages that name none. */
export const AT = 1_795_000_000

/** What a live message of a test differs in from all others. */
export interface LiveMessage {
  method?: string
  path: string
  body?: unknown
  request?: unknown
  status?: number
  headers?: Record<string, string>
  at?: number
  ip?: string
}

/** A store of its own for each test of a file, and engines on it that end with the test. */
export function testEngines(): { readonly store: Store; open(): Promise<InventoryEngine> } {
  let opened: Awaited<ReturnType<typeof openTestStore>>
  let engines: InventoryEngine[]
  beforeEach(async () => {
    opened = await openTestStore()
    engines = []
  })
  afterEach(async () => {
    for (const engine of engines) await engine.close()
    await opened.close()
  })
  return {
    get store() {
      return opened.store
    },
    async open() {
      const engine = await InventoryEngine.open(opened.store)
      engines.push(engine)
      return engine
    },
  }
}

/** A message of a live batch, as senders write it. */
export function sample({
  method = 'GET',
  path,
  body = { id: 1 },
  request,
  status = 200,
  headers = {},
  at = AT,
  ip = '203.0.113.9',
}: LiveMessage) {
  return {
    method,
    path,
    requestHeaders: JSON.stringify({ host: 'shop.example', ...headers }),
    responseHeaders: JSON.stringify({ 'content-type': 'application/json' }),
    requestPayload: request === undefined ? '' : JSON.stringify(request),
    responsePayload: JSON.stringify(body),
    statusCode: String(status),
    ip,
    time: String(at),
    source: 'MIRRORING',
  }
}

/** Gives an engine one batch of the host shop.example. */
export function ingest(engine: InventoryEngine, messages: readonly LiveMessage[]) {
  const bytes = new TextEncoder().encode(JSON.stringify({ batchData: messages.map(sample) }))
  return engine.ingest(bytes, { byHost: true }, 'OTHER')
}

/** The calls of each endpoint that stands for itself, by method and path. */
export async function callsByEndpoint(store: Store): Promise<Record<string, number>> {
  const { rows } = await store.pool.query<{ key: string; calls: number }>(
    `SELECT method || ' ' || url AS key, call_count AS calls FROM endpoints WHERE root_id = id ORDER BY 1`,
  )
  return Object.fromEntries(rows.map((row) => [row.key, row.calls]))
}

/** How often each fact of an endpoint was seen, by kind, name and type. */
export async function factsOf(store: Store, url: string): Promise<Record<string, number>> {
  const { rows } = await store.pool.query<{ key: string; count: number }>(
    `SELECT f.kind || ' ' || f.name || ' ' || f.value_type AS key, sum(f.count)::bigint AS count
     FROM endpoint_facts f JOIN endpoints m ON m.id = f.endpoint_id JOIN endpoints e ON e.id = m.root_id
     WHERE e.url = $1 GROUP BY 1 ORDER BY 1`,
    [url],
  )
  return Object.fromEntries(rows.map((row) => [row.key, row.count]))
}

/** A message of one of four endpoints; what repeats and what does not changes from one to the next. */
export function mixedMessage(i: number): Record<string, string> {
  const kind = i % 4
  const items = Array.from({ length: i % 3 }, (_, n) => ({
    sku: `S-${n}`,
    price: n + 0.5,
    gift: n % 2 === 0,
  }))
  const isNew = i > 800 && i % 97 === 0
  return {
    method: kind === 0 ? 'POST' : 'GET',
    path: ['/orders', `/orders/${1000 + i}`, '/search?q=shoes&page=2', '/me'][kind]!,
    requestHeaders: JSON.stringify({
      host: 'shop.example',
      accept: i % 11 === 0 ? '*/*' : 'application/json',
      ...(kind === 3 ? { authorization: 'Basic YTpi' } : {}),
      cookie: `sid=${i}; theme=dark`,
      'x-forwarded-for': `203.0.113.${i % 20}`,
      ...(i % 5 === 0 ? { 'x-version': i % 15 === 0 ? '7' : 'new' } : {}),
    }),
    responseHeaders: JSON.stringify({
      'content-type': 'application/json',
      'set-cookie': `sid=${i}; Path=/`,
      'x-request-id': `r-${i}`,
    }),
    requestPayload: kind === 0 ? JSON.stringify({ items, note: i % 9 === 0 ? '\u00fc' : 'n', to: null }) : '',
    responsePayload: JSON.stringify({
      id: i,
      total: i % 13 === 0 ? 12.5 : 12,
      email: `user${i}@mail.example`,
      active: i % 2 === 0,
      items,
      ...(isNew ? { [`extra${i % 4}`]: { deep: [i] } } : {}),
    }),
    statusCode: i % 19 === 0 ? '409' : '200',
    status: 'OK',
    ip: `203.0.113.${i % 30}`,
    time: String(AT + i),
  }
}
