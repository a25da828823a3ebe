import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { filterStarter } from '../../src/dashboard/pages/threats/filter-starter.ts'
import { signUpPerson, startTestServer, type TestPerson, type TestServer } from '../harness.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'
import { breachesOf } from './accessibility-cases.ts'
import { email, signedIn } from './installation.ts'
import { threatSettingsCases } from './threat-settings-cases.ts'
import type { Visitor } from './visitor.ts'

const patience = 120_000
const ACTOR = '203.0.113.66'
const ATTACK = "/rest/products?q=' UNION SELECT password FROM users--"

const threatPages = [
  '/threats',
  '/threats/events',
  '/threats/events?q=nothing-has-this-name',
  '/threats/actors',
  `/threats/actors/one?actor=${ACTOR}`,
  '/threats/apis',
  '/threats/filters',
  '/threats/filters/new',
  '/settings/threats',
]

function messageOf(path: string, ip: string, answer = '{"ok":true}') {
  return {
    method: 'GET',
    path,
    requestHeaders: { host: 'shop.test', accept: 'application/json' },
    responseHeaders: { 'content-type': 'application/json' },
    statusCode: 200,
    responsePayload: answer,
    ip,
    time: Math.floor(Date.now() / 1000) - 2,
    source: 'MIRRORING',
  }
}

async function arrive(server: TestServer, batchData: ReturnType<typeof messageOf>[]): Promise<void> {
  await vigilOf(server).call('ingestData', { batchData })
}

