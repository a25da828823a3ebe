import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { endRun } from '../../src/app/alerts/end-run.ts'
import { recordFindings } from '../../src/app/alerts/record-findings.ts'
import type { IssueId } from '../../src/contract/index.ts'
import { recordResults, SecretMask } from '../../src/testing/records/index.ts'
import { joinPerson, signUpPerson, startTestServer, type TestPerson, type TestServer } from '../harness.ts'
import { type HeardRequest, type Receiver, type ReceiverAnswer, startReceiver } from '../receiver.ts'
import { pairOf, runOf, startedRun } from '../test-results.ts'
import { wholeCollection } from '../use-vigil.ts'
import { ask, messageLines, refusal } from './ask.ts'

const HOST = 'https://shop.test'
const TOKEN = 'token-of-the-tracker'
let server: TestServer
let admin: TestPerson
let member: TestPerson
let tracker: Receiver
let shop: number
let next = 0

beforeAll(async () => {
  tracker = await startReceiver()
  server = await startTestServer({ 'allowed-alert-targets': tracker.host })
  admin = await signUpPerson(server, 'admin@example.org')
  member = await joinPerson(server, admin, 'member@example.org', 'MEMBER')
  const taken = await ask(server, 'importTraffic', {
    apiCollectionName: 'shop',
    content: messageLines(Array.from({ length: 40 }, (_none, at) => ({ path: `${HOST}/rest/p${at}x` }))),
  })
  shop = taken.apiCollectionId
})
afterAll(async () => {
  await server.close()
  await tracker.close()
})
beforeEach(() => {
  tracker.heard.length = 0
})

const store = () => server.running.app.store
const made = (): HeardRequest[] => tracker.heard.filter(({ method }) => method === 'POST')

async function setUp(trackerType: 'GITHUB' | 'JIRA', userEmail = ''): Promise<void> {
  await ask(admin, 'saveTicketTracker', {
    trackerType,
    baseUrl: `${tracker.url}/`,
    userEmail,
    apiToken: TOKEN,
  })
}

/** A GitHub that makes issue 17, and finds what it made. */
function asGithub(how: (request: HeardRequest) => ReceiverAnswer | null | undefined = () => undefined): void {
  tracker.answer((request) => {
    const told = how(request)
    if (told !== undefined) return told
    if (request.headers.authorization !== `Bearer ${TOKEN}`)
      return { status: 401, body: { message: 'Bad credentials' } }
    if (request.path.split('?')[0] !== '/repos/acme/shop/issues')
      return { status: 404, body: { message: 'Not Found' } }
    if (request.method === 'GET') return { status: 200, body: [] }
    const { title, labels } = JSON.parse(request.body) as { title?: string; labels?: string[] }
    if (!title || !Array.isArray(labels)) return { status: 422, body: { message: 'Validation Failed' } }
    return { status: 201, body: { number: 17, html_url: 'https://github.example/acme/shop/issues/17' } }
  })
}

/** A Jira that makes SEC-5. */
function asJira(
  authorization: string,
  how: (request: HeardRequest) => ReceiverAnswer | null | undefined = () => undefined,
): void {
  tracker.answer((request) => {
    const told = how(request)
    if (told !== undefined) return told
    if (request.headers.authorization !== authorization)
      return { status: 401, body: { errorMessages: ['Not signed in'] } }
    if (request.method === 'GET') return { status: 200, body: { issues: [] } }
    if (request.path !== '/rest/api/2/issue') return { status: 404, body: {} }
    const { fields } = JSON.parse(request.body) as { fields: Record<string, unknown> }
    if ((fields['project'] as { key: string }).key !== 'SEC')
      return { status: 400, body: { errorMessages: [], errors: { project: 'project is required' } } }
    return { status: 201, body: { id: '10005', key: 'SEC-5', self: `${tracker.url}/rest/api/2/issue/10005` } }
  })
}

/** An execution with one finding at an endpoint of its own. */
async function finding(
  ticketing: Record<string, unknown> | null,
  given: { path?: number; severity?: 'HIGH' | 'LOW' } = {},
) {
  const at = given.path ?? next++
  const url = `${HOST}/rest/p${at}x`
  const run = await startedRun(store(), {
    collectionIds: [shop],
    configuration: { ...runOf({}).configuration, ticketing },
  })
  await recordResults(
    store(),
    run.summaryId,
    [pairOf({ collectionId: shop, url, severity: given.severity ?? 'HIGH' })],
    {
      mask: new SecretMask([]),
      follow: recordFindings,
      seal: (text: string) => text,
    },
  )
  await endRun(store(), run.summaryId, { state: 'COMPLETED' })
  const id: IssueId = {
    testSubCategory: 'REPLACE_AUTH_TOKEN',
    testErrorSource: 'AUTOMATED_TESTING',
    testCategoryFromSourceConfig: null,
    testSourceConfig: null,
    apiInfoKey: { method: 'GET', apiCollectionId: shop, url },
  }
  return { id, path: at }
}

