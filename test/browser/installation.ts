import type { Browser } from 'puppeteer-core'
import { type TestServer, testPassword } from '../harness.ts'
import { Visitor } from './visitor.ts'

/** Address of the first user of every installation under test. */
export const email = 'ada@example.org'

/** Pages of every installation, empty or full. */
export const everyPage = [
  '/',
  '/crawls',
  '/crawls/new',
  '/runs',
  '/runs/new',
  '/runs/coverage',
  '/runs/access',
  '/issues/false-positives',
  '/issues?due=overdue',
  '/issues',
  '/library',
  '/library/suites',
  '/threats',
  '/threats/events',
  '/threats/filters',
  '/reports',
  '/settings/roles',
  '/settings/alerts',
  '/settings/threats',
  '/settings/audit',
  '/settings/status',
  '/settings/preferences',
  '/api-reference?operation=updateOrganisation',
  '/settings/organisation',
  '/start',
  '/start?way=paste',
  '/start?way=live',
  '/start?way=crawl',
  '/apis/sensitive',
  '/apis/changes',
  '/apis/data-types',
  '/apis?show=all',
  '/apis/all',
  '/apis/all?q=nothing-has-this-path',
  '/settings/keys',
  '/settings/team',
  '/threats/actors',
  '/threats/apis',
  '/threats/filters/new',
  '/library/new',
  '/library/BOLA_READ',
  '/no-such-page',
]

/** Pages of one thing, by addresses of what does not exist. */
export const detailPages = [
  '/apis/123456789',
  '/apis/123456789/endpoint?method=GET&url=%2Fv1%2Forders',
  '/start/imports/64b7f0a1c2d3e4f5a6b7c8d9',
  '/runs/64b7f0a1c2d3e4f5a6b7c8d9',
  '/results/64b7f0a1c2d3e4f5a6b7c8d9',
  '/crawls/64b7f0a1c2d3e4f5a6b7c8d9',
  '/issues/one?test=BOLA_READ&collection=123456789&method=GET&url=%2Fv1%2Forders',
  '/library/NO_SUCH_TEST',
  '/threats/filters/NoSuchFilter',
  '/threats/actors/one?actor=203.0.113.66',
]

/** Pages of an installation with the recording: its collection, one endpoint with all its parts, the report. */
export async function filledPages(server: TestServer): Promise<string[]> {
  const { endpoints } = await server.client.call('searchEndpoints', { search: 'basket' })
  const { apiCollectionId, method, url } = endpoints[0]!.id
  const page = `/apis/${apiCollectionId}/endpoint?method=${method}&url=${encodeURIComponent(url)}`
  const { uploadId } = await reportOf(server)
  return [
    `/apis/${apiCollectionId}`,
    page,
    `${page}&tab=samples`,
    `${page}&tab=authentication`,
    `${page}&tab=tests`,
    `${page}&tab=attacks`,
    `${page}&tab=changes`,
    `${page}&tab=template`,
    `/start/imports/${uploadId}`,
  ]
}

/** The last import. */
export async function reportOf(server: TestServer) {
  const { imports } = await server.client.call('fetchImports', {})
  return imports[0]!
}

/** Signs a person in through the page; the first user unless another login is given. */
export async function signIn(visitor: Visitor, login = email, password = testPassword): Promise<void> {
  await visitor.open('/')
  await visitor.heading('Sign in')
  await visitor.fill('E-mail', login)
  await visitor.fill('Password', password)
  await visitor.click('button', 'Sign in')
  await visitor.page.waitForSelector('nav[aria-label="Pages"]')
}

/** A visitor who is signed in; as the first user unless another login is given. */
export async function signedIn(browser: Browser, server: TestServer, login = email): Promise<Visitor> {
  const visitor = await Visitor.arrive(browser, server.baseUrl)
  await signIn(visitor, login)
  return visitor
}
