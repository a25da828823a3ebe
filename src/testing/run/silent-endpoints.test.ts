import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import { type RequestSender, Sender, TargetScope } from '../../http/sender/index.ts'
import { Failure } from '../../kit/index.ts'
import { EMPTY_LOOKUPS } from '../../rules/index.ts'
import { ATTACKER_ROLE, draftOf } from '../attempts/index.ts'
import { parseTemplate } from '../template/index.ts'
import { createSigningKeys } from '../tokens/signing-keys.ts'
import { DefaultPages } from './default-pages.ts'
import { FreshAnswers } from './fresh-answers.ts'
import { runPair } from './run-pair.ts'
import { type RunMaterial, runTools } from './run-tools.ts'
import { SampleShelf } from './sample-shelf.ts'
import { SilentEndpoints } from './silent-endpoints.ts'

const LOVE = { collectionId: 1, method: 'POST', url: '/love/INTEGER' }
const OTHER = { collectionId: 1, method: 'GET', url: '/orders' }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function silent(timeouts: number): SilentEndpoints {
  const endpoints = new SilentEndpoints()
  for (let i = 0; i < timeouts; i++) endpoints.timedOut(LOVE)
  return endpoints
}

test('an endpoint that times out is waited for less long, and others are not', () => {
  expect(silent(2).patienceFor(LOVE)).toBeUndefined()
  expect(silent(3).patienceFor(LOVE)).toBe(10_000)
  expect(silent(3).patienceFor(OTHER)).toBeUndefined()
})

test('an endpoint whose answers take long keeps its time', () => {
  const endpoints = silent(4)
  endpoints.answered(LOVE, 12_000)
  expect(endpoints.patienceFor(LOVE)).toBe(24_000)
})

test('after ten time-outs one request a minute finds out whether it answers again', () => {
  const endpoints = silent(10)
  expect(() => endpoints.patienceFor(LOVE)).toThrow('ENDPOINT_SILENT')
  vi.advanceTimersByTime(60_000)
  expect(endpoints.patienceFor(LOVE)).toBe(10_000)
  expect(() => endpoints.patienceFor(LOVE)).toThrow('ENDPOINT_SILENT')
  endpoints.answered(LOVE, 5)
  expect(endpoints.patienceFor(LOVE)).toBe(10_000)
})

test('a time-out now and then does not add up', () => {
  const endpoints = new SilentEndpoints()
  for (let i = 0; i < 50; i++) {
    endpoints.timedOut(LOVE)
    for (let j = 0; j < 20; j++) endpoints.answered(LOVE, 5)
  }
  expect(endpoints.patienceFor(LOVE)).toBeUndefined()
})

test('a test that measures times is let through, until its own requests time out twice', () => {
  const endpoints = silent(10)
  expect(() => endpoints.patienceFor(LOVE)).toThrow('ENDPOINT_SILENT')
  expect(endpoints.patienceFor(LOVE, 'REDOS_EMAIL')).toBe(10_000)
  endpoints.timedOut(LOVE, 'REDOS_EMAIL')
  expect(endpoints.patienceFor(LOVE, 'REDOS_EMAIL')).toBe(10_000)
  endpoints.timedOut(LOVE, 'REDOS_EMAIL')
  expect(() => endpoints.patienceFor(LOVE, 'REDOS_EMAIL')).toThrow('ENDPOINT_SILENT')
})

/** Long beside what a busy machine adds to a harmless answer, which a finding must not be explained by. */
const SLOW_MS = 4_000

/** Runs REDOS_EMAIL as a run does, at an endpoint that left ten requests of other tests unanswered. */
async function outcomeAfterSilence(isSlow: boolean): Promise<string> {
  vi.useRealTimers()
  const library = new URL('../../../templates/tests/rate-limit/REDOS_EMAIL.yaml', import.meta.url)
  const { template } = parseTemplate(await readFile(library, 'utf8'), 'REDOS_EMAIL.yaml')
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    request.on('end', () => {
      const ms = isSlow && text.includes('aaaaaaaaaaaaaaaaaa!') ? SLOW_MS : 0
      const isReal = text.includes('ann@shop.example')
      setTimeout(
        () => response.writeHead(isReal ? 200 : 422).end(isReal ? '{"ok":true}' : '{"error":"email"}'),
        ms,
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const real = new Sender({
    scope: new TargetScope([new URL(origin).host]),
    requestsPerMinute: 0,
    verifiesTls: false,
    audit: () => {},
  })
  const endpoint = { collectionId: 1, method: 'POST', url: '/newsletter' }
  const samples = new SampleShelf()
  const recorded = rawSample(
    `POST ${origin}/newsletter HTTP/1.1\ncontent-type: application/json\n\n{"email":"ann@shop.example"}`,
  )
  samples.put(endpoint, recorded)
  let unanswered = 0
  const sender: RequestSender = {
    send: (request, options) =>
      unanswered++ < 10
        ? Promise.reject(new Failure('TARGET_TIMEOUT', { host: '127.0.0.1' }))
        : real.send(request, options),
  }
  const material = {
    samples,
    templates: new Map(),
    sender,
    purpose: { kind: 'test', runId: null, summaryId: null, testId: null, user: null },
    credentialsFor: () => ({
      authHeaderNames: [],
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
  } as unknown as RunMaterial
  try {
    const tools = runTools(material, AbortSignal.timeout(200_000))
    for (let other = 0; other < 10; other++) {
      const options = { followRedirects: false, testId: 'OTHER', endpoint }
      await tools.send(draftOf(recorded), options).catch(() => {})
    }
    return (await runPair(template!, endpoint, tools)).outcome
  } finally {
    await real.close()
    server.close()
  }
}

test.each([
  ['is found where the expression is slow', true, 'VULNERABLE'],
  ['is not found where it is quick', false, 'SECURE'],
])('after silence, a slow expression %s', async (_name, isSlow, outcome) => {
  expect(await outcomeAfterSilence(isSlow)).toBe(outcome)
})
