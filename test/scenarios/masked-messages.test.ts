import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { LoopMonitor } from '../../bench/event-loop/monitor.ts'
import { crawlIdHeader } from '../../src/contract/index.ts'
import { parseSampleMessage } from '../../src/http/index.ts'
import { joinPerson, signUpPerson, startTestServer, type TestPerson, type TestServer } from '../harness.ts'
import { ask, messageLines, refusal } from './ask.ts'

const CARD = '4111111111111111'
const SSN = '536-90-4399'
const EMAIL = 'ann.lee@shop.example'
const CLEAR = [CARD, SSN, EMAIL, 'ann.lee%40', 'ann.lee']
const FILTER = `
id: TestCards
filter:
  response_payload: {regex: ["card"]}
info: {category: {name: DATA_LEAK, displayName: Data leak}, subCategory: DATA_LEAK, severity: HIGH}
`

let server: TestServer
let admin: TestPerson
let guest: TestPerson
let key: { apiCollectionId: number; method: string; url: string }

beforeAll(async () => {
  server = await startTestServer()
  admin = await signUpPerson(server, 'admin@example.org')
  guest = await joinPerson(server, admin, 'guest@example.org', 'GUEST')
  await ask(server, 'saveFilterYamlTemplate', { content: FILTER })
  const { apiCollectionId } = await ask(server, 'importTraffic', {
    apiCollectionName: 'payments',
    content: messageLines([
      {
        path: `https://pay.test/cards?mail=${encodeURIComponent(EMAIL)}`,
        requestHeaders: { host: 'pay.test', authorization: 'Bearer abcdefghijklmnop' },
        responsePayload: `{"card":${CARD},"spare":"${CARD}","ssn":"${SSN}","mail":"ann.lee\\u0040shop.example","n":5}`,
        ip: '203.0.113.77',
      },
    ]),
  })
  key = { apiCollectionId, method: 'GET', url: 'https://pay.test/cards' }
  await vi.waitFor(async () => expect((await events(guest)).total).toBeGreaterThan(0), { timeout: 20_000 })
})
afterAll(() => server.close())

const events = (by: TestPerson, unmasked = false) => ask(by, 'fetchSuspectSampleData', { unmasked })

/** Everything that shows the message to a person, by operation. */
async function shown(by: TestPerson, unmasked: boolean): Promise<[string, string][]> {
  const { maliciousEvents } = await events(by, unmasked)
  const { refId, actor, filterId } = maliciousEvents![0]!
  const whole = await ask(by, 'fetchAggregateMaliciousRequests', { refId, actor, filterId, unmasked })
  return Object.entries({
    fetchSampleData: JSON.stringify(await ask(by, 'fetchSampleData', { ...key, unmasked })),
    fetchSensitiveSampleData: JSON.stringify(await ask(by, 'fetchSensitiveSampleData', { ...key, unmasked })),
    fetchSuspectSampleData: maliciousEvents!.map(({ payload, metadata }) => payload + metadata).join('\n'),
    fetchAggregateMaliciousRequests: JSON.stringify(whole.maliciousPayloadsResponses),
  })
}

test('samples and events show no card number, number of a person or address', async () => {
  const answers = await shown(guest, false)
  for (const [operation, text] of answers) {
    expect(text, operation).toContain('pay.test')
    for (const clear of [...CLEAR, 'abcdefghijklmnop']) expect(text, operation).not.toContain(clear)
  }
  expect(await shownToBurp(guest)).not.toContain(CARD)
})

async function shownToBurp(by: TestPerson): Promise<string> {
  const page = await ask(by, 'importInBurp', { collectionName: 'payments' })
  expect(page.importInBurpResult).toHaveLength(1)
  return JSON.stringify(page)
}

