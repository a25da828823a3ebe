import { writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'puppeteer-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { signUpPerson, startTestServer, type TestServer, testKey } from '../harness.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'
import { type Actions, KeyboardActions, MouseActions } from './actions.ts'
import { attackMessage } from './full-installation.ts'
import { email, signedIn } from './installation.ts'
import type { Visitor } from './visitor.ts'

/** No story takes more clicks, texts and keys that do something. */
const MOST_ACTIONS = 12
const patience = 120_000
const ACTOR = '203.0.113.66'

const ways = [
  ['mouse', (visitor: Visitor): Actions => new MouseActions(visitor)],
  ['keyboard alone', (visitor: Visitor): Actions => new KeyboardActions(visitor)],
] as const

/** A recording with an endpoint that answers card numbers to anyone, and one that does not. */
function recording(): string {
  const entry = (path: string, text: string, headers: { name: string; value: string }[]) => ({
    startedDateTime: new Date().toISOString(),
    time: 1,
    request: {
      method: 'GET',
      url: `https://pay.test${path}`,
      httpVersion: 'HTTP/1.1',
      headers: [{ name: 'host', value: 'pay.test' }, ...headers],
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: 0,
    },
    response: {
      status: 200,
      statusText: 'OK',
      httpVersion: 'HTTP/1.1',
      headers: [{ name: 'content-type', value: 'application/json' }],
      cookies: [],
      content: { size: text.length, mimeType: 'application/json', text },
      redirectURL: '',
      headersSize: -1,
      bodySize: text.length,
    },
    cache: {},
    timings: { send: 0, wait: 1, receive: 0 },
  })
  const entries = [
    entry('/api/cards', '{"card":"4111111111111111","name":"Ada"}', []),
    entry('/api/orders', '{"id":7}', [{ name: 'authorization', value: 'Bearer abc.def.ghi' }]),
  ]
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'test', version: '1' }, entries } })
}

async function arrive(server: TestServer, paths: readonly string[], ip = ACTOR): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  await vigilOf(server).call('ingestData', {
    batchData: paths.map((path, at) => attackMessage(path, ip, now - 2 - at)),
  })
}

async function findCardNumbers(actions: Actions): Promise<void> {
  const { visitor } = actions
  const file = join(await mkdtemp(join(tmpdir(), 'vigil-story-')), 'pay.har')
  writeFileSync(file, recording())
  await visitor.open('/start')
  const [chooser] = await Promise.all([
    visitor.page.waitForFileChooser(),
    actions.named('button', 'Choose a file'),
  ])
  await chooser.accept([file])
  await visitor.page.waitForSelector('a[href^="/start/imports/"]')
  await visitor.open('/apis/sensitive')
  await actions.use('table[aria-label="Sensitive data by endpoint"] tbody a')

  await visitor.heading('/api/cards')
  await visitor.sees('No authentication')
  await actions.named('button', 'Copy as Markdown')
  await visitor.sees('as Markdown')
}

async function stopAnAttack(actions: Actions, server: TestServer): Promise<void> {
  const { visitor } = actions
  await arrive(server, [
    "/rest/products?q=' UNION SELECT password FROM users--",
    "/rest/login?q=' UNION SELECT password FROM users--",
  ])
  const events = async () => (await server.client.call('fetchSuspectSampleData', {})).total ?? 0
  await expect.poll(events).toBeGreaterThan(1)
  await visitor.open('/threats')
  await visitor.page.waitForSelector('section[aria-label="Kinds of attack"] tbody a')
  await actions.use('section[aria-label="Kinds of attack"] tbody a')
  await visitor.heading('Events')
  await actions.use('table a[href*="/threats/actors/one"]')
  await visitor.heading(ACTOR)
  await visitor.page.waitForSelector('section[aria-label="Endpoints touched"] tbody tr')
  const touched = await visitor.texts('section[aria-label="Endpoints touched"] tbody td:first-child')
  expect(touched.join()).toContain('/rest/products')
  expect(touched.join()).toContain('/rest/login')
  await actions.named('button', 'Change the status')
  await visitor.page.waitForSelector('[role="dialog"] form')
  await actions.write('[role="dialog"] input[autocomplete="off"]:not([readonly])', ACTOR)
  await actions.use('[role="dialog"] button[type="submit"]:not([disabled])')
  await visitor.sees('Since blocked: 0 attack events')
  const list = await fetch(`${server.baseUrl}/api/blocklist?format=nginx`, {
    headers: { 'x-api-key': testKey },
  })
  expect(await list.text()).toContain(`deny ${ACTOR};`)
  await visitor.sees('Block list last fetched')
}

const FILTER = `id: StoryFilter
info:
  name: Story
  category: { name: STORY, displayName: Story }
  severity: HIGH
filter:
  url: { contains_either: [PATTERN] }
`

async function writeAFilter(actions: Actions, server: TestServer): Promise<void> {
  const { visitor } = actions
  await arrive(server, ['/shop/evil?cmd=1', '/shop/evil-twin?x=1', '/shop/devilish?x=1'], '203.0.113.9')
  await visitor.open('/threats/filters/new')
  await actions.write('.cm-content[aria-label="The filter in YAML"]', FILTER.replace('PATTERN', 'evil'))
  await actions.named('button', 'Try it')
  await visitor.sees('3 matches')
  await actions.write('.cm-content[aria-label="The filter in YAML"]', FILTER.replace('PATTERN', '/evil?'))
  await actions.named('button', 'Try it')
  await visitor.sees('1 match')
  await actions.named('button', 'Save as draft')
  await visitor.heading('Filters')
  await visitor.open('/threats/filters?q=StoryFilter')
  await visitor.sees('Draft')
  await actions.use('input[aria-label="Inspect traffic with Story"]')
  const state = async () =>
    (await server.client.call('fetchFilterYamlTemplate', {})).templates?.find(
      ({ id }) => id === 'StoryFilter',
    )?.state
  await expect.poll(state).toBe('ON')
}

const stories = [
  [
    'drop a recording, find the endpoint that answers card numbers to anyone, export it as a ticket',
    findCardNumbers,
  ],
  ['see an attack, find the actor and what it touched, block it, and see that it stopped', stopAnAttack],
  ['write a filter, try it, see false hits, tighten it and switch it on', writeAFilter],
] as const

/** What people must be able to do without help, each with the number of its actions. */
export function storyCases(browserOf: () => Browser): void {
  let server: TestServer
  let visitor: Visitor
  beforeEach(async () => {
    server = await startTestServer()
    await signUpPerson(server, email)
    visitor = await signedIn(browserOf(), server)
  }, patience)
  afterEach(async () => {
    expect(visitor.faults).toEqual([])
    await visitor.leave()
    await server.close()
  })
  describe.each(ways)('by %s', (_way, actionsOf) => {
    it.each(stories)(
      '%s',
      async (name, story) => {
        const actions = actionsOf(visitor)
        await story(actions, server)
        console.log(`${name}: ${actions.count} actions`)
        expect(actions.count).toBeLessThanOrEqual(MOST_ACTIONS)
      },
      patience,
    )
  })
}
