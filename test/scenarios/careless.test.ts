import { afterAll, expect, vi } from 'vitest'
import type { TestServer } from '../harness.ts'
import { RecordingClient } from '../recording-client.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'
import { sharing as test } from '../shared-server.ts'
import { collectionOf, giveIdentities, RUN_ORDER, resultsOfRun } from '../use-vigil.ts'
import { type CarelessTarget, carelessTarget } from './careless-target.ts'

/** Weak writes are found by writes that are undone: afterwards the application is as before. */

vi.setConfig({ testTimeout: 180_000 })

let server: TestServer
let target: CarelessTarget
let collectionId: number

test.beforeAll(async ({ shared }) => {
  server = shared
  target = await carelessTarget()
  const vigil = vigilOf(server)
  for (const name of ['ann', 'bob', 'carol']) {
    const client = new RecordingClient(`http://${target.host}`, '203.0.113.9')
    if (name === 'carol') await manage(client)
    else await shop(client, name)
    await vigil.call('ingestData', { batchData: client.messages })
  }
  await giveIdentities(vigil, { bob: 'token-of-bob', carol: 'token-of-carol' })
  collectionId = await collectionOf(vigil, target.host)
})
afterAll(async () => {
  await target.close()
})

async function signIn(client: RecordingClient, username: string, password: string): Promise<void> {
  await client.call('POST', '/login', { username, password })
  client.headers = { authorization: `Bearer token-of-${username}` }
}

async function shop(client: RecordingClient, name: string): Promise<void> {
  await client.call('POST', '/people/register', { username: `${name}2`, password: 'Long-Passw0rd-1' })
  await signIn(client, name, `${name}-Right-1`)
  await client.call('GET', '/me')
  for (const other of [name, `${name}2`]) await client.call('GET', `/people/${other}`)
  await client.call('PUT', `/people/${name}/city`, { city: 'Bergen' })
  await client.call('POST', '/club/join', { username: `${name}-of-the-club` })
  await client.call('GET', '/products')
  await client.call('GET', '/products/100')
  const own = `/people/${name}`
  const card = `${own}/credit-cards?cardholder_name=Some+One&number=4111111111111111`
  const made = await client.call('POST', card)
  await client.call('GET', `${own}/credit-cards`)
  const { card_id: id } = JSON.parse(made.text) as { card_id: string }
  await client.call('DELETE', `${own}/credit-cards/${id}`)
  await client.call('POST', card)
  await client.call('POST', `${own}/addresses?street=Long+Lane+1+of+${name}&city=Oslo`)
  const { id: address } = JSON.parse(
    (await client.call('POST', `${own}/addresses?street=Short+Lane+2+of+${name}&city=Oslo`)).text,
  ) as { id: string }
  await client.call('GET', `${own}/addresses`)
  await client.call('DELETE', `${own}/addresses/${address}`)
  await client.call('POST', `${own}/addresses?street=Short+Lane+2+of+${name}&city=Oslo`)
}

async function manage(client: RecordingClient): Promise<void> {
  for (const username of ['leaver', 'quitter'])
    await client.call('POST', '/people/register', { username, password: 'Long-Passw0rd-1' })
  await signIn(client, 'carol', 'carol-Right-1')
  for (const username of ['leaver', 'quitter']) await client.call('DELETE', `/people/${username}`)
  for (const id of [100, 101, 102]) {
    await client.call('PUT', `/products/${id}`, { name: 'lamp', price: 20 })
    await client.call('PUT', `/products/${id}/stock?stock=5`)
  }
  const { id } = JSON.parse(
    (await client.call('POST', '/products', { name: 'chair', price: 30, stock: 1 })).text,
  ) as { id: number }
  await client.call('DELETE', `/products/${id}`)
}

/** Runs tests on the whole application; @returns what they found as `TEST METHOD path`, sorted */
async function findings(selectedTests: readonly string[], writeLevel = 'REVERSIBLE'): Promise<string[]> {
  const results = await resultsOfRun(vigilOf(server), {
    ...RUN_ORDER,
    apiCollectionId: collectionId,
    selectedTests,
    cleanUpTestingResources: true,
    writeLevel,
  })
  return results
    .filter(({ vulnerable }) => vulnerable)
    .map(({ testSubType, apiInfoKey: { method, url } }) => `${testSubType} ${method} ${pathOf(url)}`)
    .sort()
}

function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/]+/, '').replaceAll(/\/(?:INTEGER|STRING|UUID|ann|bob)(?=\/|$)/g, '/{}')
}

test('changes and deletions that need no credentials are reported, and undone', async () => {
  const before = target.state()
  expect(await findings(['MISSING_AUTHENTICATION'])).toEqual([
    'MISSING_AUTHENTICATION DELETE /products/{}',
    'MISSING_AUTHENTICATION PUT /products/{}',
    'MISSING_AUTHENTICATION PUT /products/{}/stock',
  ])
  expect(target.state()).toEqual(before)
})

test('what is made for or taken from another user is reported, whatever its identifier is called', async () => {
  const before = target.state()
  const found = new Set(await findings(['BOLA_CREATE', 'BOLA_DELETE']))
  expect([...found]).toEqual([
    'BOLA_CREATE POST /people/{}/addresses',
    'BOLA_CREATE POST /people/{}/credit-cards',
    'BOLA_DELETE DELETE /people/{}/addresses/{}',
    'BOLA_DELETE DELETE /people/{}/credit-cards/{}',
  ])
  expect(target.state()).toEqual(before)
})

test('a change that is answered with nothing is proven and undone by the object that it is a part of', async () => {
  const before = target.state()
  const found = new Set(await findings(['BOLA_UPDATE']))
  expect([...found].filter((line) => line.includes('/people/'))).toEqual(['BOLA_UPDATE PUT /people/{}/city'])
  expect(target.state()).toEqual(before)
})

test('an account that signs up as administrator is proven by what it shows of itself, and deleted', async () => {
  const before = target.state()
  const found = await findings(['MASS_ASSIGNMENT_ADMIN_FLAG'])
  expect(found).toEqual(['MASS_ASSIGNMENT_ADMIN_FLAG POST /people/register'])
  expect(target.state()).toEqual(before)
})

test('guesses are made for an account of the test, which is deleted by the name that it got', async () => {
  const before = target.state()
  expect(await findings(['LOGIN_BRUTE_FORCE'])).toEqual(['LOGIN_BRUTE_FORCE POST /login'])
  expect(target.state()).toEqual(before)
  for (const name of ['ann', 'bob', 'carol']) expect(target.wrongPasswords(name)).toBeLessThanOrEqual(3)
})

test('a sign-up whose recorded name is taken is tried with another one, where nothing has to be undone', async () => {
  expect(await findings(['MASS_ASSIGNMENT_ADMIN_FLAG'], 'ALL')).toContain(
    'MASS_ASSIGNMENT_ADMIN_FLAG POST /club/join',
  )
})
