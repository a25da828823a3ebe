import { afterAll, beforeAll, expect, test } from 'vitest'
import { addCollection, addEndpoint, type RecordedMessage } from '../../../test/recorded-endpoints.ts'
import { openTestStore } from '../../../test/store-fixture.ts'
import type { Store } from '../../store/index.ts'
import { loadSamples } from './sample-shelf.ts'

let store: Store
let close: () => Promise<void>

beforeAll(async () => {
  ;({ store, close } = await openTestStore())
  await addCollection(store, 1, 'shop.example', 'shop.example')
  await addCollection(store, 2, 'manual')
})

afterAll(() => close())

const signedIn = { host: 'shop.example', authorization: 'Bearer a' }
let count = 0

async function chosenOf(
  samples: RecordedMessage[],
  collectionId = 1,
  origin = '',
): Promise<string | undefined> {
  const url = `${origin}/e${++count}`
  await addEndpoint(store, { collectionId, url, origin }, samples)
  const shelf = await loadSamples(store, [{ collectionId, method: 'GET', url }])
  return shelf.of({ collectionId, method: 'GET', url })?.request.target
}

test('the newest successful sample with a credential is chosen', async () => {
  const samples = [
    { path: '/old', headers: signedIn },
    { path: '/new', headers: signedIn },
    { path: '/anonymous' },
    { path: '/failed', headers: signedIn, status: 500 },
  ]
  expect(await chosenOf(samples)).toBe('https://shop.example/new')
})

test('a session cookie is a credential too', async () => {
  const samples = [
    { path: '/cookie', headers: { host: 'shop.example', cookie: 'lang=en; SESSIONID=1' } },
    { path: '/anonymous' },
  ]
  expect(await chosenOf(samples)).toBe('https://shop.example/cookie')
})

test('without a credential the newest successful one is chosen, redirects included', async () => {
  const samples = [
    { path: '/a' },
    { path: '/b', status: 302 },
    { path: '/c', status: 404, headers: signedIn },
  ]
  expect(await chosenOf(samples)).toBe('https://shop.example/b')
})

test('a sample whose object was deleted since comes after one whose object is still there', async () => {
  const headers = signedIn
  const at = 1_795_000_100
  await addEndpoint(store, { collectionId: 1, method: 'DELETE', url: '/notes/STRING', isTemplate: true }, [
    { path: '/notes/gone', method: 'DELETE', headers, at: at + 2 },
    { path: '/notes/refused', method: 'DELETE', headers, status: 403, at: at + 2 },
  ])
  const old = { path: '/notes/kept', headers, at }
  const gone = { path: '/notes/gone/pages?first=1', headers, at: at + 1 }
  expect(await chosenOf([old, gone])).toBe('https://shop.example/notes/kept')
  expect(await chosenOf([gone])).toBe('https://shop.example/notes/gone/pages?first=1')
  expect(await chosenOf([old, { path: '/notes/refused', headers, at: at + 1 }])).toBe(
    'https://shop.example/notes/refused',
  )
  expect(await chosenOf([old, { ...gone, at: at + 3 }])).toBe('https://shop.example/notes/gone/pages?first=1')
})

test('every accepted creation is related to other endpoints, and tests start from the newest', async () => {
  const url = '/keys'
  const endpoint = { collectionId: 1, method: 'POST', url }
  const made = { method: 'POST', path: url, headers: signedIn }
  const samples = [
    { ...made, path: '/keys?at=1' },
    { ...made, path: '/keys?at=2' },
    { ...made, status: 500 },
  ]
  await addEndpoint(store, endpoint, samples)
  const shelf = await loadSamples(store, [endpoint])
  const targets = shelf.relatedTo(1).map(({ request }) => request.target)
  expect([...new Set(targets)]).toEqual(['https://shop.example/keys?at=2', 'https://shop.example/keys?at=1'])
  expect(shelf.everyOf(1)).toHaveLength(1)
  shelf.remove(endpoint)
  expect(shelf.relatedTo(1)).toEqual([])
})

test('reads of a path without parameters are kept without their answers', async () => {
  const list = { collectionId: 1, method: 'GET', url: '/letters' }
  const one = { collectionId: 1, method: 'GET', url: '/letters/INTEGER' }
  await addEndpoint(store, list, [
    { path: '/letters?limit=10', headers: signedIn },
    { path: '/letters?of=otto', headers: signedIn },
    { path: '/letters?of=anna', headers: signedIn, status: 403 },
  ])
  await addEndpoint(store, { ...one, isTemplate: true }, [{ path: '/letters/7', headers: signedIn }])
  const shelf = await loadSamples(store, [list, one])
  const reads = shelf.readsOf(list)
  expect(reads.map(({ request }) => request.target)).toEqual([
    'https://shop.example/letters?of=otto',
    'https://shop.example/letters?limit=10',
  ])
  expect(reads.map(({ response }) => response.body)).toEqual(['', ''])
  expect(shelf.readsOf(one)).toEqual([])
  shelf.remove(list)
  expect(shelf.readsOf(list)).toEqual([])
})

test('without a success the newest is chosen', async () => {
  expect(
    await chosenOf([
      { path: '/a', status: 401 },
      { path: '/b', status: 404 },
    ]),
  ).toBe('https://shop.example/b')
})

test('samples of endpoints that were merged into a template are its own', async () => {
  const url = '/users/INTEGER'
  const root = await addEndpoint(store, { collectionId: 1, url, isTemplate: true })
  await addEndpoint(store, { collectionId: 1, url: '/users/7', mergedInto: root }, [{ path: '/users/7' }])
  const shelf = await loadSamples(store, [{ collectionId: 1, method: 'GET', url }])
  expect(shelf.all().map(({ request }) => request.target)).toEqual(['https://shop.example/users/7'])
})

test('scheme and port are those that messages of the host show', async () => {
  const host = 'internal.example:8080'
  expect(await chosenOf([{ path: '/a', headers: { host } }])).toBe(`https://${host}/a`)
  const both: RecordedMessage[] = [
    { path: '/a', headers: { host, 'x-forwarded-proto': 'http' } },
    { path: '/b', headers: { host } },
  ]
  expect(await chosenOf(both)).toBe(`http://${host}/b`)
})

test.each([
  ['localhost:3000', 'http://localhost:3000/a'],
  ['127.0.0.1:3000', 'http://127.0.0.1:3000/a'],
  ['a.example:80', 'http://a.example:80/a'],
  ['a.example:443', 'https://a.example:443/a'],
])('the address %s tells its scheme', async (host, target) => {
  expect(await chosenOf([{ path: '/a', headers: { host } }])).toBe(target)
})

test('a message without a host gets that of its collection, or of its endpoint', async () => {
  expect(await chosenOf([{ path: '/a?x=1', headers: {} }])).toBe('https://shop.example/a?x=1')
  expect(await chosenOf([{ path: '/a', headers: {} }], 2, 'http://other.example:81')).toBe(
    'http://other.example:81/a',
  )
})

test('endpoints without samples are not on the shelf', async () => {
  expect(await chosenOf([])).toBeUndefined()
})
