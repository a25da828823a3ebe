import { afterAll, beforeAll, expect, test } from 'vitest'
import { endExecution } from '../../src/testing/records/index.ts'
import type { Outcome } from '../../src/testing/run/outcome.ts'
import { joinPerson, signUpPerson, startTestServer, type TestPerson, type TestServer } from '../harness.ts'
import { pairOf, report, startedRun } from '../test-results.ts'
import { ask, messageLines } from './ask.ts'

const HOST = 'https://open.test'
let server: TestServer
let member: TestPerson
let shop: number
let group: number

beforeAll(async () => {
  server = await startTestServer()
  const admin = await signUpPerson(server, 'admin@open.test')
  member = await joinPerson(server, admin, 'member@open.test', 'MEMBER')
  const taken = await ask(server, 'importTraffic', {
    apiCollectionName: 'shop',
    content: messageLines(['a', 'b'].map((name) => ({ path: `${HOST}/rest/${name}` }))),
  })
  shop = taken.apiCollectionId
  const made = await ask(server, 'createCustomCollection', {
    collectionName: 'only a',
    conditions: [{ type: 'URL_REGEX', operator: 'AND', data: { regex: '/rest/a$' } }],
  })
  group = made.apiCollectionId!
  await find('a', 'VULNERABLE', 'HIGH')
  await find('b', 'VULNERABLE', 'CRITICAL')
})
afterAll(() => server.close())

async function find(name: string, outcome: Outcome, severity: 'HIGH' | 'CRITICAL'): Promise<void> {
  const { store } = server.running.app
  const { summaryId } = await startedRun(store, { collectionIds: [shop], keepsIssuesOpen: false })
  const url = `${HOST}/rest/${name}`
  await report(store, summaryId, [pairOf({ collectionId: shop, url, outcome, severity })])
  await endExecution(store, summaryId, { state: 'COMPLETED' })
}

test('open issues are counted by severity for collections, groups and endpoints, and no longer once fixed', async () => {
  expect(await ask(server, 'getSeverityInfoForCollections', {})).toEqual({
    [shop]: { CRITICAL: 1, HIGH: 1 },
    [group]: { HIGH: 1 },
  })
  expect(await ask(server, 'getSeveritiesCountPerCollection', { apiCollectionId: shop })).toEqual({
    [`${shop} ${HOST}/rest/a GET`]: { HIGH: 1 },
    [`${shop} ${HOST}/rest/b GET`]: { CRITICAL: 1 },
  })
  expect(await ask(server, 'getSeveritiesCountPerCollection', { apiCollectionId: group })).toEqual({
    [`${shop} ${HOST}/rest/a GET`]: { HIGH: 1 },
  })
  await find('b', 'SECURE', 'CRITICAL')
  expect(await ask(server, 'getSeverityInfoForCollections', {})).toEqual({
    [shop]: { HIGH: 1 },
    [group]: { HIGH: 1 },
  })
  expect(await ask(server, 'getSeveritiesCountPerCollection', { apiCollectionId: 77 })).toEqual({})
})

test('who was granted a collection sees the counts of no other', async () => {
  const { store } = server.running.app
  await store.pool.query('UPDATE users SET collection_ids = $1 WHERE login = $2', [[group], member.email])
  const seen = await member.call('getSeverityInfoForCollections', {})
  expect(await seen.json()).toEqual({ [group]: { HIGH: 1 } })
})