test('a masked sample is a sample whose body is JSON with its types', async () => {
  const { sampleDataList } = await ask(guest, 'fetchSampleData', key)
  const [text = ''] = sampleDataList![0]!.samples
  const { response } = parseSampleMessage(text)
  const body = { card: expect.any(Number), spare: expect.any(String), ssn: expect.any(String), n: 5 }
  expect(JSON.parse(response.body)).toMatchObject(body)
  const { curlString } = await ask(guest, 'convertSampleDataToCurl', { sampleData: text })
  expect(curlString).toMatch(/mail=/)
  for (const clear of CLEAR) expect(curlString).not.toContain(clear)
})

test('guests are refused the whole messages, members reveal them, and that is logged', async () => {
  for (const operation of ['fetchSampleData', 'fetchSensitiveSampleData'] as const)
    expect((await refusal(guest, operation, { ...key, unmasked: true }))[0]).toBe(403)
  expect((await refusal(guest, 'fetchSuspectSampleData', { unmasked: true }))[0]).toBe(403)
  const member = await joinPerson(server, admin, 'member@example.org', 'MEMBER')
  for (const [operation, text] of await shown(member, true)) {
    expect(text, operation).toContain(CARD)
    expect(text, operation).toContain(SSN)
    expect(server.logText()).toMatch(new RegExp(`"evidence\\.unmasked".*"${operation}"`))
  }
})

test('the extension gets whole messages to send again for people who may reveal them, which is logged', async () => {
  const member = await joinPerson(server, admin, 'burp@example.org', 'MEMBER')
  const withKey = async (person: TestPerson) => {
    const made = await ask(person, 'addApiToken', { tokenUtility: 'BURP' } as never)
    const { key: burpKey } = made.apiTokenList![0]!
    const answer = await server.post('/api/importInBurp', { collectionName: 'payments' }, { key: burpKey })
    expect(answer.status).toBe(200)
    return answer.text()
  }
  expect(await withKey(guest)).not.toContain(CARD)
  expect(server.logText()).not.toMatch(/"evidence\.unmasked".*"importInBurp"/)
  expect(await withKey(member)).toContain(CARD)
  expect(server.logText()).toMatch(/"evidence\.unmasked".*"importInBurp"/)
})

test('what is masked cannot be guessed by searching messages for it', async () => {
  const total = async (by: TestPerson, latestApiOrigRegex: string, unmasked = false) =>
    (await ask(by, 'fetchSuspectSampleData', { latestApiOrigRegex, unmasked })).total
  expect(await total(guest, 'pay\\.test')).toBe(1)
  for (const guess of [CARD, '41111111', SSN, 'Bearer abcdefgh']) {
    expect(await total(guest, guess), guess).toBe(0)
    expect(await total(admin, guess), guess).toBe(0)
    expect(await total(admin, guess, true), guess).toBe(1)
  }
  const asked = { latestApiOrigRegex: CARD, unmasked: true }
  expect((await refusal(guest, 'fetchSuspectSampleData', asked))[0]).toBe(403)
  expect(server.logText()).toMatch(/"evidence\.unmasked".*events by what their messages hold/)
})

test('matches of a tried filter, and of an event, show no part of what is masked', async () => {
  const content = FILTER.replace('TestCards', 'PartOfCard').replace('"card"', '"(?:card.{2})?4111111[0-9]"')
  const tried = await ask(admin, 'testFilterYamlTemplate', { content, startTs: 0, endTs: 0 })
  expect(tried.examples).toHaveLength(1)
  const [example] = tried.examples!
  expect(example).toMatchObject({ phrase: '****', url: 'https://pay.test/cards?mail=****' })
})

test('the address of an event shows names of parameters without sensitive values', async () => {
  const { maliciousEvents } = await events(guest)
  expect(maliciousEvents!.map(({ url }) => url)).toEqual(['https://pay.test/cards?mail=****'])
  expect(
    (await ask(guest, 'fetchSuspectSampleData', { urls: ['https://pay.test/cards?mail=****'] })).total,
  ).toBe(1)
})

