import { createBudget } from './budget.js'
import { capture } from './capture.js'
import { createQueue } from './queue.js'
import { createRedactor } from './redact.js'

const DEFAULTS = {
  sampleRate: 1,
  maxCpuShare: 0.02,
  maxBodyBytes: 64 * 1024,
  maxQueueBytes: 8 * 1024 * 1024,
  maxBatchBytes: 1024 * 1024,
  flushMs: 1000,
  timeoutMs: 5000,
  redactHeaders: [],
  redactFields: [],
}

/** See index.d.ts. */
export function createVigil(options) {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  const settings = { ...DEFAULTS, ...Object.fromEntries(given) }
  // What has a port and no scheme can be parsed too: the host is taken for the scheme.
  if (!/^https?:\/\//i.test(settings.url) || !URL.canParse(settings.url))
    throw new TypeError('url must be the address of Vigil, such as https://vigil.internal')
  if (typeof settings.key !== 'string' || settings.key === '')
    throw new TypeError('key must be an API key of Vigil')
  for (const name of ['sampleRate', 'maxCpuShare']) {
    const share = settings[name]
    if (typeof share !== 'number' || !(share >= 0 && share <= 1))
      throw new TypeError(`${name} must be a number from 0 to 1`)
  }
  const budget = createBudget(settings.maxCpuShare)
  const queue = createQueue(settings, createRedactor(settings), budget)
  const tools = { maxBodyBytes: settings.maxBodyBytes, queue, budget }

  /** Never throws: what goes wrong here is counted, and the application does not notice. */
  function observe(request, response) {
    try {
      if (settings.sampleRate < 1 && Math.random() >= settings.sampleRate) return
      const from = performance.now()
      if (!budget.hasTime(from)) {
        queue.countSkipped()
        return
      }
      capture(request, response, tools)
      budget.spend(from)
    } catch {
      queue.countError()
    }
  }

  return {
    observe,
    express: () => (request, response, next) => {
      observe(request, response)
      next()
    },
    koa: () => (context, next) => {
      observe(context.req, context.res)
      return next()
    },
    hono: () => (context, next) => {
      if (context.env?.incoming !== undefined) observe(context.env.incoming, context.env.outgoing)
      return next()
    },
    fastify: () => {
      const plugin = (instance, _options, done) => {
        instance.addHook('onRequest', (request, reply, next) => {
          observe(request.raw, reply.raw)
          next()
        })
        done()
      }
      // What Fastify reads to let a plugin see the routes of the whole application, and not of its own scope.
      plugin[Symbol.for('skip-override')] = true
      return plugin
    },
    handler: (listener) => (request, response) => {
      observe(request, response)
      return listener(request, response)
    },
    stats: () => queue.stats(),
    close: (ms = settings.timeoutMs) => queue.close(ms),
  }
}
