import { afterAll, beforeAll, expect, test } from 'vitest'
import { addCollection, addEndpoint } from '../../../test/recorded-endpoints.ts'
import { openTestStore } from '../../../test/store-fixture.ts'
import { type Exchange, parseSampleMessage } from '../../http/index.ts'
import { compilePattern, MessageView, type Pattern } from '../../rules/index.ts'
import type { Store } from '../../store/index.ts'
import { Callers } from '../../testing/index.ts'
import { loadLookups } from './inventory-lookups.ts'
import { RolePeople } from './role-people.ts'
import { namesIn } from './run-credentials.ts'

let store: Store
let close: () => Promise<void>
let lookups: Awaited<ReturnType<typeof loadLookups>>

const ann = { host: 'shop.example', authorization: 'Bearer ann' }
const bob = { host: 'shop.example', cookie: 'lang=en; session=bob' }
const [eve, dan] = ['eve', 'dan'].map((sub) => {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const authorization = `Bearer ${part({ alg: 'HS256' })}.${part({ sub })}.c2lnbmF0dXJl`
  return { host: 'shop.example', authorization }
}) as [typeof ann, typeof ann]
const ORDER = '/users/INTEGER/orders/STRING'

beforeAll(async () => {
  ;({ store, close } = await openTestStore())
  await addCollection(store, 1, 'Shop', 'shop.example')
  await addCollection(store, 2, 'Manual')
  await addCollection(store, 3, 'Elsewhere', 'else.example')
  await store.pool.query(
    `INSERT INTO collections (id, name, kind, created_at) VALUES (4, 'Orders', 'GROUP', 1)`,
  )
  const order = await addEndpoint(
    store,
    { collectionId: 1, url: ORDER, isTemplate: true, accessTypes: ['PUBLIC', 'PARTNER'] },
    [
      { path: '/users/1/orders/o-1?ref=r1&lang=en', headers: ann },
      { path: '/users/2/orders/o-1?ref=r2&lang=en', headers: bob },
    ],
  )
  await addEndpoint(store, { collectionId: 1, url: '/users/me' })
  await addEndpoint(store, { collectionId: 1, method: 'POST', url: '/pay' }, [
    { path: '/pay', headers: ann, request: { amount: 5, accountId: 'a-1', note: { text: 'hi' } } },
    { path: '/pay', headers: ann, request: { amount: 5, accountId: 'a-9', note: { text: 'hi' } } },
    { path: '/pay', headers: bob, request: { amount: 5, accountId: 'b-1', note: { text: 'yo' } } },
  ])
  await addEndpoint(store, { collectionId: 1, url: '/api/training-plans/INTEGER', isTemplate: true }, [
    { path: '/api/training-plans/41', headers: eve },
    { path: '/api/training-plans/42', headers: dan },
  ])
  await addEndpoint(store, { collectionId: 1, method: 'POST', url: '/days' }, [
    { path: '/days', headers: eve, request: { plan: 41, order: 61, port: 51 } },
    { path: '/days', headers: dan, request: { plan: 42, order: 62, port: 52 } },
  ])
  for (const [url, first] of [
    ['/reports', 51],
    ['/work-orders', 61],
  ] as const)
    await addEndpoint(store, { collectionId: 1, url: `${url}/INTEGER`, isTemplate: true }, [
      { path: `${url}/${first}`, headers: eve },
      { path: `${url}/${first + 1}`, headers: dan },
    ])
  await addEndpoint(store, { collectionId: 1, url: '/diary' }, [
    { path: '/diary?plan=41', headers: eve },
    { path: '/diary?plan=42', headers: dan },
  ])
  await addEndpoint(store, { collectionId: 1, method: 'POST', url: '/weeks' }, [
    { path: '/weeks', headers: eve, request: { plan: 41 } },
    { path: '/weeks', headers: dan, request: { plan: 12 } },
  ])
  await addEndpoint(store, { collectionId: 1, url: '/note' }, [
    { path: '/note?username=eve&color=red', headers: eve },
    { path: '/note?username=dan&color=blue', headers: dan },
  ])
  await addEndpoint(store, { collectionId: 1, method: 'PUT', url: '/profile' }, [
    { path: '/profile', headers: eve, request: { username: 'eve', city: 'Oslo' } },
    { path: '/profile', headers: dan, request: { username: 'dan', city: 'Rome' } },
  ])
  await addEndpoint(store, { collectionId: 1, url: '/odata/Orders()/Lines()' }, [
    { path: "/odata/Orders(1)/Lines(Row=1,Kind='A')", headers: ann },
    { path: "/odata/Orders(2)/Lines(Row=1,Kind='B')", headers: bob },
  ])
  await addEndpoint(store, { collectionId: 1, method: 'POST', url: '/jobs/STRING:stop', isTemplate: true }, [
    { path: '/jobs/a:stop', headers: ann, request: {} },
    { path: '/jobs/b:stop', headers: bob, request: {} },
  ])
  const profiles = (names: readonly string[], headers: Record<string, string>) =>
    names.map((name) => ({ path: `/profiles/${name}`, headers }))
  await addEndpoint(store, { collectionId: 1, url: '/profiles/STRING', isTemplate: true }, [
    ...profiles(['eve', 'writer', 'singer', 'cook'], eve),
    ...profiles(['dan', 'writer', 'singer', 'cook'], dan),
  ])
  await addEndpoint(store, { collectionId: 1, url: '/wallets/STRING', isTemplate: true }, [
    ...['eve', 'shared'].map((name) => ({ path: `/wallets/${name}`, headers: eve })),
    ...['dan', 'shared'].map((name) => ({ path: `/wallets/${name}`, headers: dan })),
  ])
  await addEndpoint(store, {
    collectionId: 2,
    url: 'http://api.example/v1/STRING',
    isTemplate: true,
    origin: 'http://api.example',
  })
  await store.pool.query(
    'INSERT INTO group_members (group_id, endpoint_id, is_by_condition) VALUES (4, $1, true)',
    [order],
  )
  await store.pool.query(
    `INSERT INTO access_matrix (collection_id, method, url, role_name, updated_at)
     VALUES (1, 'GET', '/users/me', 'MEMBER', 1), (1, 'GET', '/users/me', 'ADMIN', 1)`,
  )
  await store.pool.query(
    `INSERT INTO endpoint_facts (endpoint_id, kind, name, first_seen, last_seen, detail)
     VALUES ($1, 'RESPONSE_BODY', 'items#$#invoiceId', 1, 1, '{"examples": ["i-7", "i-8"]}'),
       ($1, 'REQUEST_HEADER', 'tenantId', 1, 1, '{"examples": ["t-1"]}')`,
    [order],
  )
  await store.pool.query(
    `INSERT INTO custom_data_types (name, definition, updated_by, updated_at) VALUES ('TICKET', $1, 'x', 1)`,
    [
      JSON.stringify({
        isActive: true,
        severity: 'LOW',
        categories: [],
        isAlwaysSensitive: false,
        positions: [],
        isRedacted: false,
        operator: 'AND',
        keyConditions: null,
        valueConditions: {
          operator: 'AND',
          predicates: [{ operator: 'STARTS_WITH', value: 'TCK-' }],
        },
        description: null,
      }),
    ],
  )
  const callers = new Callers(namesIn)
  lookups = await loadLookups(
    store,
    [1, 2],
    {
      register: () => ({ id: 'x', url: 'http://x' }),
      hits: (id) => (id === 'called' ? 2 : 0),
    },
    callers,
    new RolePeople(callers),
  )
})

