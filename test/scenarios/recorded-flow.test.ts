import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testBrowser } from '../browser/browser.ts'
import { recordingOf } from '../crawler/recording-cases.ts'
import { joinPerson, signUpPerson, startTestServer, type TestPerson, type TestServer } from '../harness.ts'
import { type Portal, portalPassword, portalUser, startPortal } from '../targets/portal/server.ts'

const WHO = `fetch('/api/me').then((answer) => answer.json()).then(({ user }) => user)`

const found = await testBrowser()
if (found === null) console.warn('\nSKIPPED: recorded logins. "vigil doctor" says how to get a browser.\n')

describe.skipIf(found === null)('a recorded login', () => {
  let portal: Portal
  let server: TestServer
  let ada: TestPerson
  let bob: TestPerson

  beforeAll(async () => {
    portal = await startPortal()
    server = await startTestServer({ browser: found!.path })
    ada = await signUpPerson(server, 'ada@example.org')
    bob = await joinPerson(server, ada, 'bob@example.org', 'MEMBER')
  })

  afterAll(async () => {
    await server?.close()
    await portal?.close()
  })

  async function ask(person: TestPerson, operation: string, body: unknown) {
    const answer = await person.call(operation, body)
    const text = await answer.text()
    const told = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
    return { status: answer.status, body: told }
  }

  /** Polls until the flow has ended. */
  async function output(person: TestPerson, body: unknown = {}) {
    const polled = (): ReturnType<typeof ask> => ask(person, 'fetchRecordedFlowOutput', body)
    await expect
      .poll(async () => (await polled()).body['tokenFetchInProgress'], { interval: 100 })
      .not.toBe(true)
    return polled()
  }

  it('is played, and yields token, cookies and pictures of its role', async () => {
    const content = recordingOf('form', portal.origin)
    const uploaded = await ask(ada, 'uploadRecordedFlow', {
      content,
      tokenFetchCommand: WHO,
      roleName: 'CUSTOMER',
    })
    expect(uploaded).toMatchObject({ status: 200, body: { testingRunPlaygroundId: null, content: null } })
    const { body } = await output(ada, { nodeId: 'x1' })
    const result = JSON.parse(String(body['token'])) as Record<string, unknown>
    expect(result).toMatchObject({
      token: portalUser,
      cookieHeader: expect.stringMatching(/^sid=[\w-]+$/),
      all_cookies: [{ name: 'sid', httpOnly: true, session: true, hostOnly: true, domain: '127.0.0.1' }],
      localStorage: { cameFrom: `${portal.origin}/home` },
    })
    const shown = await ask(bob, 'fetchRecordedLoginScreenshots', { roleName: 'CUSTOMER' })
    const pictures = shown.body['screenshotsBase64'] as string[]
    expect(pictures.length).toBeGreaterThan(5)
    expect(pictures.every((picture) => picture.startsWith('iVBOR'))).toBe(true)
    expect(Number(shown.body['screenshotsUpdatedAt'])).toBeGreaterThan(1_700_000_000)
  })

  it('of an executor is polled by its id, by nobody but its owner', async () => {
    const content = JSON.stringify([{ action: 'navigate', url: `${portal.origin}/calm` }])
    const { body } = await ask(bob, 'uploadRecordedFlow', {
      content,
      tokenFetchCommand: 'document.title',
      roleName: 'SUPPORT',
      miniTestingServiceName: ' eu-1 ',
    })
    const testingRunPlaygroundId = String(body['testingRunPlaygroundId'])
    expect(testingRunPlaygroundId).toMatch(/^[0-9a-f]{24}$/)
    const result = await output(bob, { testingRunPlaygroundId })
    expect(JSON.parse(String(result.body['token']))).toMatchObject({ token: 'Calm', all_cookies: [] })
    const eve = await joinPerson(server, ada, 'eve@example.org', 'MEMBER')
    for (const other of [ada, eve]) {
      const foreign = await ask(other, 'fetchRecordedFlowOutput', { testingRunPlaygroundId })
      expect([foreign.status, foreign.body['actionErrors']]).toEqual([422, ['No recorded flow found']])
    }
  })

  it('that breaks says which step, keeps the pictures, and leaves no secret in log or store', async () => {
    const steps = [
      { type: 'navigate', url: `${portal.origin}/login` },
      { type: 'change', selectors: ['#gone'], value: portalPassword, timeout: 300 },
    ]
    await ask(ada, 'uploadRecordedFlow', {
      content: JSON.stringify({ title: 'broken', steps }),
      tokenFetchCommand: '',
      roleName: 'BROKEN',
    })
    const { status, body } = await output(ada)
    expect([status, body['actionErrors']]).toEqual([
      422,
      ['The recorded flow failed: step 2 of 2 (change #gone) failed: the element was not found in time'],
    ])
    const shown = await ask(ada, 'fetchRecordedLoginScreenshots', { roleName: 'BROKEN' })
    expect(shown.body['screenshotsBase64']).toHaveLength(2)
    expect(server.logText()).not.toContain(portalPassword)
    const { rows } = await server.running.app.store.pool.query('SELECT * FROM recorded_flows')
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${portalPassword}|${portalUser}`))
    expect(rows.every(({ sealed_input }) => sealed_input === '')).toBe(true)
  })

  it('is refused when it is none', async () => {
    const upload = (changes: Record<string, unknown>): ReturnType<typeof ask> =>
      ask(ada, 'uploadRecordedFlow', { content: '[]', tokenFetchCommand: '', roleName: 'A', ...changes })
    expect((await upload({ roleName: ' ' })).body['actionErrors']).toEqual(['roleName is required'])
    expect((await upload({ content: 'x' })).body['actionErrors']).toEqual(['content is not valid JSON'])
    const file = JSON.stringify([{ action: 'navigate', url: 'file:///etc/passwd' }])
    expect((await upload({ content: file })).body['actionErrors']).toEqual([
      'content is not a recording: step 1 opens no http or https URL',
    ])
    const odd = await ask(ada, 'fetchRecordedFlowOutput', { testingRunPlaygroundId: 'zzz' })
    expect(odd.body['actionErrors']).toEqual(['Invalid testing run playground id'])
    expect((await ask(ada, 'fetchRecordedLoginScreenshots', { roleName: 'NOBODY' })).body).toMatchObject({
      screenshotsBase64: [],
      screenshotsUpdatedAt: 0,
    })
  })

  it('of a role is played for crawler modules that replay none, and gives them its cookies', {
    tags: ['marathon'],
  }, async () => {
    const content = recordingOf('form', portal.origin)
    await ask(ada, 'addTestRoles', { roleName: 'RECORDED' })
    const { body } = await ask(ada, 'addAuthToRole', {
      roleName: 'RECORDED',
      apiCond: {},
      authParamData: [
        { where: 'HEADER', key: 'x-who', value: 'user ${x1.response.body.token}', showHeader: true },
      ],
      authAutomationType: 'LOGIN_REQUEST',
      reqData: [{ type: 'RECORDED_FLOW' }],
      recordedLoginFlowInput: {
        content,
        tokenFetchCommand: WHO,
        outputFilePath: null,
        errorFilePath: null,
        tokenResult: null,
      },
    })
    expect(body).toHaveProperty('selectedRole.hexId')
    const testRoleHexId = (body['selectedRole'] as { hexId: string }).hexId
    const moduleInfo = { id: 'other', moduleType: 'DAST', name: 'other', startedTs: 1_769_850_000 }
    // A module calls with a key of its own.
    await server.post('/api/updateModuleInfoForHeartbeat', { moduleInfo })
    const order = {
      hostname: `${portal.origin}/`,
      crawlingTime: 600,
      testRoleHexId,
      selectedModuleName: 'other',
    }
    expect((await ask(ada, 'initiateCrawler', order)).status).toBe(200)
    let jobs: Record<string, unknown>[] = []
    while (jobs.length === 0) {
      const answer = await server.post('/api/fetchPendingDastJobs', { moduleName: 'other' })
      jobs = (await answer.json()) as typeof jobs
    }
    expect(JSON.parse(String(jobs[0]!['cookies']))).toMatchObject([{ name: 'sid', domain: '127.0.0.1' }])
    expect(jobs[0]!['roleHeaders']).toEqual({ 'x-who': `user ${portalUser}` })
  })

  it('signs a test role in', async () => {
    const flow = { content: recordingOf('shadow', portal.origin), tokenFetchCommand: WHO }
    const played = await server.running.app.flows.play(flow, new AbortController().signal)
    expect(played).toMatchObject({ token: portalUser, cookieHeader: expect.stringMatching(/^sid=/) })
  })
})
