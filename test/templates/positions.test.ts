import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { RunCredentials } from '../../src/app/test-runs/run-credentials.ts'
import { Sender, TargetScope } from '../../src/http/sender/index.ts'
import { EMPTY_LOOKUPS } from '../../src/rules/index.ts'
import {
  CallbackListener,
  createSigningKeys,
  DefaultPages,
  FreshAnswers,
  type PairResult,
  parseTemplate,
  runPair,
  runTools,
  SampleShelf,
  type Template,
} from '../../src/testing/index.ts'
import { rawSample } from '../raw-sample.ts'

const LIBRARY = fileURLToPath(new URL('../../templates/tests', import.meta.url))
const FIFTEEN = Array.from({ length: 15 }, (_, i) => `p${String.fromCharCode(97 + i)}`)

interface Asked {
  readonly method: string
  readonly target: string
  readonly query: URLSearchParams
  readonly body: string
}
type Answer = { readonly status?: number; readonly body: unknown }

const templates = new Map<string, Template>()
const asked: Asked[] = []
let answerOf: (request: Asked) => Answer | Promise<Answer> = () => ({ body: { ok: true } })
let callback: CallbackListener

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const url = new URL(request.url!, 'http://target.test')
  const one = {
    method: request.method!,
    target: request.url!,
    query: url.searchParams,
    body: Buffer.concat(chunks).toString(),
  }
  asked.push(one)
  const { status = 200, body } = await answerOf(one)
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  callback = await CallbackListener.start({ callbackHost: '127.0.0.1', callbackPort: 0, callbackUrl: null })
  for (const file of await readdir(LIBRARY, { recursive: true })) {
    if (!file.endsWith('.yaml') || file.endsWith('.cases.yaml')) continue
    const { template } = parseTemplate(await readFile(join(LIBRARY, file), 'utf8'), file)
    if (template?.positions != null) templates.set(template.id, template)
  }
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await callback.close()
})
beforeEach(() => {
  asked.length = 0
  answerOf = () => ({ body: { ok: true } })
})

/** Runs tests of the library on one recorded request, as one run. */
async function run(ids: Iterable<string>, request: string): Promise<PairResult[]> {
  const { port } = server.address() as AddressInfo
  const recorded = rawSample(request.replace('HOST', `127.0.0.1:${port}`))
  const sample = {
    ...recorded,
    response: {
      ...recorded.response,
      status: 200,
      headers: ['content-type', 'application/json'],
      body: '{"ok":true}',
    },
  }
  const endpoint = { collectionId: 1, method: sample.request.method, url: '/stats/disk' }
  const samples = new SampleShelf()
  samples.put(endpoint, sample)
  samples.redirect(`http://127.0.0.1:${port}`)
  const sender = new Sender({
    scope: new TargetScope([`127.0.0.1:${port}`]),
    requestsPerMinute: 0,
    verifiesTls: false,
    audit: () => {},
  })
  const credentials = new RunCredentials([])
  const material = {
    ...{ samples, templates, sender, callback },
    purpose: { kind: 'test', runId: null, summaryId: null, testId: null, user: null },
    credentialsFor: (key: typeof endpoint, own: typeof sample) => credentials.sourceFor(key, own),
    lookups: { ...EMPTY_LOOKUPS, callbackHits: (id: string) => callback.hits(id) },
    keys: createSigningKeys(callback.keysUrl),
    defaultPages: new DefaultPages(),
    freshAnswers: new FreshAnswers(),
    callbackPatienceMs: 300,
    words: new Map<string, readonly string[]>(),
  } as const
  const results: PairResult[] = []
  try {
    for (const id of ids)
      results.push(
        await runPair(templates.get(id)!, endpoint, runTools(material, AbortSignal.timeout(20_000))),
      )
  } finally {
    await sender.close()
  }
  return results
}

const inQuery = (names: readonly string[]): string =>
  `GET /stats/disk?${names.map((name) => `${name}=x`).join('&')} HTTP/1.1\nhost: HOST\n\n`
const inBody = (body: object): string =>
  `POST /stats/disk HTTP/1.1\nhost: HOST\ncontent-type: application/json\n\n${JSON.stringify(body)}`
const valuesOf = (name: string): string[] =>
  asked.map(({ query }) => query.get(name) ?? '').filter((value) => value !== 'x')