/** From an attack in traffic to a blocked actor, in a browser. */
export function threatCases(browserOf: () => Browser): void {
  let server: TestServer
  let admin: TestPerson
  let ada: Visitor

  beforeAll(async () => {
    server = await startTestServer()
    admin = await signUpPerson(server, email)
    ada = await signedIn(browserOf(), server)
  }, patience)

  afterAll(async () => {
    expect(ada.faults).toEqual([])
    expect(ada.foreignRequests).toEqual([])
    await ada.leave()
    await server.close()
  })

  it('says that there is no traffic yet, also beside a collection without any, and what is watched for', async () => {
    await server.client.call('createCollection', { collectionName: 'planned' })
    for (const page of ['/threats', '/threats/events', '/threats/actors', '/threats/apis']) {
      await ada.open(page)
      await ada.sees('No traffic in the inventory yet')
      await ada.page.waitForSelector('[data-testid="empty-state"] a[href="/start"]')
    }
    await ada.open('/threats/filters')
    expect((await ada.texts('[aria-label="Filters of traffic"] tbody tr')).length).toBeGreaterThan(5)
    await ada.page.locator('input[aria-label="Search filters"]').fill('log4j')
    await ada.until(`document.querySelectorAll('[aria-label="Filters of traffic"] tbody tr').length === 1`)
    await ada.sees('JNDI lookup injection (Log4Shell)')
  })

  it('shows an attack, its messages, and what of them matched', async () => {
    await arrive(server, [
      messageOf(encodeURI(ATTACK), ACTOR, 'long '.repeat(40_000)),
      messageOf(encodeURI(ATTACK).replace('/rest/', '/old/'), ACTOR),
      messageOf('/rest/products?q=lamp', '203.0.113.5'),
    ])
    await expect
      .poll(async () => (await server.client.call('fetchSuspectSampleData', {})).total ?? 0)
      .toBeGreaterThan(1)
    await ada.open('/threats')
    await ada.page.waitForSelector('section[aria-label="Kinds of attack"] tbody tr')
    await ada.page.waitForSelector('section[aria-label="Events over time"] a')
    await ada.page.waitForSelector('section[aria-label="Map of actors"] svg')
    await ada.page.waitForSelector('section[aria-label="Latest events"] li')
    await ada.press('a[aria-label*="events of severity"]')
    await ada.heading('Events')
    expect(new URL(ada.page.url()).searchParams.get('severity')).not.toBe('')
    await ada.open('/threats/events')
    const opener = '[aria-label="Events"] tbody td button'
    await ada.press(opener)
    await ada.sees('Matched in')
    await ada.page.waitForSelector('[role="dialog"] mark')
    await ada.page.keyboard.press('j')
    await ada.page.waitForSelector('[role="dialog"] button:not([disabled])::-p-text(Previous)')
    await ada.page.keyboard.press('k')
    await ada.page.waitForSelector('[role="dialog"] button[disabled]::-p-text(Previous)')
    await ada.page.keyboard.press('Escape')
    await ada.until(`document.activeElement === document.querySelector('${opener}')`)
    await ada.press(opener)
    await ada.sees('Matched in')
    expect((await ada.texts('[role="dialog"]')).join()).toContain('UNION')
    expect(await ada.breaches()).toEqual([])
    await ada.click('button', 'Take under review')
    await ada.until(
      `document.querySelector('[aria-label="Events"] tbody tr')?.textContent.includes('Under review') === true`,
    )
  })

  it('turns to the last page where an old link names a later one', async () => {
    for (const [page, list] of [
      ['events', 'Events'],
      ['actors', 'Actors'],
    ]) {
      await ada.open(`/threats/${page}?page=9`)
      await ada.page.waitForSelector(`[aria-label="${list}"] tbody td a`)
      await ada.until("location.search === ''")
    }
  })

  it('blocks an actor only by name, and keeps who did it and why', async () => {
    await ada.open('/threats/actors')
    await ada.press('[aria-label="Actors"] tbody a')
    await ada.heading(ACTOR)
    await ada.click('button', 'Change the status')
    await ada.fill('Why', 'a scanner')
    await ada.page.waitForSelector('[role="dialog"] button[type="submit"][disabled]')
    await ada.fill(`Type “${ACTOR}” to confirm`, ACTOR)
    await ada.press('[role="dialog"] button[type="submit"]')
    await ada.sees('Became blocked; was active: a scanner')
    await ada.sees('Since blocked: 0 attack events')
    await ada.sees('No gateway has fetched the block list with an API key yet.')
    await ada.page.waitForSelector('section[aria-label="Sessions"] tbody tr')
    await ada.page.waitForSelector('section[aria-label="Endpoints touched"] tbody tr')
    const { actors } = await server.client.call('fetchThreatActors', { actorId: [ACTOR] })
    expect(actors?.[0]?.status).toBe('blocked')
  })

  it('filters actors, and shows the block list as gateways take it', async () => {
    await ada.open('/threats/actors?actor=192.0.2.99')
    await ada.sees('Nothing in this time matches every filter')
    await ada.click('button', 'Clear the filters')
    await ada.page.waitForSelector('[aria-label="Actors"] tbody a')
    await ada.press('input[aria-label="Actor"]')
    await ada.click('option', ACTOR)
    await ada.until(`location.search === '?actor=${ACTOR}'`)
    await ada.page.waitForSelector('[aria-label="Actors"] tbody a')
    await ada.click('button', 'Block list')
    await ada.page.waitForSelector('[aria-label="The block list"]')
    expect(await ada.texts('[aria-label="The block list"]')).toEqual([`${ACTOR}\n`])
    await ada.press('[role="dialog"] input')
    await ada.click('option', 'nginx')
    await ada.until(
      `document.querySelector('[aria-label="The block list"]')?.textContent.includes('deny ${ACTOR};') === true`,
    )
    expect(await ada.breaches()).toEqual([])
  })

  it('tries a filter on stored traffic, names the line of a fault, and saves it', async () => {
    await ada.open('/threats/filters/new')
    const field = 'The filter in YAML'
    const good = filterStarter
    await ada.edit(field, good.replace(/regex: .*/, 'regex: (?i)/products'))
    await ada.click('button', 'Try it')
    await ada.page.waitForSelector('[aria-label="Matches"] tbody tr')
    await ada.edit(field, good.replace('regex:', 'regexp:'))
    await ada.click('button', 'Save the filter')
    await ada.page.waitForSelector('[role="alert"]')
    await ada.edit(field, `author: me\n${good}`)
    await ada.click('button', 'Try it')
    await ada.sees('The key author is ignored.')
    await ada.click('button', 'Save the filter')
    await ada.sees('Saved and in use, with warnings')
    await ada.edit(field, good)
    await ada.click('button', 'Save the filter')
    await ada.heading('Filters')
    await ada.sees('ForgottenBackup')
  })

  it('completes and explains keys of a filter from its schema, and marks what does not fit', async () => {
    await ada.open('/threats/filters/new')
    await ada.edit('The filter in YAML', 'id: A\nfilter:\n  reque')
    await ada.page.keyboard.press('End')
    await ada.page.keyboard.down('Control')
    await ada.page.keyboard.press('Space')
    await ada.page.keyboard.up('Control')
    await ada.page.waitForSelector('.cm-tooltip-autocomplete li::-p-text(request_headers)')
    await ada.page.keyboard.press('Escape')
    await ada.edit('The filter in YAML', 'id: A\nfilter:\n  regexp: a\n')
    await ada.page.waitForSelector('.cm-lintRange::-p-text(regexp)')
    expect(await ada.breaches()).toEqual([])
  })

  it('switches a filter off and on in the list', async () => {
    await ada.open('/threats/filters?q=log4j')
    await ada.press('[aria-label="Filters of traffic"] .mantine-Switch-track')
    await ada.until(
      `document.querySelector('[aria-label="Filters of traffic"] tbody')?.textContent.includes('Off') === true`,
    )
    await ada.open('/threats/filters?state=OFF')
    await ada.sees('JNDI lookup injection (Log4Shell)')
    await ada.press('[aria-label="Filters of traffic"] .mantine-Switch-track')
    await ada.sees('No filter meets the search and the filters.')
  })

  it('begins a new filter after another one was open', async () => {
    await ada.open('/threats/filters?q=log4j')
    await ada.press('[aria-label="Filters of traffic"] tbody td a[href^="/threats/filters/"]')
    await ada.heading('JNDI lookup injection (Log4Shell)')
    await ada.page.goBack()
    await ada.click('link', 'New filter')
    await ada.heading('New filter')
    await ada.page.waitForSelector('[aria-label="The filter in YAML"]')
  })

  threatSettingsCases(() => ({
    browser: browserOf(),
    server,
    admin,
    ada,
    actor: ACTOR,
    attack: () => arrive(server, [messageOf(encodeURI(`${ATTACK}&again=1`), ACTOR)]),
  }))

  it('makes a rule of a false positive, and says how much it fits', async () => {
    await arrive(server, [messageOf(encodeURI(ATTACK).replace('/rest/', '/false/'), '203.0.113.88')])
    const of = { ips: ['203.0.113.88'] }
    const events = async () => (await server.client.call('fetchSuspectSampleData', of)).maliciousEvents ?? []
    await expect.poll(async () => (await events()).length).toBeGreaterThan(0)
    await ada.open('/threats/events?actor=203.0.113.88')
    await ada.press('[aria-label="Events"] tbody td button')
    await ada.click('button', 'Mark as false positive')
    await ada.page.waitForSelector('[role="dialog"] input[value="hostActor"]')
    await ada.sees('Stored events that match the rule: ')
    expect(await ada.breaches()).toEqual([])
    await ada.press('[role="dialog"] input[value="hostActor"]')
    await ada.fill('Why', 'our own test')
    await ada.press('[role="dialog"] button[type="submit"]')
    await ada.sees('Marked as a false positive')
    const { suppressions } = await server.client.call('fetchThreatSuppressions', {})
    expect(suppressions.find(({ reason }) => reason === 'our own test')).toMatchObject({
      host: 'shop.test',
      actor: '203.0.113.88',
      url: null,
    })
    expect((await events()).some(({ status }) => status === 'IGNORED')).toBe(true)
    // Attacks of others on the same URL are stored.
    expect(suppressions.filter(({ url }) => url?.includes('/false/'))).toEqual([])
  })

  it('says so when gateways do not enforce that an actor is blocked', async () => {
    await server.client.call('recordMaliciousEvent', {
      maliciousEvent: {
        actor: 'client-7',
        filterId: 'OutsideDetector',
        detectedAt: String(Math.floor(Date.now() / 1000)),
        latestApiEndpoint: '/rest/products',
      },
    })
    await ada.open('/threats/actors/one?actor=client-7')
    await ada.click('button', 'Change the status')
    await ada.fill('Type “client-7” to confirm', 'client-7')
    await ada.press('[role="dialog"] button[type="submit"]')
    await ada.sees('Blocked, but gateways do not enforce it')
    await ada.sees('gateways block only addresses')
    expect(await ada.breaches()).toEqual([])
    await ada.click('button', 'Close')
    await ada.sees('Became blocked; was active')
  })

  it(
    'has no fault of accessibility on any of these pages, and fits 320 pixels',
    async () => {
      expect(await breachesOf(ada, threatPages)).toEqual([])
    },
    patience,
  )
}
