import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RunCredentials } from '../../src/app/test-runs/run-credentials.ts'
import { Sender, TargetScope } from '../../src/http/sender/index.ts'
import { EMPTY_LOOKUPS } from '../../src/rules/index.ts'
import {
  createSigningKeys,
  DefaultPages,
  FreshAnswers,
  parseTemplate,
  runPair,
  runTools,
  SampleShelf,
} from '../../src/testing/index.ts'
import { rawSample } from '../raw-sample.ts'

const FILE = fileURLToPath(
  new URL('../../templates/tests/no-auth/MISSING_AUTHENTICATION.yaml', import.meta.url),
)

/** Takes beers from everybody; leaves what is posted to any other address without an answer, as some middleware does. */
const server = createServer((request, response) => {
  request.resume()
  if (request.url === '/admin/beers')
    response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":7,"name":"Porter"}')
  else if (request.method !== 'POST') response.writeHead(404).end('no such page')
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

test('a control that the target leaves unanswered is asked for by GET', async () => {
  const { port } = server.address() as AddressInfo
  const { template } = parseTemplate(await readFile(FILE, 'utf8'), FILE)
  const asked = `POST http://127.0.0.1:${port}/admin/beers HTTP/1.1\nhost: 127.0.0.1:${port}\nauthorization: Bearer root\ncontent-type: application/json\n\n{"name":"Porter"}`
  const recorded = rawSample(asked)
  const endpoint = { collectionId: 1, method: 'POST', url: '/admin/beers' }
  const samples = new SampleShelf()
  const headers = ['content-type', 'application/json']
  const body = '{"id":6,"name":"Porter"}'
  samples.put(endpoint, { ...recorded, response: { ...recorded.response, status: 201, headers, body } })
  const sender = new Sender({
    scope: new TargetScope([`127.0.0.1:${port}`]),
    requestsPerMinute: 0,
    verifiesTls: false,
    audit: () => {},
    limits: { firstByteMs: 300, totalMs: 300 },
  })
  const credentials = new RunCredentials([])
  try {
    const result = await runPair(
      template!,
      endpoint,
      runTools(
        {
          samples,
          templates: new Map([[template!.id, template!]]),
          sender,
          purpose: { kind: 'test', runId: null, summaryId: null, testId: null, user: null },
          credentialsFor: (key, own) => credentials.sourceFor(key, own),
          lookups: EMPTY_LOOKUPS,
          callback: null,
          keys: createSigningKeys('https://keys.test/keys.json'),
          defaultPages: new DefaultPages(),
          freshAnswers: new FreshAnswers(),
          callbackPatienceMs: 0,
          words: new Map(),
        },
        AbortSignal.timeout(20_000),
      ),
    )
    expect(result).toMatchObject({ outcome: 'VULNERABLE', control: { kind: 'elsewhere', confirms: true } })
  } finally {
    await sender.close()
  }
})