/** Largest stretch of work of this thread between two looks. */
async function mostWorkOf(work: () => Promise<void>): Promise<number> {
  const monitor = new LoopMonitor()
  await work()
  await new Promise((resolve) => setTimeout(resolve, 5))
  monitor.stop()
  return monitor.read().workMs
}

test('messages with thousands of sensitive values are masked without holding up the server', async () => {
  const emails = Array.from({ length: 3_000 }, (_, i) => `"user${i}@shop.test"`)
  const paths = ['users', 'orders', 'invoices', 'clients'].map((name) => `https://many.test/${name}`)
  const { apiCollectionId } = await ask(server, 'importTraffic', {
    apiCollectionName: 'many',
    content: messageLines(paths.map((path) => ({ path, responsePayload: `[${emails}]` }))),
  })
  // The first one starts the thread.
  const first = await ask(guest, 'fetchSampleData', { apiCollectionId, method: 'GET', url: paths[0]! })
  expect(first.sampleDataList![0]!.samples.join()).not.toMatch(/user\d+@shop/)
  const most = await mostWorkOf(async () => {
    const page = await ask(guest, 'importInBurp', { collectionName: 'many' })
    expect(page.importInBurpResult).toHaveLength(paths.length)
    expect(JSON.stringify(page)).not.toMatch(/user\d+@shop/)
  })
  // One message of these takes about as long where it is masked.
  expect(most).toBeLessThan(50)
})

test('samples of hundreds of sensitive parameters are shown until 4 MiB are', async () => {
  const words = ['mail', 'owner', 'buyer', 'seller', 'home', 'work', 'billing', 'support', 'sales', 'legal']
  const names = words.flatMap((one) => words.map((other) => `${one}_${other}`))
  const body = JSON.stringify({
    ...Object.fromEntries(names.map((name, i) => [name, `user${i}@shop.test`])),
    note: 'x'.repeat(50_000),
  })
  const url = 'https://wide.test/wide'
  const { apiCollectionId } = await ask(server, 'importTraffic', {
    apiCollectionName: 'wide',
    content: messageLines(
      Array.from({ length: 10 }, (_, i) => ({
        path: `${url}?page${i}=1`,
        responsePayload: body,
        time: 1_700_000_000 + i,
      })),
    ),
  })
  const answer = await ask(guest, 'fetchSensitiveSampleData', { apiCollectionId, method: 'GET', url })
  const { sensitiveSampleData: shown = [] } = answer
  expect(shown.length).toBeGreaterThan(50)
  expect(shown[0]!.samples.length).toBeGreaterThan(0)
  expect(shown.at(-1)!.samples).toEqual([])
  expect(JSON.stringify(answer).length).toBeLessThan(6 * 1024 * 1024)
})

test('long URLs of crawls and events are masked without holding up the server', async () => {
  const long = (chars: number) => `https://many.test/a?${'password=abcdef1&'.repeat(chars / 17)}`
  const started = await server.post('/api/initiateCrawler', {
    ...{ hostname: 'https://many.test', crawlingTime: 600, collectionName: 'crawled' },
  })
  const crawlId = started.headers.get(crawlIdHeader)!
  const found = { accepted: true, sourceUrl: 'https://many.test/' }
  const urls = Array.from({ length: 300 }, (_, i) => ({ ...found, url: `${long(8_000)}${i}` }))
  const most = await mostWorkOf(async () => {
    await ask(server, 'saveCrawlerUrl', { crawlId, ...found, url: long(2_000_000) })
    await ask(server, 'saveCrawlerUrlsBatch', { crawlId, crawlUrlsBatch: JSON.stringify(urls) })
    await ask(server, 'uploadCrawlerGraph', { crawlId, graph: long(1_000_000) })
  })
  expect(most).toBeLessThan(50)
  const kept = await ask(guest, 'fetchCrawlerUrls', { crawlId, limit: 10 })
  expect(JSON.stringify(kept)).toContain('password=')
  expect(JSON.stringify(kept)).not.toContain('abcdef1')
})
