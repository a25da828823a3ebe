import type { Browser } from 'puppeteer-core'
import { expect, it } from 'vitest'
import { joinPerson, type TestPerson, type TestServer } from '../harness.ts'
import { signedIn } from './installation.ts'
import type { Visitor } from './visitor.ts'

/** What the cases run against: an administrator, signed in, and a way to send an attack of an actor. */
export interface ThreatSettingsDeps {
  readonly browser: Browser
  readonly server: TestServer
  readonly admin: TestPerson
  readonly ada: Visitor
  readonly actor: string
  readonly attack: () => Promise<void>
}

/** Headers that name actors, how long events are kept, and suppressions, as a person sets them. */
export function threatSettingsCases(deps: () => ThreatSettingsDeps): void {
  const configurationOf = async (server: TestServer) =>
    (await server.client.call('fetchThreatConfiguration', {})).threatConfiguration

  it('names a header as the actor, refuses a bad pattern, and keeps the order that was chosen', async () => {
    const { ada, server } = deps()
    await ada.open('/threats')
    await ada.click('link', 'Threat settings')
    await ada.heading('Threat settings')
    await ada.sees('No header is named')
    await ada.click('button', 'Name a header')
    await ada.fill('Header', 'X-Client-Id')
    await ada.fill('On hosts that match', '^api(')
    await ada.click('button', 'Save the header')
    await ada.sees('Invalid regex pattern')
    expect(await ada.breaches()).toEqual([])
    await ada.fill('On hosts that match', '^api\\.')
    await ada.click('button', 'Save the header')
    await ada.page.waitForSelector('[aria-label="Headers that name the actor"] tbody tr')
    await ada.click('button', 'Name a header')
    await ada.fill('Header', 'x-tenant')
    await ada.fill('On hosts that match', '.')
    await ada.click('button', 'Save the header')
    await ada.click('button', 'Move up x-tenant, line 2')
    await ada.page.waitForSelector('button[aria-label="Move down x-tenant, line 1"]')
    const { actor } = await configurationOf(server)
    expect(actor.actorId.map(({ key, pattern }) => [key, pattern])).toEqual([
      ['x-tenant', '.'],
      ['x-client-id', '^api\\.'],
    ])
    await ada.click('button', 'Remove x-tenant, line 1')
    await ada.click('button', 'Remove the header')
    await ada.page.waitForSelector('button[aria-label="Change x-client-id, line 1"]')
  })

  it('keeps events for a shorter time only after it said what goes', async () => {
    const { ada, server } = deps()
    await ada.sees('Events are removed after 60 days')
    await ada.click('button', 'Change how long events are kept')
    await ada.fill('Days', '12')
    await ada.sees('Give a number from 30 to 90.')
    await ada.fill('Days', '30')
    await ada.sees('This cannot be undone.')
    expect(await ada.breaches()).toEqual([])
    await ada.click('button', 'Remove what is older than 30 days')
    await ada.sees('Events are removed after 30 days')
    expect(await configurationOf(server)).toMatchObject({
      archivalEnabled: true,
      archivalDays: 30,
      actor: { actorId: [{ key: 'x-client-id' }] },
    })
  })

  it('drops events of a known actor, and counts them', async () => {
    const { ada, server, actor, attack } = deps()
    await ada.sees('Every event is stored')
    await ada.click('button', 'New suppression')
    await ada.page.waitForSelector('[role="dialog"] button[type="submit"][disabled]')
    await ada.fill('Actor', actor)
    await ada.fill('Why', 'our own scanner')
    expect(await ada.breaches()).toEqual([])
    await ada.click('button', 'Drop these events')
    await ada.page.waitForSelector('[aria-label="Suppressions"] tbody tr')
    await attack()
    await expect
      .poll(
        async () => (await server.client.call('fetchThreatSuppressions', {})).suppressions[0]?.dropped ?? 0,
      )
      .toBeGreaterThan(0)
    await ada.open('/settings/threats')
    const [row] = await ada.texts('[aria-label="Suppressions"] tbody tr')
    expect(row).toMatch(new RegExp(`actor ${actor}[1-9].*our own scanner`))
  })

  it('shows a member what is set, a guest less, and neither a way to change it', async () => {
    const { browser, server, admin } = deps()
    const login = 'mia@example.org'
    await joinPerson(server, admin, login, 'MEMBER')
    const mia = await signedIn(browser, server, login)
    await mia.open('/settings/threats')
    await mia.sees('our own scanner')
    await mia.sees('Administrators add and remove them.')
    expect(await mia.texts('main button:not([role="tab"])')).toEqual([])
    await admin.call('updateUserRole', { email: login, role: 'GUEST' })
    await mia.open('/settings/threats')
    await mia.sees('Your role reads results only.')
    await mia.sees('x-client-id')
    expect(await mia.texts('main button:not([role="tab"])')).toEqual([])
    expect([...(await mia.breaches()), ...mia.faults]).toEqual([])
    await mia.leave()
  })

  it('asks before it removes a suppression', async () => {
    const { ada } = deps()
    await ada.press('[aria-label="Suppressions"] tbody button')
    await ada.sees('Dropped events are not restored.')
    await ada.click('button', 'Remove the suppression')
    await ada.sees('Every event is stored')
  })
}
