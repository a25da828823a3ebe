import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../harness.ts'
import { testedEngine } from '../store-fixture.ts'
import { until } from '../until.ts'
import { ask } from './ask.ts'

const AT = 1_795_000_020

/** `actors` of these filters are those of one test each, so that all share a server. */
const FILTERS = {
  TestInjection: `
id: TestInjection
filter:
  or:
    - url: {regex: ["(?i)union\\\\s+select"]}
    - request_payload: {regex: ["(?i)union\\\\s+select"]}
info: {category: {name: SQL_INJECTION, displayName: SQL Injection}, subCategory: SQL_INJECTION, severity: HIGH}
`,
  TestExploited: `
id: TestExploited
filter:
  response_payload: {contains_either: ["root:x:0:0"]}
info: {category: {name: SuccessfulExploit}, severity: CRITICAL}
`,
  TestKnown: `
id: TestKnown
filter:
  request_headers: {for_one: {key: {eq: x-scanner}, value: {eq: ours}}}
info: {category: {name: IgnoredEvent}, severity: LOW}
`,
  TestFailedLogins: `
id: TestFailedLogins
filter:
  and:
    - url: {contains_either: [/login]}
    - response_code: {eq: 401}
info: {category: {name: BRUTE_FORCE}, severity: MEDIUM}
aggregation_rules:
  - rule: {name: five, condition: {matchCount: 5, windowThreshold: 5}}
`,
}

interface Sent {
  path?: string
  actor: string
  at?: number
  status?: number
  body?: string
  answer?: string
  headers?: Record<string, string>
  id?: string
}

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  for (const content of Object.values(FILTERS)) await ask(server, 'saveFilterYamlTemplate', { content })
})

afterAll(() => server.close())

function message({
  path = '/search?q=1',
  actor,
  at = AT,
  status = 200,
  body = '',
  answer = '{}',
  headers = {},
  id,
}: Sent) {
  return {
    method: body === '' ? 'GET' : 'POST',
    path,
    requestHeaders: { host: 'shop.example', ...headers },
    responseHeaders: { 'content-type': 'application/json' },
    requestPayload: body,
    responsePayload: answer,
    statusCode: status,
    ip: actor,
    time: at,
    source: 'MIRRORING',
    ...(id === undefined ? {} : { id }),
  }
}

const send = (...messages: Sent[]) => ask(server, 'ingestData', { batchData: messages.map(message) })

async function eventsOf(actor: string, asked = server) {
  const { maliciousEvents } = await ask(asked, 'fetchSuspectSampleData', {
    ips: [actor],
    // The shipped filters look at the same messages.
    latestAttack: [...Object.keys(FILTERS), 'Shared'],
    sort: { detectedAt: 1 },
    limit: 100,
  })
  return maliciousEvents!
}

const logins = (count: number, actor: string, at = AT) =>
  Array.from({ length: count }, (_, i) => ({ path: '/login', status: 401, actor, at: at + i }))

