/**
 * The application under load: answers orders as a small shop does. Each request costs about a millisecond of CPU time
 * (`--work shop`: reads its body, selects and sorts among 2,000 rows, renders a page of them) or next to nothing (`--work none`).
 * It is there twice, without and with the middleware. Tells its parent both ports, and its CPU time and the counts of the middleware whenever asked.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import express from 'express'
import Fastify from 'fastify'
import { createVigil, type Vigil } from '../../sdk/node/index.js'

const { values } = parseArgs({
  options: {
    framework: { type: 'string', default: 'http' },
    work: { type: 'string', default: 'shop' },
    /** Address of Vigil; absent: without the middleware. */
    vigil: { type: 'string' },
    share: { type: 'string', default: '0.02' },
    /** The middleware takes the application to have no time to spare. */
    'full-load': { type: 'boolean', default: false },
  },
})
// A loop that never waits: what it waits while the other application is measured would be time to spare.
if (values['full-load'])
  Object.defineProperty(performance, 'eventLoopUtilization', {
    value: () => ({ idle: 0, active: 0, utilization: 1 }),
  })

interface Order {
  readonly id: number
  readonly customer: string
  readonly total: number
  readonly note: string
}

const ORDERS: readonly Order[] = Array.from({ length: 2_000 }, (_, id) => ({
  id,
  customer: `customer-${(id * 7919) % 503}`,
  total: ((id * 104_729) % 100_000) / 100,
  note: `Order ${id}, packed by hand, leave it with the neighbour at number ${id % 97}.`,
}))
const PAGE = 20

/** What an application does for a request. */
function answerTo(body: unknown): unknown {
  if (values.work === 'none') return { ok: true }
  const { from = 0, text = '' } = Object(body) as { from?: number; text?: string }
  const found = ORDERS.filter(({ total, note }) => total >= from && note.includes(text))
  const sorted = found.toSorted((a, b) => b.total - a.total || a.customer.localeCompare(b.customer))
  return { total: found.length, orders: sorted.slice(0, PAGE) }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString())
}

async function plainApp(vigil: Vigil | null): Promise<Server> {
  const listener: RequestListener = async (request, response) => {
    const text = JSON.stringify(answerTo(await bodyOf(request)))
    response.writeHead(200, { 'content-type': 'application/json' }).end(text)
  }
  return createServer(vigil === null ? listener : vigil.handler(listener))
}

async function expressApp(vigil: Vigil | null): Promise<Server> {
  const app = express()
  if (vigil !== null) app.use(vigil.express())
  app.use(express.json())
  app.post('/orders/:shop', (request, response) => void response.json(answerTo(request.body)))
  return createServer(app)
}

async function fastifyApp(vigil: Vigil | null): Promise<Server> {
  const app = Fastify()
  if (vigil !== null) await app.register(vigil.fastify())
  app.post('/orders/:shop', (request) => answerTo(request.body))
  await app.ready()
  return app.server
}

const apps = { http: plainApp, express: expressApp, fastify: fastifyApp }
const vigil =
  values.vigil === undefined
    ? null
    : // Half of the time of this process is that of the application without it.
      createVigil({ url: values.vigil, key: 'k'.repeat(40), maxCpuShare: Number(values.share) / 2 })
/** Both in one process: two processes of the same program differ by more than the middleware takes. */
const servers = [null, vigil].map(apps[values.framework as keyof typeof apps])
const ports: number[] = []
for (const server of await Promise.all(servers)) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ports.push((server.address() as AddressInfo).port)
}
process.send?.({ ports })
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuMicroseconds: user + system, counts: vigil?.stats() ?? null })
})
process.on('disconnect', () => process.exit(0))