afterAll(() => close())

function view(path: string, headers: Record<string, string>, request?: unknown, response: unknown = {}) {
  const exchange: Exchange = parseSampleMessage(
    JSON.stringify({
      method: request === undefined ? 'GET' : 'POST',
      path: `https://shop.example${path}`,
      requestHeaders: headers,
      requestPayload: request === undefined ? '' : JSON.stringify(request),
      statusCode: '200',
      responseHeaders: { 'content-type': 'application/json' },
      responsePayload: JSON.stringify(response),
    }),
  )
  return new MessageView(exchange)
}

const order = { collectionId: 1, method: 'GET', url: ORDER }
const pay = { collectionId: 1, method: 'POST', url: '/pay' }
const pattern = (text: string): Pattern => compilePattern(text) as Pattern

test.each([
  [1, 'GET', 'https://shop.example/users/5/orders/x-17', true],
  [1, 'GET', 'https://staging.example/users/5/orders/x-17', true],
  [1, 'GET', '/users/me', true],
  [1, 'GET', "https://shop.example/odata/Orders(7)/Lines(Row=2,Kind='C')", true],
  [1, 'GET', 'https://shop.example/odata/Orders/Lines', false],
  [1, 'POST', 'https://shop.example/jobs/c:stop', true],
  [1, 'POST', 'https://shop.example/jobs/c:start', false],
  [1, 'GET', 'https://shop.example/users/word/orders/x', false],
  [1, 'DELETE', 'https://shop.example/users/5/orders/x-17', false],
  [1, 'GET', 'https://shop.example/users/5', false],
  [2, 'GET', 'http://api.example/v1/thing', true],
  [3, 'GET', 'https://else.example/', false],
])('collection %i knows %s %s: %s', (collectionId, method, url, isKnown) => {
  expect(lookups.isKnownEndpoint(collectionId, method, url)).toBe(isKnown)
})