async function issueOf(id: IssueId) {
  const [issue] = await ask(server, 'fetchIssuesFromResultIds', {
    issuesIds: [id],
    issueStatusQuery: ['OPEN', 'FIXED', 'IGNORED'],
  })
  return issue!
}

/** The newest delivery once it ended. */
async function ended(): Promise<{ state: string; problem: string | null; attempts: number }> {
  await expect
    .poll(async () => (await ask(admin, 'fetchDeliveries', { limit: 1 })).deliveries[0]?.state)
    .toMatch(/DONE|FAILED/)
  return (await ask(admin, 'fetchDeliveries', { limit: 1 })).deliveries[0]!
}

const AUTO = {
  shouldCreateTickets: true,
  projectId: 'acme/shop',
  severities: ['CRITICAL', 'HIGH'],
  issueType: 'security',
}

test('a run makes tickets of its findings in GitHub, once each, and the link stands with the issue', async () => {
  await setUp('GITHUB')
  asGithub()
  const { id, path } = await finding(AUTO)
  await expect.poll(async () => (await issueOf(id)).ticketId).toBe('17')
  const [request] = made()
  expect(request!.headers).toMatchObject({
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    'user-agent': 'Vigil',
  })
  const body = JSON.parse(request!.body) as { title: string; body: string; labels: string[] }
  expect(body.title).toContain(`GET ${HOST}/rest/p${path}x`)
  expect(body.labels).toEqual(['vigil', 'security', 'severity: high'])
  expect(body.body).not.toContain('secret-of-the-victim')
  expect(await issueOf(id)).toMatchObject({
    ticketSource: 'GITHUB',
    ticketProjectKey: 'acme/shop',
    jiraIssueUrl: null,
  })
  const { issueHistory } = await ask(server, 'fetchIssueHistory', { issueId: id })
  expect(
    issueHistory.some(
      ({ kind, to }) => kind === 'TICKET' && to === 'https://github.example/acme/shop/issues/17',
    ),
  ).toBe(true)
  await finding(AUTO, { path })
  await finding(AUTO, { severity: 'LOW' })
  await finding(null)
  expect(made()).toHaveLength(1)
})

test('a ticket in Jira has project, type and link; the cloud is signed in to by login and token', async () => {
  await setUp('JIRA', 'ada@example.org')
  asJira(`Basic ${Buffer.from(`ada@example.org:${TOKEN}`).toString('base64')}`)
  const { id } = await finding(null)
  expect(await ask(member, 'createJiraIssue', { issueId: id, projId: 'SEC', issueType: 'Bug' })).toEqual({
    isOrdered: true,
    ticketUrl: null,
  })
  await expect.poll(async () => (await issueOf(id)).jiraIssueUrl).toBe(`${tracker.url}/browse/SEC-5`)
  const { fields } = JSON.parse(made()[0]!.body) as { fields: Record<string, unknown> }
  expect(fields).toMatchObject({ project: { key: 'SEC' }, issuetype: { name: 'Bug' } })
  expect(await ask(member, 'createJiraIssue', { issueId: id, projId: 'SEC' })).toEqual({
    isOrdered: false,
    ticketUrl: `${tracker.url}/browse/SEC-5`,
  })
  expect(
    await ask(member, 'bulkCreateJiraTickets', {
      issueIdArray: [id, { ...id, testSubCategory: 'GONE' }],
      projId: 'SEC',
    }),
  ).toEqual({
    ordered: 0,
    existing: 1,
    unknown: 1,
  })
  expect(made()).toHaveLength(1)
})

test('a self-hosted server is authenticated by token only', async () => {
  await setUp('JIRA')
  asJira(`Bearer ${TOKEN}`)
  const { id } = await finding(null)
  await ask(member, 'createJiraIssue', { issueId: id, projId: 'SEC' })
  await expect.poll(async () => (await issueOf(id)).ticketId).toBe('SEC-5')
  expect(JSON.parse(made()[0]!.body)).toMatchObject({ fields: { issuetype: { name: 'Task' } } })
})

test.each([
  [401, { message: 'Bad credentials' }, 'Bad credentials'],
  [404, { message: 'Not Found' }, '404'],
  [422, { message: 'Validation Failed' }, 'Validation Failed'],
  [410, { message: 'Issues has been disabled in this repository' }, 'disabled'],
])('after %d no ticket is created, and the delivery says why', async (status, body, sentence) => {
  await setUp('GITHUB')
  asGithub(() => ({ status, body }))
  const { id } = await finding(AUTO)
  const delivery = await ended()
  expect(delivery).toMatchObject({ state: 'FAILED', attempts: 1 })
  expect(delivery.problem).toContain(sentence)
  expect((await issueOf(id)).ticketId).toBeNull()
  asGithub()
  expect(await ask(member, 'createJiraIssue', { issueId: id, projId: 'acme/shop' })).toMatchObject({
    isOrdered: true,
  })
  await expect.poll(async () => (await issueOf(id)).ticketId).toBe('17')
})

