import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import { exchangeOf } from '../../../test/test-results.ts'
import { ATTACKER_ROLE, type EndpointKey, type Sessions, type TestRoleView } from '../../testing/index.ts'
import { namesIn, RunCredentials } from './run-credentials.ts'

const ENDPOINT: EndpointKey = { collectionId: 1, method: 'GET', url: '/x' }

function entry(value: string, conditions: { headerPairs?: Record<string, string>; urlRegex?: string } = {}) {
  return {
    headerPairs: conditions.headerPairs ?? {},
    urlRegex: conditions.urlRegex ?? null,
    mechanism: { type: 'HardCoded', parameters: [{ where: 'header', key: 'authorization', value }] },
  }
}

function role(name: string, credentials: unknown[], contains: string | null = null): TestRoleView {
  const orConditions =
    contains === null ? null : { operator: 'OR', predicates: [{ type: 'CONTAINS', value: contains }] }
  return { name, credentials, andConditions: null, orConditions } as unknown as TestRoleView
}

const MEMBER = role('MEMBER', [
  entry('by-default'),
  entry('by-header', { headerPairs: { 'x-tenant': 'two' } }),
  entry('by-url', { urlRegex: 'https://shop\\.test/v2/.*' }),
  entry('by-path', { urlRegex: '/v3/orders' }),
])

function valueFor(request: string): string | undefined {
  const sample = rawSample(`${request}\n\n`)
  return new RunCredentials([MEMBER]).sourceFor(ENDPOINT, sample).parametersOf('MEMBER')?.[0]?.value
}

test('the entry whose conditions fit the request wins, else the one without', () => {
  expect(valueFor('GET https://shop.test/v1/orders HTTP/1.1\nhost: shop.test')).toBe('by-default')
  expect(valueFor('GET https://shop.test/v1/orders HTTP/1.1\nX-Tenant: two')).toBe('by-header')
  expect(valueFor('GET https://shop.test/v1/orders HTTP/1.1\nx-tenant: three')).toBe('by-default')
  expect(valueFor('GET https://shop.test/v2/orders?a=1 HTTP/1.1\nhost: shop.test')).toBe('by-url')
  expect(valueFor('GET https://shop.test/v3/orders?a=1 HTTP/1.1\nhost: shop.test')).toBe('by-path')
  expect(valueFor('GET https://shop.test/v3/orders/7 HTTP/1.1\nhost: shop.test')).toBe('by-default')
})

test('a role without an entry for the request needs configuration', async () => {
  const credentials = new RunCredentials([role('MEMBER', [entry('x', { urlRegex: '/none' })])])
  const sample = rawSample('GET https://shop.test/a HTTP/1.1\nhost: shop.test\n\n')
  expect(credentials.sourceFor(ENDPOINT, sample).parametersOf('MEMBER')).toBeNull()
  expect(await credentials.ready('MEMBER', ENDPOINT, sample)).toMatchObject({ kind: 'needs configuration' })
})

test('the role under test replaces credentials only at its own endpoints', () => {
  const roleUnderTest = role('SUPPORT', [entry('s')], '/tickets/')
  const credentials = new RunCredentials([roleUnderTest], { roleUnderTest })
  expect(credentials.roleUnderTest({ ...ENDPOINT, url: '/tickets/7' })).toBe('SUPPORT')
  expect(credentials.roleUnderTest(ENDPOINT)).toBeNull()
})

test('product-specific session headers are credentials, form tokens are not', () => {
  const { request, ...rest } = exchangeOf('https://shop.test/notes')
  const headers = ['X-Parse-Session-Token', 'r:a', 'X-Parse-Application-Id', 'shop', 'X-CSRF-Auth-Token', 'c']
  expect(namesIn({ ...rest, request: { ...request, headers } })).toEqual(['x-parse-session-token'])
})

