import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../harness.ts'
import { startProvider, type TestProvider, testClientId } from '../oidc-provider.ts'
import { freePort } from '../server-process.ts'
import { inBrowser } from './in-browser.ts'
import { Visitor } from './visitor.ts'

const ada = {
  sub: 'ada-1',
  email: 'ada@example.org',
  email_verified: true,
  name: 'Ada Lovelace',
  groups: ['security'],
}

inBrowser('sign-in with the provider of the company', (browser) => {
  let server: TestServer
  let provider: TestProvider
  let visitor: Visitor

  beforeAll(async () => {
    const port = await freePort()
    provider = await startProvider(`http://127.0.0.1:${port}/auth/oidc/callback`, { ...ada, groups: [] })
    server = await startTestServer({
      port: String(port),
      'oidc-issuer': provider.issuer,
      'oidc-client-id': testClientId,
      'oidc-client-secret': provider.clientSecret,
      'oidc-name': 'Example account',
      'oidc-roles': 'security=ADMIN',
    })
    visitor = await Visitor.arrive(browser(), server.baseUrl)
  })

  afterAll(async () => {
    expect(visitor.faults).toEqual([])
    await visitor.leave()
    await server.close()
    await provider.close()
  })

  it('says what to do when the provider gives no role', async () => {
    await visitor.open('/apis/all')
    await visitor.heading('Create the first account')
    await visitor.click('link', 'Sign in with Example account')
    await visitor.sees('Ask an administrator for an invitation or a group with access.')
    expect(await visitor.breaches()).toEqual([])
  })

  it('opens the page that was asked for after the sign-in', async () => {
    provider.identity = ada
    await visitor.open('/apis/all')
    await visitor.click('link', 'Sign in with Example account')
    await visitor.heading('All endpoints')
    expect(new URL(visitor.page.url()).pathname).toBe('/apis/all')
  })

  it('offers both ways to sign in once there are accounts', async () => {
    const other = await Visitor.arrive(browser(), server.baseUrl)
    await other.open('/')
    await other.heading('Sign in')
    await other.sees('or with a password')
    expect(await other.breaches()).toEqual([])
    await other.leave()
  })
})