test('a run whose project is none gets no ticket and sends nothing', async () => {
  await setUp('GITHUB')
  asGithub()
  await finding({ ...AUTO, projectId: 'acme/shop/../../../user' })
  expect(await ended()).toMatchObject({ state: 'FAILED', problem: 'The project is not owner/repository.' })
  expect(tracker.heard).toEqual([])
})

test('a run whose tickets could never be made is not started', async () => {
  await setUp('GITHUB')
  const start = (details: object) =>
    refusal(member, 'startTest', {
      ...wholeCollection(shop, ['NOSNIFF_MISSING']),
      startTimestamp: Math.floor(Date.now() / 1000) + 3600,
      autoTicketingDetails: { ...AUTO, ...details },
    })
  expect(await start({ projectId: 'acme/shop/../x' })).toEqual([422, 'The project is not owner/repository'])
  expect(await start({ projectId: ' ' })).toEqual([422, 'Project Id is required.'])
  expect(await start({ severities: [] })).toEqual([422, 'Severities cannot be empty.'])
  expect(await start({ severities: ['WORST'] })).toEqual([422, 'Invalid parameter: severities.'])
  await ask(admin, 'deleteTicketTracker', { trackerType: 'JIRA' })
  expect(await start({ projectId: 'SEC' })).toEqual([422, 'Jira is not set up'])
  const edits = [{ operatorType: 'SING_HEADER', operationsGroupList: [{ key: 'a', value: 'b' }] }]
  expect(
    await refusal(member, 'startTest', {
      ...wholeCollection(shop, ['NOSNIFF_MISSING']),
      testConfigsAdvancedSettings: edits,
    }),
  ).toEqual([422, 'Invalid value for operatorType'])
})

test.each([429, 403])(
  'after %d with Retry-After the ticket waits as long as asked',
  { tags: ['marathon'] },
  async (status) => {
    await setUp('GITHUB')
    asGithub(() => ({ status, headers: { 'retry-after': '3600' }, body: { message: 'rate limit' } }))
    await finding(AUTO)
    const seen = Math.floor(Date.now() / 1000)
    const newest = async () => (await ask(admin, 'fetchDeliveries', { limit: 1 })).deliveries[0]!
    await expect.poll(async () => (await newest()).problem).toContain('rate limit')
    expect(await newest()).toMatchObject({ state: 'WAITING', attempts: 1 })
    expect((await newest()).nextAttempt).toBeGreaterThan(seen + 3_000)
    await store().pool.query(`UPDATE outgoing_messages SET state = 'FAILED' WHERE state = 'WAITING'`)
  },
)

test('a ticket whose answer was lost is found again, not made twice', async () => {
  await setUp('GITHUB')
  let lost = ''
  asGithub((request) => {
    if (request.method === 'POST') {
      lost = (JSON.parse(request.body) as { body: string }).body
      return null
    }
    expect(request.path).toContain('labels=vigil')
    return {
      status: 200,
      body: [
        { number: 3, html_url: 'https://x.example/3', body: 'another' },
        { number: 99, html_url: 'https://github.example/acme/shop/issues/99', body: lost },
      ],
    }
  })
  const { id } = await finding(AUTO)
  await expect
    .poll(async () => (await ask(admin, 'fetchDeliveries', { limit: 1 })).deliveries[0]!.problem)
    .not.toBeNull()
  await store().pool.query(`UPDATE outgoing_messages SET next_at = 0 WHERE state = 'WAITING'`)
  await expect.poll(async () => (await issueOf(id)).ticketId).toBe('99')
  expect(made()).toHaveLength(1)
})

test('what cannot be set up or ordered is refused, and tokens are never shown', async () => {
  await setUp('JIRA', 'ada@example.org')
  const shown = JSON.stringify(await ask(member, 'fetchIntegration')) + server.logText()
  expect(shown).toContain('ada@example.org')
  expect(shown).not.toContain(TOKEN)
  const { rows } = await store().pool.query<{ text: string }>(
    'SELECT string_agg(t::text, $1) AS text FROM ticket_trackers t',
    [''],
  )
  expect(rows[0]!.text).not.toContain(TOKEN)
  expect(
    await refusal(member, 'saveTicketTracker', {
      trackerType: 'JIRA',
      baseUrl: 'https://x.example',
      apiToken: 'x',
    }),
  ).toContain(403)
  expect(
    await refusal(admin, 'saveTicketTracker', {
      trackerType: 'JIRA',
      baseUrl: 'http://x.example',
      apiToken: 'x',
    }),
  ).toContain(422)
  const { id } = await finding(null)
  expect(await refusal(member, 'createJiraIssue', { issueId: id, projId: '../x' })).toEqual([
    422,
    'The project is not owner/repository',
  ])
  expect(await refusal(member, 'createJiraIssue', { issueId: id, projId: 'SEC"' })).toEqual([
    422,
    'The project is not the key of a project',
  ])
  expect(await ask(admin, 'deleteTicketTracker', { trackerType: 'JIRA' })).toEqual({ isDeleted: true })
  expect(await refusal(member, 'createJiraIssue', { issueId: id, projId: 'SEC' })).toEqual([
    422,
    'Jira is not set up',
  ])
})
