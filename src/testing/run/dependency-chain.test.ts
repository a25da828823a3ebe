import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { templateText } from '../../../test/template-text.ts'
import type { Exchange } from '../../http/index.ts'
import { Sender, TargetScope } from '../../http/sender/index.ts'
import { EMPTY_LOOKUPS } from '../../rules/index.ts'
import { parseTemplate } from '../template/index.ts'
import { createSigningKeys } from '../tokens/signing-keys.ts'
import { DefaultPages } from './default-pages.ts'
import { FreshAnswers } from './fresh-answers.ts'
import type { EndpointKey, PairResult } from './pair-result.ts'
import { runPair } from './run-pair.ts'
import { runTools } from './run-tools.ts'
import { SampleShelf } from './sample-shelf.ts'

let server: Server | null = null
let sender: Sender | null = null
afterEach(async () => {
  await sender?.close()
  server?.closeAllConnections()
  await new Promise((resolve) => (server === null ? resolve(null) : server.close(resolve)))
})

/** A shop that gives every order a new number and forgets those it gave before it was started. */
async function startShop(): Promise<{ origin: string; asked: string[] }> {
  const asked: string[] = []
  const orders = new Set<string>()
  let next = 5001
  server = createServer((request, response) => {
    const { method, url = '' } = request
    asked.push(`${method} ${url}`)
    response.setHeader('content-type', 'application/json')
    const id = url.split('/')[2] ?? ''
    if (method === 'POST' && url === '/orders') {
      orders.add(String(next))
      response.statusCode = 201
      response.end(JSON.stringify({ order: { id: next++ } }))
    } else if (!orders.has(id)) {
      response.statusCode = 404
      response.end('{"error":"no such order"}')
    } else {
      if (method === 'DELETE') orders.delete(id)
      response.end(
        JSON.stringify({ order: { id: Number(id), state: method === 'DELETE' ? 'gone' : 'open' } }),
      )
    }
  })
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

function recorded(origin: string, method: string, path: string, status: number, response: string): Exchange {
  return {
    request: {
      method,
      target: origin + path,
      version: 'HTTP/1.1',
      headers: ['host', new URL(origin).host, 'content-type', 'application/json'],
      body: method === 'POST' ? '{"item":"pen"}' : '',
    },
    response: { status, reason: '', headers: ['content-type', 'application/json'], body: response },
    at: 1_700_000_000 as Exchange['at'],
    clientIp: '',
    serverIp: '',
    source: 'HAR',
    direction: 1,
    vxlanId: 0,
  }
}

/** Tools of a run that has nothing but samples and a sender. */
function toolsOf(samples: SampleShelf, sender: Sender): ReturnType<typeof runTools> {
  return runTools(
    {
      samples,
      templates: new Map(),
      sender,
      purpose: { kind: 'test', runId: null, summaryId: null, testId: null, user: null },
      credentialsFor: () => ({
        authHeaderNames: [],
        authTypeKeys: { headers: [], bodyKeys: [] },
        parametersOf: () => null,
        attackerRole: 'ATTACKER_TOKEN_ALL',
      }),
      lookups: EMPTY_LOOKUPS,
      callback: null,
      keys: createSigningKeys(null),
      defaultPages: new DefaultPages(),
      freshAnswers: new FreshAnswers(),
      callbackPatienceMs: 0,
      words: new Map(),
    },
    AbortSignal.timeout(10_000),
  )
}

async function run(origin: string, text: string, endpoint: EndpointKey): Promise<PairResult> {
  const { template, problems } = parseTemplate(text, 'graph')
  if (template === null) throw new Error(problems.map(({ message }) => message).join(' '))
  const samples = new SampleShelf()
  const order = '{"order":{"id":17}}'
  samples.put(
    { ...endpoint, method: 'POST', url: '/orders' },
    recorded(origin, 'POST', '/orders', 201, order),
  )
  for (const method of ['GET', 'DELETE'])
    samples.put({ ...endpoint, method }, recorded(origin, method, '/orders/17', 200, order))
  sender = new Sender({
    scope: new TargetScope([new URL(origin).host]),
    requestsPerMinute: 0,
    verifiesTls: false,
    audit: () => {},
  })
  const tools = toolsOf(samples, sender)
  return runPair(template, endpoint, tools)
}

const ENDPOINT = { collectionId: 1, method: 'DELETE', url: '/orders/INTEGER' }

test('a step of a graph plan is sent with the id that the order of this run was given', async () => {
  const { origin, asked } = await startShop()
  const text = templateText({
    type: 'graph',
    operations: '        - add_header: { probe: "1" }\n        - success: vulnerable',
    validate: '  response_code: { eq: 200 }',
  })
  const result = await run(origin, text, ENDPOINT)
  expect(asked.slice(0, 2)).toEqual(['POST /orders', 'DELETE /orders/5001'])
  expect(result.attempts[0]?.validates).toBe(true)
})

test('get_asset_api starts from the request that reads the asset, with what was sent before in mind', async () => {
  const { origin, asked } = await startShop()
  const text = templateText({
    type: 'graph',
    requests: `    - req:
        - add_header: { probe: "1" }
        - validate: { response_code: { eq: 200 } }
        - success: x2
        - failure: exit
    - req:
        - api: get_asset_api
        - validate: { response_code: { eq: 404 } }
        - success: vulnerable
        - failure: exit`,
    validate: '  response_code: { eq: 404 }',
  })
  const result = await run(origin, text, ENDPOINT)
  expect(asked.slice(0, 3)).toEqual(['POST /orders', 'DELETE /orders/5001', 'GET /orders/5001'])
  expect(result.outcome).toBe('VULNERABLE')
})

test('without a request that reads the asset nothing is sent, and the result says so', async () => {
  const { origin, asked } = await startShop()
  const text = templateText({ type: 'graph', operations: '        - api: get_asset_api' })
  const { template } = parseTemplate(text, 'graph')
  expect(template).not.toBeNull()
  const samples = new SampleShelf()
  samples.put(ENDPOINT, recorded(origin, 'DELETE', '/orders/17', 200, '{}'))
  sender = null
  const silent = { send: () => Promise.reject(new Error('nothing may be sent')) } as unknown as Sender
  const tools = toolsOf(samples, silent)
  const result = await runPair(template!, ENDPOINT, tools)
  expect(result).toMatchObject({
    outcome: 'NO_API_REQUEST',
    explanation: expect.stringContaining('reads the asset'),
  })
  expect(asked).toEqual([])
})
