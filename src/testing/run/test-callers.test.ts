import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import type { Exchange } from '../../http/index.ts'
import { ATTACKER_ROLE } from '../attempts/index.ts'
import { Callers } from '../callers/index.ts'
import type { RunMaterial } from './run-tools.ts'
import { SampleShelf } from './sample-shelf.ts'
import { listedObjectsOf, listRequestOf, signInOfCaller } from './test-callers.ts'

const LIST = { collectionId: 1, method: 'GET', url: '/payslips' }
const ONE = { collectionId: 1, method: 'GET', url: '/payslips/STRING' }
const TAGS = { collectionId: 1, method: 'GET', url: '/flags/STRING/tags' }

function tokenOf(name: string): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `Bearer ${part({ alg: 'HS256' })}.${part({ sub: name })}.c2lnbmF0dXJl`
}

function askedBy(name: string, target: string): Exchange {
  return rawSample(`GET ${target} HTTP/1.1\nhost: work.test\nauthorization: ${tokenOf(name)}\n\n`)
}

/** What a run knows, with otto as the attacker. */
function material(samples: SampleShelf): RunMaterial {
  const callers = new Callers(() => ['authorization'])
  for (const sample of samples.everyOf(1)) callers.learn(sample)
  const parameters = [{ where: 'HEADER' as const, key: 'authorization', value: tokenOf('otto') }]
  const credentials = { parametersOf: () => parameters, authHeaderNames: ['authorization'] }
  return { samples, callers, credentialsFor: () => credentials } as unknown as RunMaterial
}

test('the list of a role is its own recorded request, not that of the owner', () => {
  const samples = new SampleShelf()
  samples.put(LIST, askedBy('olga', '/payslips?of=olga'), askedBy('otto', '/payslips?of=otto'))
  expect(listRequestOf(material(samples), ATTACKER_ROLE, ONE)?.draft).toMatchObject({
    url: 'https://work.test/payslips',
    query: 'of=otto',
  })
})

test('the list of a role is not one that its query narrows to what is its own, where it was shown another', () => {
  const whole = askedBy('otto', '/payslips?limit=10')
  const narrow = askedBy('otto', '/payslips?of=otto')
  for (const [first, other] of [
    [whole, narrow],
    [narrow, whole],
  ] as const) {
    const samples = new SampleShelf()
    samples.put(LIST, first)
    samples.putReads(LIST, [other])
    expect(listRequestOf(material(samples), ATTACKER_ROLE, ONE)?.draft.query).toBe('limit=10')
    const part = askedBy('olga', '/payslips/7/lines')
    samples.put(ONE, askedBy('olga', '/payslips/7'))
    const lines = { ...ONE, url: '/payslips/STRING/lines' }
    const [listed] = listedObjectsOf(material(samples), ATTACKER_ROLE, lines, part)
    expect(listed?.list.query).toBe('limit=10')
  }
})

test('a list whose query names its user is nobody else’s', () => {
  const samples = new SampleShelf()
  samples.put(LIST, askedBy('olga', `/payslips?where=${encodeURIComponent('{"employee":"olga"}')}`))
  expect(listRequestOf(material(samples), ATTACKER_ROLE, ONE)).toBeNull()
  samples.put(LIST, askedBy('olga', '/payslips?limit=10'))
  expect(listRequestOf(material(samples), ATTACKER_ROLE, ONE)?.draft.query).toBe('limit=10')
})

test('a part of an object is judged by the object and the list above it that the role reads', () => {
  const [list, object] = ['/projects/default/flags', '/projects/default/flags/banner']
  const samples = new SampleShelf()
  const tags = askedBy('olga', '/flags/banner/tags')
  samples.put(TAGS, tags)
  samples.put({ ...TAGS, url: '/projects/default/flags/STRING' }, askedBy('olga', object))
  samples.put({ ...TAGS, url: list }, askedBy('olga', list))
  expect(listedObjectsOf(material(samples), ATTACKER_ROLE, TAGS, tags)).toEqual([])
  samples.put({ ...TAGS, url: list }, askedBy('olga', list), askedBy('otto', list))
  const [found] = listedObjectsOf(material(samples), ATTACKER_ROLE, TAGS, tags)
  expect([found?.object.url, found?.list.url]).toEqual([
    `https://work.test${object}`,
    `https://work.test${list}`,
  ])
})