describe('every position is tried, whatever its name', () => {
  test('a command that a parameter called "parameters" runs is found behind others', async () => {
    answerOf = ({ query }) => ({
      body: { output: /;expr 571936 \+ 1337/.test(query.get('parameters') ?? '') ? '573273\n' : '' },
    })
    const [result] = await run(['CMDI_QUERY'], inQuery(['unit', 'zz', 'parameters']))
    expect(result).toMatchObject({ outcome: 'VULNERABLE', cause: { place: 'query parameters' } })
  })

  test('a field of the body behind other fields is found, and numbers are tried as well', async () => {
    answerOf = ({ body }) => {
      const { ref } = JSON.parse(body) as { ref: unknown }
      return String(ref).includes("'")
        ? { status: 500, body: { error: 'SQLITE_ERROR: unrecognized token' } }
        : { body: { ok: true } }
    }
    const [result] = await run(['SQLI_ERROR_BODY'], inBody({ first: 'a', flag: true, ref: 7 }))
    expect(result).toMatchObject({ outcome: 'VULNERABLE', cause: { place: 'body ref' } })
  })

  test('the parameter is named whose value made the server call back', async () => {
    answerOf = async ({ query }) => {
      const address = query.get('zz')!
      if (address.startsWith('http')) await fetch(address).catch(() => null)
      return { body: { ok: true } }
    }
    const [result] = await run(['SSRF_CALLBACK_QUERY'], inQuery(['unit', 'zz', 'after']))
    expect(result).toMatchObject({ outcome: 'VULNERABLE', cause: { place: 'query zz' } })
  })
})

describe('a position gets the rest of the payloads', () => {
  test('when it treats the first otherwise than a harmless text', async () => {
    answerOf = ({ query }) => ({ body: { ok: query.get('zz')!.includes('{') ? 'bad template' : true } })
    const [result] = await run(['SSTI_QUERY'], inQuery(['unit', 'zz']))
    expect(result!.outcome).toBe('SECURE')
    expect(valuesOf('unit')).toHaveLength(1)
    expect(valuesOf('zz').length).toBeGreaterThan(6)
  })

  test('not when it refuses every other value alike, with another id in each answer', async () => {
    let count = 100_000
    answerOf = ({ query }) =>
      query.get('zz') === 'x'
        ? { body: { ok: true } }
        : { status: 422, body: { error: `not valid: ${query.get('zz')}`, request: count++ } }
    await run(['SSTI_QUERY'], inQuery(['zz']))
    expect(valuesOf('zz')).toHaveLength(2)
  })

  test('when its name is likely, before the others', async () => {
    await run(['CMDI_QUERY'], inQuery(['unit', 'command']))
    const changed = asked.flatMap(({ query }) => [...query].filter(([, value]) => value !== 'x'))
    expect(changed.map(([name]) => name)).toEqual([...Array(6).fill('command'), 'unit'])
  })
})

test('a pass says how many parameters were tried, and which got only a first text', async () => {
  const [whole] = await run(['STACK_TRACE_INVALID_QUERY'], inQuery(['zz']))
  expect(whole!.explanation).toBe('1 parameter tried with 1 request, and no answer shows the weakness.')
  const [cut] = await run(['CMDI_QUERY'], inQuery(['unit', 'command']))
  expect(cut!.explanation).toBe(
    '2 parameters tried with 7 requests, and no answer shows the weakness. 1 of 2 got only a first text, because the answer did not react to it.',
  )
})

test('a wrong password is tried for the shared first probe, and left out by the other tests', async () => {
  const body = { email: 'ann@shop.test', password: 'right' }
  answerOf = (one) =>
    one.body === JSON.stringify(body) ? { body: { ok: true } } : { status: 401, body: { error: 'no' } }
  const passwords = (): string[] =>
    asked
      .map((one) => (JSON.parse(one.body) as typeof body).password)
      .filter((password) => password !== body.password)
  const ids = [...templates.values()]
    .filter(({ positions }) => positions!.part === 'body')
    .map(({ id }) => id)
  const results = await run(
    ids.filter((id) => !id.startsWith('NOSQL')),
    inBody(body),
  )
  // The probe and the harmless text that it is compared with.
  expect(passwords()).toHaveLength(2)
  const command = results.find(({ testId }) => testId === 'CMDI_BODY')!
  expect(command.explanation).toContain('password')
})

describe('the price of a request with fifteen positions', () => {
  const MOST_PER_POSITION = 19

  test('tests with the same first probe send it once', async () => {
    await run(['SQLI_ERROR_QUERY', 'XPATH_INJECTION_QUERY', 'LDAP_INJECTION_QUERY'], inQuery(['zz']))
    expect(valuesOf('zz')).toHaveLength(1)
  })

  test.each(['query', 'body'] as const)('%s: few requests for each', async (part) => {
    const ids = [...templates.values()]
      .filter(({ positions }) => positions!.part === part)
      .map(({ id }) => id)
    const fields = Object.fromEntries(FIFTEEN.map((name) => [name, 'x']))
    const unchanged = (name: string): string => (part === 'query' ? `${name}=x` : `"${name}":"x"`)
    const results = await run(ids, part === 'query' ? inQuery(FIFTEEN) : inBody(fields))
    for (const name of FIFTEEN)
      expect(asked.some((one) => !`${one.target}${one.body}`.includes(unchanged(name)))).toBe(true)
    expect(asked.length).toBeLessThanOrEqual(FIFTEEN.length * MOST_PER_POSITION)
    expect(results.filter(({ outcome }) => outcome === 'VULNERABLE')).toEqual([])
  })
})