test('a header that is named as a key or a token says who asks where nothing else does', () => {
  const { request, ...rest } = exchangeOf('https://shop.test/notes')
  const namesOf = (...headers: string[]): string[] => namesIn({ ...rest, request: { ...request, headers } })
  expect(namesOf('X-API-Token', 'vfuzd2nvaweojqolm4kq', 'X-Version', '3')).toEqual(['x-api-token'])
  expect(namesOf('Private-Token', 'glpat-1')).toEqual(['private-token'])
  expect(namesOf('Ocp-Apim-Subscription-Key', '3a9f0c')).toEqual(['ocp-apim-subscription-key'])
  // Beside a user's own credential it is the key of the application.
  expect(namesOf('Ocp-Apim-Subscription-Key', '3a9f0c', 'Authorization', 'Bearer a')).toEqual([
    'authorization',
  ])
  expect(namesOf('X-CSRF-Token', 'c', 'X-Api-Token', 'null')).toEqual([])
  // A cookie that protects forms says nothing of the caller.
  expect(namesOf('X-API-Token', 'vfuzd2nvaweojqolm4kq', 'Cookie', 'csrftoken=c')).toEqual(['x-api-token'])
})

test('a cookie that remembers a sign-in is a credential', () => {
  const { request, ...rest } = exchangeOf('https://shop.test/notes')
  // What it only says how to sign in is the same for many people.
  const cookie = 'theme=dark; login_type=password; remember_me=1; remember_web=a1b2c3d4e5f6a7b8; XSRF-TOKEN=c'
  const headers = ['Cookie', cookie]
  expect(namesIn({ ...rest, request: { ...request, headers } })).toEqual(['remember_web'])
})

test('a key that every user of an application sends is none of a person', () => {
  const roleOf = (name: string, keys: Record<string, string>): TestRoleView => {
    const parameters = Object.entries(keys).map(([key, value]) => ({ where: 'HEADER', key, value }))
    const mechanism = { type: 'HardCoded', parameters }
    return role(name, [{ headerPairs: {}, urlRegex: null, mechanism }])
  }
  const application = { 'x-parse-application-id': 'shop' }
  const attacker = roleOf(ATTACKER_ROLE, { ...application, 'x-parse-session-token': 'r:otto' })
  const administrator = roleOf('ADMIN', { ...application, 'x-parse-master-key': 'm' })
  const namesFor = (headers: string, ...others: TestRoleView[]): readonly string[] =>
    new RunCredentials([attacker, ...others]).sourceFor(
      ENDPOINT,
      rawSample(`GET /notes HTTP/1.1\n${headers}\n\n`),
    ).authHeaderNames
  const olga = 'x-parse-application-id: shop\nx-parse-session-token: r:olga'
  expect(namesFor(olga)).toEqual(['x-parse-session-token'])
  // Alone it is all that the caller has to show.
  expect(namesFor('x-parse-application-id: shop')).toEqual(['x-parse-application-id'])
  expect(namesFor('x-parse-application-id: other\nx-parse-session-token: r:olga')).toContain(
    'x-parse-application-id',
  )
  // The attacker's own request tells nothing; another role does.
  const own = 'x-parse-application-id: shop\nx-parse-session-token: r:otto'
  expect(namesFor(own, administrator)).toEqual(['x-parse-session-token'])
  expect(namesFor(own)).toContain('x-parse-application-id')
})

test('a request is of the role whose session it carries, not of one with the same key of the application', async () => {
  const key = { where: 'HEADER', key: 'X-App', value: 'app-1' }
  const signsIn = (name: string) =>
    role(name, [
      { headerPairs: {}, urlRegex: null, mechanism: { id: name, type: 'LOGIN_REQUEST', parameters: [] } },
    ])
  const sessions = {
    current: ({ id }: { id: string }) => ({
      parameters: [key, { where: 'HEADER', key: 'Authorization', value: `Bearer token-of-${id}` }],
      expiresAt: 2 ** 31,
      beganMs: 0,
      isRenewable: true,
    }),
  } as unknown as Sessions
  const credentials = new RunCredentials([signsIn('ATTACKER'), signsIn('MEMBER')], { sessions })
  const app = { name: 'x-app', value: 'app-1' }
  const carrying = (value: string) => ({ headers: [app, { name: 'authorization', value }] })
  expect(credentials.roleOf(carrying('Bearer token-of-MEMBER'))).toBe('MEMBER')
  expect(credentials.roleOf(carrying('Bearer token-of-the-recorded-owner'))).toBeNull()
  expect(credentials.roleOf({ headers: [app] })).toBeNull()
})