describe('threats in live traffic', () => {
  test('say when parts of the message were not looked at', { tags: ['marathon'] }, async () => {
    const actor = '203.0.113.77'
    const attack = '1 union select 2 '
    await send(
      { actor, body: attack + 'x'.repeat(200_000) },
      { actor, body: attack, at: AT + 1 },
      { actor, body: 'x'.repeat(180_000) + attack, at: AT + 2 },
      { actor, body: `${'x'.repeat(140_000)}${attack}${'x'.repeat(60_000)}`, at: AT + 3 },
    )
    const found = await eventsOf(actor)
    // The middle of a long body is not looked at, its head and its tail are.
    expect(found.map(({ timestamp }) => timestamp)).toEqual([AT, AT + 1, AT + 2])
    expect(found.map(({ metadata }) => metadata.includes('truncated: '))).toEqual([true, false, true])
    const { maliciousPayloadsResponses } = await ask(server, 'fetchAggregateMaliciousRequests', {
      actor,
      filterId: 'TestInjection',
      refId: found[0]!.refId,
      eventType: 'SINGLE',
    })
    expect(JSON.parse(maliciousPayloadsResponses![0]!.metadata)).toMatchObject({
      truncated: true,
      schemaErrors: [{ phrase: 'union select' }],
    })
  })

  test('are found by the endpoint that they were at, whatever values its parameters had', {
    timeout: 120_000,
  }, async () => {
    const actor = '203.0.113.61'
    const headers = { host: 'attacked.example' }
    const attack = (path: string, at: number) => ({ path: `${path}?q=1+union+select`, actor, at, headers })
    await send(...[1, 2, 3, 4].map((n) => ({ path: `/parts/${1000 + n}`, actor, headers })))
    const one = { apiCollectionId: 0, method: 'GET', url: '' }
    const { endpoints } = await until(
      'the template',
      () => ask(server, 'searchEndpoints', { search: '/parts' }),
      {
        isRight: ({ endpoints: found }) => found.length === 1 && found[0]!.isTemplate,
      },
    )
    Object.assign(one, endpoints[0]!.id)
    await send(attack('/parts/1001', AT + 1), attack('/parts/7777', AT + 2), attack('/parts', AT + 3), {
      ...attack('/parts/1001', AT + 4),
      body: 'a=union select',
    })
    const page = async (sent: object) => {
      const { maliciousEvents, total } = await ask(server, 'fetchSuspectSampleData', {
        endpoint: one,
        latestAttack: ['TestInjection'],
        ...sent,
      })
      return { total, urls: maliciousEvents!.map(({ method, url }) => `${method} ${url}`) }
    }
    const newest = 'GET /parts/7777?q=1+union+select'
    const oldest = 'GET /parts/1001?q=1+union+select'
    expect(await page({})).toEqual({ total: 2, urls: [newest, oldest] })
    expect(await page({ skip: 1, limit: 1 })).toEqual({ total: 2, urls: [oldest] })
    expect(await page({ sortBySeverity: true, limit: 1 })).toEqual({ total: 2, urls: [newest] })
  })

  test('are events and actors as soon as the batch is accepted', async () => {
    const actor = '203.0.113.1'
    await send(
      { actor },
      { actor, path: '/search?q=1%20UNION%20SELECT%20a', at: AT + 1 },
      { actor, path: '/health' },
    )
    const [event, ...more] = await eventsOf(actor)
    expect(more).toEqual([])
    expect(event).toMatchObject({
      actor,
      filterId: 'TestInjection',
      category: 'SQL_INJECTION',
      severity: 'HIGH',
      eventType: 'SINGLE',
      type: 'Rule-Based',
      method: 'GET',
      url: '/search?q=1%20UNION%20SELECT%20a',
      host: 'shop.example',
      timestamp: AT + 1,
      status: 'ACTIVE',
      successfulExploit: false,
    })
    expect(event!.payload).toContain('UNION%20SELECT')
    const { actors } = await ask(server, 'fetchThreatActors', { actorId: [actor] })
    expect(actors).toMatchObject([{ id: actor, status: 'active' }])
  })

  test('are found where the inventory keeps nothing: at paths that are not there', async () => {
    const actor = '203.0.113.2'
    const answer = await send({ actor, path: '/nowhere.php?q=union%20select', status: 404 })
    expect(answer).toMatchObject({ accepted: 0, dropped: { probe: 1 } })
    expect(await eventsOf(actor)).toMatchObject([{ url: '/nowhere.php?q=union%20select' }])
  })

  test('that are sent again add no events', async () => {
    const actor = '203.0.113.3'
    const attack = { actor, path: '/search?q=union%20select%203' }
    await send(attack)
    expect(await send(attack)).toMatchObject({ duplicates: 1 })
    await send({ ...attack, id: 'a-1' }, { ...attack, id: 'a-1' })
    expect(await eventsOf(actor)).toHaveLength(2)
  })

  test('are labelled by filters for exploits that worked and for what is known', async () => {
    const [worked, known] = ['203.0.113.4', '203.0.113.5']
    await send(
      { actor: worked, path: '/f?q=union%20select%204', answer: '{"t":"root:x:0:0"}' },
      { actor: known, path: '/f?q=union%20select%205', headers: { 'X-Scanner': 'ours' } },
    )
    expect(await eventsOf(worked)).toMatchObject([{ filterId: 'TestInjection', successfulExploit: true }])
    expect(await eventsOf(known)).toMatchObject([{ filterId: 'TestInjection', status: 'IGNORED' }])
  })

  test('are found whatever the caller says of itself', async () => {
    const actor = '203.0.113.6'
    await send({ actor, path: '/f?q=union%20select%206', headers: { 'x-vigil-ignore': '1' } })
    expect(await eventsOf(actor)).toHaveLength(1)
  })

  test('are found in imported files as well', async () => {
    const har = {
      log: {
        version: '1.2',
        entries: [
          {
            startedDateTime: new Date(AT * 1000).toISOString(),
            serverIPAddress: '198.51.100.1',
            request: {
              method: 'GET',
              url: 'https://shop.example/orders?q=union%20select%207',
              headers: [
                { name: 'host', value: 'shop.example' },
                { name: 'x-forwarded-for', value: '203.0.113.7' },
              ],
            },
            response: {
              status: 200,
              headers: [{ name: 'content-type', value: 'application/json' }],
              content: { mimeType: 'application/json', text: '{"a":1}' },
            },
          },
        ],
      },
    }
    await ask(server, 'uploadHar', {
      content: JSON.stringify(har),
      apiCollectionName: 'recorded',
    })
    expect(await eventsOf('203.0.113.7')).toHaveLength(1)
  })
})