test('a person is never a shared object, whatever lists of people show', () => {
  const samples = new SampleShelf()
  const slips = askedBy('olga', '/people/olga/payslips')
  samples.put({ ...ONE, url: '/people/STRING/payslips' }, slips)
  samples.put({ ...ONE, url: '/people/STRING' }, askedBy('olga', '/people/olga'))
  samples.put({ ...ONE, url: '/people' }, askedBy('olga', '/people'))
  const endpoint = { ...ONE, url: '/people/STRING/payslips' }
  expect(listedObjectsOf(material(samples), ATTACKER_ROLE, endpoint, slips)).toEqual([])
})

test('an object that is called alike below another one is not the object', () => {
  const lines = { ...ONE, url: '/tenants/INTEGER/invoices/INTEGER/lines' }
  const samples = new SampleShelf()
  const asked = askedBy('olga', '/tenants/7/invoices/1/lines')
  samples.put(lines, asked)
  samples.put({ ...ONE, url: '/tenants/INTEGER/invoices' }, askedBy('otto', '/tenants/9/invoices'))
  samples.put({ ...ONE, url: '/tenants/INTEGER/invoices/INTEGER' }, askedBy('otto', '/tenants/9/invoices/1'))
  expect(listedObjectsOf(material(samples), ATTACKER_ROLE, lines, asked)).toEqual([])
})

/** A sign-in as it was recorded, with what it gave out. */
function signedIn(path: string, sent: Record<string, string>, answer: object): Exchange {
  const exchange = rawSample(
    `POST ${path} HTTP/1.1\nhost: work.test\ncontent-type: application/json\n\n${JSON.stringify(sent)}`,
  )
  return { ...exchange, response: { ...exchange.response, body: JSON.stringify(answer) } }
}

/** What the sign-in of olga sends, where these were recorded. */
function signInOfOlga(...recorded: readonly Exchange[]): unknown {
  const samples = new SampleShelf()
  const own = askedBy('olga', '/payslips/7')
  samples.put(ONE, own)
  for (const [at, one] of recorded.entries())
    samples.put({ collectionId: 1, method: 'POST', url: `/sign-in-${at}` }, one)
  const signIn = signInOfCaller(material(samples), 1, own)
  return signIn === null ? null : JSON.parse(signIn.request.body)
}

const GIVEN = { token: 'a-long-opaque-token' }

test('the sign-in of a user is the recorded one, or that of another with the name of the user', () => {
  const olga = signedIn('/login', { username: 'olga', password: 'a1' }, GIVEN)
  const otto = signedIn('/login', { username: 'otto', password: 'b2' }, GIVEN)
  expect(signInOfOlga(olga)).toEqual({ username: 'olga', password: '' })
  expect(signInOfOlga(otto)).toEqual({ username: 'olga', password: '' })
})

test('a sign-up, a refused sign-in and one by an unknown address are not sign-ins of a user', () => {
  const short = signedIn('/login', { username: 'olga', password: 'a1' }, GIVEN)
  const signUp = signedIn('/register', { username: 'olga', password: 'a1', city: 'Oslo' }, GIVEN)
  expect(signInOfOlga(signUp, short)).toEqual({ username: 'olga', password: '' })
  expect(signInOfOlga(signedIn('/login', { username: 'olga', password: 'a1' }, {}))).toBeNull()
  expect(signInOfOlga(signedIn('/login', { email: 'otto@work.test', password: 'b2' }, GIVEN))).toBeNull()
})

test.each([
  [
    'a form',
    'POST /login HTTP/1.1\nhost: work.test\ncontent-type: application/x-www-form-urlencoded\n\nusername=otto&password=b2',
    'username=olga&password=',
  ],
  [
    'a query',
    'POST /login?username=otto&password=b2 HTTP/1.1\nhost: work.test\n\n',
    '/login?username=olga&password=',
  ],
  [
    'a number',
    'POST /login HTTP/1.1\nhost: work.test\ncontent-type: application/json\n\n{"username":"otto","pin":1234}',
    '{"username":"olga","pin":""}',
  ],
])('the sign-in of another user keeps no secret in %s', (_place, text, wanted) => {
  const samples = new SampleShelf()
  const own = askedBy('olga', '/payslips/7')
  samples.put(ONE, own)
  const recorded = rawSample(text)
  const response = { ...recorded.response, body: JSON.stringify(GIVEN) }
  samples.put({ collectionId: 1, method: 'POST', url: '/login' }, { ...recorded, response })
  const { target, body } = signInOfCaller(material(samples), 1, own)!.request
  expect(body === '' ? target.slice(target.indexOf('/login')) : body).toBe(wanted)
})