test('roles come from the access matrix, access types in lower case', () => {
  expect(lookups.rolesOf({ collectionId: 1, method: 'GET', url: '/users/me' })).toEqual(['ADMIN', 'MEMBER'])
  expect(lookups.rolesOf(order)).toEqual([])
  expect(lookups.accessTypesOf(order)).toEqual(['public', 'partner'])
})

test('private are the values that no sample of another caller carries', () => {
  const records = lookups.privateValuesOf(order, view('/users/1/orders/o-1?ref=r1&lang=en', ann))
  expect(records).toEqual([
    { key: '1', value: '1' },
    { key: 'ref', value: 'r2' },
  ])
})

test('values of bodies come with one of another caller, and free text is not an object id', () => {
  const sample = view('/pay', ann, { note: { text: 'hi' }, amount: 5, accountId: 'a-9' })
  expect(lookups.privateValuesOf(pay, sample)).toEqual([{ key: 'accountId', value: 'b-1' }])
})

test('a field that is called like a resource names an object where each caller sends other numbers', () => {
  const days = { collectionId: 1, method: 'POST', url: '/days' }
  const privateIn = (body: object) => lookups.privateValuesOf(days, view('/days', eve, body))
  expect(privateIn({ plan: 41, title: 53 })).toEqual([{ key: 'plan', value: '42' }])
  expect(privateIn({ plan: 7, title: 41 })).toEqual([])
})

test('a number is not an object for being that of one, where its field only ends so or callers send any number', () => {
  const days = { collectionId: 1, method: 'POST', url: '/days' }
  expect(lookups.privateValuesOf(days, view('/days', eve, { port: 51, order: 61 }))).toEqual([])
  const diary = { collectionId: 1, method: 'GET', url: '/diary' }
  expect(lookups.privateValuesOf(diary, view('/diary?plan=41', eve))).toEqual([])
  const weeks = { collectionId: 1, method: 'POST', url: '/weeks' }
  expect(lookups.privateValuesOf(weeks, view('/weeks', eve, { plan: 41 }))).toEqual([])
})

test('the name of the caller names an object, plain word or not', () => {
  const profile = { collectionId: 1, method: 'PUT', url: '/profile' }
  const sample = view('/profile', eve, { username: 'eve', city: 'Oslo' })
  expect(lookups.privateValuesOf(profile, sample)).toEqual([{ key: 'username', value: 'dan' }])
})

test('the name of the caller in a query names an object, and not what a list is filtered by', () => {
  const note = { collectionId: 1, method: 'GET', url: '/note' }
  const path = '/note?username=eve&color=red'
  expect(lookups.privateValuesOf(note, view(path, eve, undefined, { note: 'mine' }))).toEqual([
    { key: 'username', value: 'dan' },
  ])
  expect(lookups.privateValuesOf(note, view(path, eve, undefined, { notes: [{ note: 'mine' }] }))).toEqual([])
})

test('keys in parentheses, and the text before a custom verb, are values of the path', () => {
  const url = '/odata/Orders()/Lines()'
  const sample = view("/odata/Orders(1)/Lines(Row=1,Kind='A')", ann)
  expect(lookups.privateValuesOf({ collectionId: 1, method: 'GET', url }, sample)).toEqual([
    { key: 'key', value: '1' },
    { key: 'Kind', value: 'A' },
  ])
  const stop = { collectionId: 1, method: 'POST', url: '/jobs/STRING:stop' }
  expect(lookups.privateValuesOf(stop, view('/jobs/a:stop', ann, {}))).toEqual([{ key: '1', value: 'a' }])
})

test('an entry of a directory that several users read is not private, though only one asked for it', () => {
  const privateAt = (url: string, path: string) =>
    lookups.privateValuesOf({ collectionId: 1, method: 'GET', url }, view(path, eve))
  expect(privateAt('/profiles/STRING', '/profiles/eve')).toEqual([])
  expect(privateAt('/wallets/STRING', '/wallets/eve')).toHaveLength(1)
})