describe('rules that count', () => {
  test('make one event of a window, with the messages that led to it', async () => {
    const actor = '203.0.113.20'
    await send(...logins(4, actor))
    expect(await eventsOf(actor)).toEqual([])
    await send(...logins(8, actor, AT + 30))
    const events = await eventsOf(actor)
    expect(events).toMatchObject([
      { filterId: 'TestFailedLogins', eventType: 'AGGREGATED', severity: 'MEDIUM' },
    ])
    expect(events[0]!.metadata).toContain('rule_violated: "five"')
    expect(events[0]!.metadata).toContain('reason: "5 matches from ')
    const { refId, eventType } = events[0]!
    const { maliciousPayloadsResponses } = await ask(server, 'fetchAggregateMaliciousRequests', {
      refId,
      eventType,
    })
    expect(maliciousPayloadsResponses).toHaveLength(5)
  })

  test('count messages in the minute they are of, whatever their order', async () => {
    const actor = '203.0.113.21'
    const minutes = [4, 0, 3, 1]
    for (const minute of minutes) await send(...logins(1, actor, AT + 60 * minute))
    expect(await eventsOf(actor)).toEqual([])
    await send(...logins(1, actor, AT + 120))
    expect(await eventsOf(actor)).toHaveLength(1)
  })

  test('count a redelivered message once', async () => {
    const actor = '203.0.113.22'
    for (let i = 0; i < 4; i++) await send(...logins(3, actor))
    expect(await eventsOf(actor)).toEqual([])
  })

  test('go on after a restart, and with a filter that was edited at once', {
    tags: ['marathon'],
  }, async () => {
    const actor = '203.0.113.23'
    await send(...logins(4, actor))
    await server.stop()
    server = await startTestServer({}, server.place)
    await send(...logins(1, actor, AT + 60))
    expect(await eventsOf(actor)).toHaveLength(1)
    const content = FILTERS.TestInjection.replaceAll('union', 'onion')
    await ask(server, 'saveFilterYamlTemplate', { content })
    await send(
      { actor: '203.0.113.24', path: '/f?q=union%20select' },
      { actor: '203.0.113.24', path: '/f?q=onion%20select' },
    )
    expect(await eventsOf('203.0.113.24')).toMatchObject([{ url: '/f?q=onion%20select' }])
    await ask(server, 'saveFilterYamlTemplate', { content: FILTERS.TestInjection })
  })

  test.runIf(testedEngine === 'postgres')(
    'count together over two processes, and share their filters',
    { tags: ['marathon'] },
    async () => {
      const other = await startTestServer({}, server.place)
      try {
        const actor = '203.0.113.25'
        const batch = (from: number) => ({ batchData: logins(10, actor, AT + from).map(message) })
        await Promise.all([ask(server, 'ingestData', batch(0)), ask(other, 'ingestData', batch(20))])
        expect(await eventsOf(actor)).toHaveLength(1)
        const content = FILTERS.TestInjection.replaceAll('TestInjection', 'Shared').replaceAll(
          'union',
          'reunion',
        )
        await ask(server, 'saveFilterYamlTemplate', { content })
        const attack = (n: number) => message({ actor: '203.0.113.26', path: `/f?q=reunion%20select%20${n}` })
        let sent = 0
        await expect
          .poll(
            async () => {
              await ask(other, 'ingestData', { batchData: [attack(++sent)] })
              return (await eventsOf('203.0.113.26')).length
            },
            { interval: 300 },
          )
          .toBeGreaterThan(0)
      } finally {
        await other.stop()
      }
    },
  )
})
