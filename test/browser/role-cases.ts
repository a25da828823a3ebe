import { expect, it } from 'vitest'
import type { TestServer } from '../harness.ts'
import type { Visitor } from './visitor.ts'

/** What the cases run against: a visitor on the page of roles, of an installation that saw traffic of a host. */
export interface RoleDeps {
  readonly ada: Visitor
  readonly server: TestServer
  readonly host: string
}

/** For cases that look at a dialog with axe several times. */
const timeout = 120_000

/** Which endpoints a role may call, as a person sets it; leaves the role SUPPORT, which may call all. */
export function roleCases(deps: () => RoleDeps): void {
  const endpointsOf = async (server: TestServer) => {
    const { testRoles } = await server.client.call('fetchTestRoles', {})
    return testRoles!.find(({ name }) => name === 'SUPPORT')!.endpointLogicalGroup.testingEndpoints
  }

  it('makes a role with its condition', async () => {
    const { ada, server } = deps()
    await ada.click('button', 'New role')
    await ada.fill('Name', 'SUPPORT')
    await ada.press('section[aria-label="All of these hold"] button')
    await ada.sees('A condition has nothing to compare with yet.')
    await ada.fill('Text of condition 1', '/api')
    await ada.click('button', 'Create role')
    await ada.sees('May call an endpoint if its URL starts with “/api”')
    expect(await endpointsOf(server)).toMatchObject({
      andConditions: { operator: 'AND', predicates: [{ type: 'STARTS_WITH', value: '/api' }] },
      orConditions: null,
    })
  })

  it('changes the conditions of a role, refuses a bad pattern, and takes them away', async () => {
    const { ada, server, host } = deps()
    await ada.click('button', 'Change the endpoints of SUPPORT')
    await ada.click('button', 'Remove condition 1')
    await ada.press('section[aria-label="One of these holds"] button')
    await ada.click('combobox', 'Condition 1')
    await ada.click('option', 'its URL matches the pattern')
    await ada.fill('Text of condition 1', '^/(')
    await ada.click('button', 'Save the conditions')
    await ada.sees('Invalid pattern in the conditions of the role')
    await ada.fill('Text of condition 1', '^/orders')
    await ada.click('button', 'Another condition')
    await ada.click('combobox', 'Condition 2')
    await ada.click('option', 'it is one of')
    await ada.click('combobox', 'Endpoints in')
    await ada.click('option', host)
    await ada.click('button', 'Choose single endpoints')
    await ada.press('[role="dialog"] input[type="checkbox"]')
    await ada.page.waitForSelector('[role="dialog"] [aria-label="Chosen endpoints"] li')
    expect(await ada.breaches()).toEqual([])
    await ada.click('button', 'Save the conditions')
    await ada.sees('May call an endpoint if one of these holds')
    expect(await endpointsOf(server)).toMatchObject({
      andConditions: null,
      orConditions: { operator: 'OR', predicates: [{ value: '^/orders' }, { type: 'BELONGS_TO' }] },
    })
    await ada.click('button', 'Change the endpoints of SUPPORT')
    await ada.click('button', 'Remove condition 2')
    await ada.click('button', 'Remove condition 1')
    await ada.click('button', 'Save the conditions')
    await ada.sees('Its endpoints are not declared')
    expect(await endpointsOf(server)).toMatchObject({ andConditions: null, orConditions: null })
  })

  it('shares a role with people of a collection, and says so', async () => {
    const { ada, server, host } = deps()
    await ada.click('button', 'Share SUPPORT')
    await ada.click('combobox', 'Shared with people of these collections')
    await ada.click('option', host)
    await ada.page.keyboard.press('Tab')
    expect(await ada.breaches()).toEqual([])
    await ada.click('button', 'Save sharing')
    await ada.sees(`Shared with people of ${host}`)
    const { testRoles } = await server.client.call('fetchTestRoles', {})
    expect(testRoles!.find(({ name }) => name === 'SUPPORT')!.apiCollectionIds).toHaveLength(1)
  })

  it('leads to a login that was tried: steps, session, and what it reaches', { timeout }, async () => {
    const { ada, server, host } = deps()
    const password = 'bob-Passw0rd'
    await ada.click('button', 'Set up a login of SUPPORT')
    await ada.press('::-p-aria([name="An API call"][role="radio"])')
    await ada.click('button', 'Next')
    await ada.fill('Login URL', `http://${host}/api/v2/login`)
    await ada.fill('User', 'bob@market.example')
    await ada.fill('User field', 'email')
    await ada.page.locator('[role="dialog"] input[type="password"]').fill('mistyped-1')
    expect(await ada.breaches()).toEqual([])
    await ada.click('button', 'Store and continue')
    await ada.click('button', 'Try it')
    await ada.sees('Not signed in')
    await ada.sees('was answered with 401')
    await ada.click('button', 'Back')
    await ada.page.locator('[role="dialog"] input[type="password"]').fill(password)
    await ada.fill('Only where the URL matches', '/api/')
    await ada.click('button', 'Store and continue')
    await ada.click('combobox', 'Show what it reaches in')
    await ada.click('option', host)
    await ada.click('button', 'Try it')
    await ada.page.waitForSelector('[aria-label="What the session reaches"] tbody tr')
    await ada.page.waitForSelector('section[aria-label="Steps of the login"] li')
    await ada.sees('Signed in')
    await ada.sees('header Authorization: Bear***')
    expect(await ada.text()).not.toContain(password)
    expect(await ada.breaches()).toEqual([])
    await ada.click('button', 'Done')
    await ada.page.waitForSelector('[aria-label="Credentials of SUPPORT"] tbody tr')
    const { testRoles } = await server.client.call('fetchTestRoles', {})
    const stored = testRoles!.find(({ name }) => name === 'SUPPORT')!.authWithCondList
    expect(stored, 'the second try replaced the first').toHaveLength(1)
    expect(stored[0]!.authMechanism.authParams).toMatchObject([
      { key: 'Authorization', value: 'Bearer ${x1.response.body.token}' },
    ])
    await server.client.call('deleteAuthFromRole', { roleName: 'SUPPORT', index: 0 })
  })
}
