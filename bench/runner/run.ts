/**
 * Requests of the test engine per second against a local server that answers after a millisecond, as a ratio to a bare
 * loop of the same HTTP client that sends the same requests, at concurrency 50; resident memory over the run; and the
 * time of planning.
 *
 *   node bench/runner/run.ts [--attempts 20000]
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { Agent } from 'undici'
import type { Exchange } from '../../src/http/index.ts'
import { Sender, TargetScope } from '../../src/http/sender/index.ts'
import { EMPTY_LOOKUPS } from '../../src/rules/index.ts'
import {
  ATTACKER_ROLE,
  type CredentialSource,
  createSigningKeys,
  DefaultPages,
  executePairs,
  FreshAnswers,
  parseTemplate,
  planRun,
  runTools,
  SampleShelf,
  type Template,
} from '../../src/testing/index.ts'

const { values } = parseArgs({ options: { attempts: { type: 'string', default: '20000' } } })
const ATTEMPTS = Number(values.attempts)
const CONCURRENCY = 50
const WORDS = 50
const ENDPOINTS = Math.ceil(ATTEMPTS / WORDS)

/** Mark that the engine puts on every request. */
const MARK = 'x-vigil-test'

let served = 0
const server = createServer((_request, response) => {
  served++
  setTimeout(() => response.setHeader('content-type', 'application/json').end('{"id":7,"state":"ok"}'), 1)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`

/** The requests of the attempts, and of the looks at each endpoint before them. */
async function bareLoop(): Promise<number> {
  const agent = new Agent({ connections: CONCURRENCY, pipelining: 1 })
  let left = ATTEMPTS + ENDPOINTS
  const started = performance.now()
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (left-- > 0) {
        const answer = await agent.request({
          origin: `http://${host}`,
          path: `/items/7?q=word${left % WORDS}`,
          method: 'GET',
          headers: { host, accept: 'application/json', authorization: 'Bearer abc', [MARK]: '1' },
        })
        await answer.body.text()
      }
    }),
  )
  await agent.close()
  return (ATTEMPTS + ENDPOINTS) / ((performance.now() - started) / 1000)
}

function template(id: string): Template {
  const words = Array.from({ length: WORDS }, (_, i) => `word${i}`).join(', ')
  const { template: made, problems } = parseTemplate(
    `id: ${id}
info:
  name: n
  description: d
  details: d
  impact: i
  category: { name: SM, shortName: s, displayName: s }
  subCategory: ${id}
  severity: LOW
attributes: { nature: NON_INTRUSIVE, plan: FREE, duration: FAST }
wordLists:
  words: [${words}]
api_selection_filters:
  method: { eq: GET }
  response_code: { gte: 200, lt: 300 }
  query_param: { for_one: { key: { regex: .+, extract: anyKey } } }
execute:
  type: single
  requests:
    - req:
        - modify_query_param:
            anyKey: \${words}
validate:
  response_code: { gte: 200 }
  response_payload: { contains_either: never-there }
`,
    id,
  )
  if (made === null) throw new Error(JSON.stringify(problems))
  return made
}

function sample(i: number): Exchange {
  return {
    request: {
      method: 'GET',
      target: `http://${host}/items/${i}?q=a`,
      version: 'HTTP/1.1',
      headers: ['host', host, 'accept', 'application/json', 'authorization', 'Bearer abc'],
      body: '',
    },
    response: {
      status: 200,
      reason: 'OK',
      headers: ['content-type', 'application/json'],
      body: '{"id":7,"state":"ok"}',
    },
    at: 1_795_000_000,
    clientIp: '',
    serverIp: '',
    source: 'OTHER',
    direction: 1,
    vxlanId: 0,
  }
}

function material(endpoints: number, templates: readonly Template[]) {
  const samples = new SampleShelf()
  const keys = Array.from({ length: endpoints }, (_, i) => ({
    collectionId: 1,
    method: 'GET',
    url: `/items/${i}`,
  }))
  for (const [i, key] of keys.entries()) samples.put(key, sample(i))
  const sender = new Sender({
    scope: new TargetScope([host]),
    requestsPerMinute: 0,
    verifiesTls: false,
    audit: () => {},
    maxConcurrent: CONCURRENCY,
  })
  return {
    keys,
    sender,
    material: {
      samples,
      templates: new Map(templates.map((one) => [one.id, one])),
      sender,
      purpose: { kind: 'test', runId: null, summaryId: null, testId: null, user: null },
      credentialsFor: (): CredentialSource => ({
        authHeaderNames: ['authorization'],
        authTypeKeys: { headers: [], bodyKeys: [] },
        parametersOf: () => null,
        attackerRole: ATTACKER_ROLE,
      }),
      lookups: EMPTY_LOOKUPS,
      callback: null,
      keys: createSigningKeys(null),
      defaultPages: new DefaultPages(),
      freshAnswers: new FreshAnswers(),
      callbackPatienceMs: 0,
      words: new Map(),
    } as const,
  }
}

const signal = new AbortController().signal
const facts = { roles: new Set<string>(), hasCallbacks: false }
{
  const templates = Array.from({ length: 150 }, (_, i) => template(`PLAN_${i}`))
  const { keys, material: deps, sender } = material(1000, templates)
  const started = performance.now()
  const plan = planRun(keys, templates, runTools(deps, signal), facts)
  console.log(
    `planning 1000 endpoints x 150 tests: ${((performance.now() - started) / 1000).toFixed(2)} s, ${plan.pairs.length} pairs`,
  )
  await sender.close()
}
await bareLoop()
const before = await bareLoop()
const only = template('SPEED')
const { keys, material: deps, sender } = material(ENDPOINTS, [only])
const plan = planRun(keys, [only], runTools(deps, signal), facts)
let attempts = 0
let peakMb = 0
const tenths: number[] = []
const watch = setInterval(() => {
  peakMb = Math.max(peakMb, process.memoryUsage().rss / 1e6)
}, 200)
served = 0
const started = performance.now()
await executePairs(plan.pairs, {
  concurrency: CONCURRENCY,
  record: async (results) => {
    for (const result of results) attempts += result.attempts.length
    if (attempts >= ((tenths.length + 1) * ATTEMPTS) / 10)
      tenths.push(Math.round(process.memoryUsage().rss / 1e6))
  },
  toolsWith: (pairSignal) => runTools(deps, pairSignal),
  signal,
  templates: deps.templates,
})
const seconds = (performance.now() - started) / 1000
const requests = served
clearInterval(watch)
await sender.close()
const after = await bareLoop()
const bare = (before + after) / 2
console.log(`bare loop: ${Math.round(before)} and ${Math.round(after)} requests/s`)
console.log(
  `engine: ${attempts} attempts in ${requests} requests, ${Math.round(requests / seconds)} a second, ` +
    `ratio ${(requests / seconds / bare).toFixed(2)}, peak ${Math.round(peakMb)} MB`,
)
console.log(`resident memory at each tenth, MB: ${tenths.join(' ')}`)
server.closeAllConnections()
server.close()