test('a list that names other users as well does not belong to the one who read it', () => {
  const members = { collectionId: 1, method: 'GET', url: '/users/me' }
  const ownershipOf = (answer: unknown) =>
    lookups.ownershipOf(members, view('/users/me', eve, undefined, answer))
  expect(ownershipOf({ members: [{ user: { name: 'dan' } }, { user: { name: 'eve' } }] })).toBe('')
  const made = { house: { by: 'eve' } }
  const people = [
    { name: 'dan', ...made },
    { name: 'eve', ...made },
  ]
  expect(ownershipOf(people)).toBe('')
  expect(ownershipOf({ orders: [{ buyer: 'eve', seller: 'dan' }] })).toBe('The answer names its owner.')
  expect(ownershipOf({ orders: [{ buyer: 'eve' }, { buyer: 'eve' }] })).toBe('The answer names its owner.')
  expect(ownershipOf({ name: 'eve', friends: [{ name: 'dan' }] })).toBe('The answer names its owner.')
})

test('what nobody else was seen with counts as private, and at most five values are given', () => {
  const sample = view('/pay', ann, { aId: 1, bId: 2, cId: 3, dId: 4, eId: 5, fId: 6 })
  expect(lookups.privateValuesOf(pay, sample).map(({ key }) => key)).toEqual([
    'aId',
    'bId',
    'cId',
    'dId',
    'eId',
  ])
})

test('endpoints that the inventory does not have hold nothing private', () => {
  expect(lookups.privateValuesOf({ ...order, url: '/gone' }, view('/gone?id=1', ann))).toEqual([])
})

test('another value of the collection is one that the sample shows nowhere', () => {
  expect(
    lookups.otherValueOf(1, pattern('(?i)^accountid$'), view('/pay', ann, { accountId: 'a-9' })),
  ).toEqual({
    key: 'accountId',
    value: 'b-1',
  })
  const shown = view('/x', ann, {}, { note: 'about I-7' })
  expect(lookups.otherValueOf(1, pattern('^invoiceId$'), shown)).toEqual({ key: 'invoiceId', value: 'i-8' })
  const longer = view('/x?n=i-77', ann)
  expect(lookups.otherValueOf(1, pattern('^invoiceId$'), longer)?.value).toBe('i-7')
  expect(lookups.otherValueOf(1, pattern('^tenantId$'), shown)).toBeNull()
  expect(lookups.otherValueOf(2, pattern('.*'), shown)).toBeNull()
})

test.each([
  ['EMAIL', 'contact', 'ann@shop.example', true],
  ['CREDIT_CARD', 'card', '4111111111111111', true],
  ['CREDIT_CARD', 'card', 4111111111111111, true],
  ['CREDIT_CARD', 'card', '4111111111111112', false],
  ['ticket', 'ref', 'TCK-17', true],
  ['TICKET', 'ref', 'X-17', false],
  ['EMAIL', 'contact', null, false],
  ['NO_SUCH_TYPE', 'contact', 'ann@shop.example', false],
])('%s at %s of %s: %s', (name, key, value, matches) => {
  expect(lookups.matchesDataType(name, key, value)).toBe(matches)
})

test('callbacks are those of the listener', () => {
  expect(lookups.callbackHits('called')).toBe(2)
  expect(lookups.callbackHits('other')).toBe(0)
})

test('a URL is in the collection of its host, in those with its endpoint and in their groups', () => {
  expect(lookups.collectionsOf('https://shop.example/users/5/orders/x-17')).toEqual([
    'Shop',
    'shop.example',
    'Orders',
  ])
  expect(lookups.collectionsOf('https://else.example/unknown')).toEqual(['Elsewhere', 'else.example'])
})

test('labels of collections', () => {
  expect(lookups.collectionTags(1)).toEqual(['team', 'agents', 'team=agents'])
  expect(lookups.collectionTags(99)).toEqual([])
})

test('fields that only the requests of a run have shown are known as well', () => {
  const flag = compilePattern('^admin$') as Pattern
  const endpoint = { collectionId: 1, method: 'GET', url: '/users/me' }
  expect(lookups.fieldsOf(endpoint, flag)).toEqual([])
  const answer = parseSampleMessage(
    JSON.stringify({
      method: 'GET',
      path: '/users/me',
      requestHeaders: '{"host":"shop.example"}',
      responseHeaders: '{"content-type":"application/json"}',
      statusCode: '200',
      responsePayload: '{"user":{"name":"ann","admin":false}}',
    }),
  )
  lookups.learn(endpoint, answer)
  expect(lookups.fieldsOf(endpoint, flag)).toMatchObject([
    { name: 'admin', values: ['false'], isShown: true, isSent: false },
  ])
  const register = { collectionId: 1, method: 'POST', url: '/pay' }
  expect(lookups.fieldsOf(register, flag)).toMatchObject([{ name: 'admin', isShown: false }])
})
