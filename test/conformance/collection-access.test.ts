import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isBuilt } from '../../src/app/index.ts'
import {
  commonErrors,
  errorCodeHeader,
  namesCollections,
  type Operation,
  type OperationName,
  operationList,
  reachOf,
} from '../../src/contract/index.ts'
import { joinPerson, signUpPerson, startTestServer, type TestPerson, type TestServer } from '../harness.ts'
import { ask, message, messageLines } from '../scenarios/ask.ts'

/** No collection has it. */
const UNKNOWN = 7
const HOST = 'https://secret.test'

let server: TestServer
let admin: TestPerson
let member: TestPerson
let theirs: number
let mine: number

beforeAll(async () => {
  server = await startTestServer()
  admin = await signUpPerson(server, 'admin@example.org')
  member = await joinPerson(server, admin, 'member@example.org', 'MEMBER')
  theirs = await filled('theirs', `${HOST}/b`)
  mine = await filled('mine', 'https://mine.test/a')
  await grant([mine])
})
afterAll(() => server.close())

async function filled(apiCollectionName: string, path: string): Promise<number> {
  const content = messageLines([{ path }])
  return (await ask(server, 'importTraffic', { content, apiCollectionName })).apiCollectionId
}

async function grant(collectionIds: number[] | null): Promise<void> {
  const { users } = await ask(admin, 'getTeamData')
  const user = users.find(({ login }) => login === member.email)!
  await ask(admin, 'updateUserCollections', { userCollectionMap: { [user.id]: collectionIds } })
}

/** Fields at the top of a request in which {@link bodyAbout} puts a collection. */
const PLACES = [
  ...['apiCollectionId', 'apiCollectionIds', 'apiCollections', 'apiCollectionName', 'collectionName'],
  ...['apiList', 'filterCollectionsId', 'issueSummaryFilterCollectionIds'],
]

/** Built operations that name collections and that a member may call. */
const naming = operationList.filter(
  (operation) =>
    isBuilt(operation.name as OperationName) &&
    operation.role !== 'ADMIN' &&
    reachOf(operation.name) !== 'account' &&
    namesCollections(operation) &&
    PLACES.some((name) => Object.hasOwn(operation.request, name)),
)

/** Names that are given, not looked up: making something new needs no grant. */
const MAKING = new Set(['createCollection', 'createCustomCollection', 'initiateCrawler'])

/** What a restricted caller hears instead of a refusal, as the descriptions say. */
const FILTERED: Record<string, string> = {
  getCollection: '[]',
  getCoverageInfoForCollections: '{}',
}

/** The example of an operation with another collection in every place that names one. */
function bodyAbout(operation: Operation, id: number, name: string): Record<string, unknown> {
  const body: Record<string, unknown> = { ...operation.example.request }
  const key = { apiCollectionId: id, method: 'GET', url: `${HOST}/b` }
  const byField: Record<string, unknown> = {
    apiCollectionId: id,
    apiCollectionIds: [id],
    filterCollectionsId: [id],
    issueSummaryFilterCollectionIds: [id],
    apiCollections: [{ id }],
    apiList: [key],
  }
  for (const [field, value] of Object.entries(byField))
    if (Object.hasOwn(operation.request, field)) body[field] = value
  if (operation.name === 'importInBurp' || Object.hasOwn(body, 'apiList')) body['collectionName'] = name
  if (Object.hasOwn(operation.request, 'apiCollectionName')) body['apiCollectionName'] = null
  if (
    Object.hasOwn(operation.request, 'apiCollectionIds') &&
    Object.hasOwn(operation.request, 'apiCollectionId')
  )
    body['apiCollectionIds'] = null
  return body
}

async function told(person: TestPerson | TestServer, operation: string, body: unknown): Promise<string> {
  const answer = await ('call' in person
    ? person.call(operation, body)
    : person.post(`/api/${operation}`, body))
  return `${answer.status} ${answer.headers.get(errorCodeHeader) ?? (await answer.text())}`
}

describe('a caller restricted to some collections', () => {
  test.each(naming.filter(({ name }) => !MAKING.has(name)).map((one) => [one.name, one] as const))(
    '%s: is refused a collection that was not granted, and one that does not exist, alike',
    async (name, operation) => {
      // An upload and a role are checked before the collection.
      const refusal = ['ingestPostman', 'tryTestLogin'].includes(name) ? 'ID_DENIED' : 'COLLECTION_DENIED'
      const expected = Object.hasOwn(FILTERED, name) ? `200 ${FILTERED[name]}` : `403 ${refusal}`
      expect(await told(member, name, bodyAbout(operation, theirs, 'theirs'))).toBe(expected)
      if (['importInBurp', 'removeApisFromCustomCollection', 'ingestPostman'].includes(name)) return // names, not ids
      expect(await told(member, name, bodyAbout(operation, UNKNOWN, 'nowhere'))).toBe(expected)
    },
  )

  test('lists over several collections leave out what was not granted', async () => {
    const both = { apiCollectionIds: [mine, theirs] }
    for (const name of ['fetchApiInfosForCollection', 'fetchApiInfosFromSTIs'] as const) {
      const shown = JSON.stringify(await ask(member, name, both))
      expect(shown).toContain('mine.test')
      expect(shown).not.toContain('secret.test')
    }
  })

  test('sees and may use what it makes', async () => {
    const made = (await ask(member, 'createCollection', { collectionName: 'made' })).apiCollectionId!
    const imported = await ask(member, 'importTraffic', {
      content: messageLines([{ path: 'https://new.test/a' }]),
      apiCollectionName: 'imported',
    })
    const uploadId = (
      await ask(member, 'importDataFromPostmanFile', {
        postmanCollectionFile: {
          info: {
            name: 'mine too',
            schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
          },
          item: [{ name: 'one', request: { method: 'GET', url: 'https://new.test/p' } }],
        },
      })
    ).uploadId
    while ((await told(member, 'ingestPostman', { uploadId, importType: 'ALL_APIS' })).includes('NOT_READY'));
    const { apiCollections: group } = await ask(member, 'addApisToCustomCollection', {
      collectionName: 'my group',
      apiList: [{ apiCollectionId: mine, method: 'GET', url: 'https://mine.test/a' }],
    })
    const { apiCollections } = await ask(member, 'getAllCollectionsBasic')
    const names = apiCollections!.map(({ name }) => name)
    expect(names.toSorted()).toEqual(['imported', 'made', 'mine', 'mine too', 'my group'])
    for (const id of [made, imported.apiCollectionId, group![0]!.id]) {
      await ask(member, 'saveCollectionDescription', { apiCollectionId: id, description: 'mine' })
    }
    const { users } = await ask(admin, 'getTeamData')
    expect(users.find(({ login }) => login === admin.email)!.collectionIds).toBeNull()
  })

  test('cannot reach beyond its collections by the conditions of a group, or by live traffic of any host', async () => {
    const conditions = [{ type: 'ALL', operator: 'AND', data: {} }]
    const beyond = '403 COLLECTIONS_RESTRICTED'
    expect(await told(member, 'createCustomCollection', { collectionName: 'all of it', conditions })).toBe(
      beyond,
    )
    const batchData = [message({ path: 'https://mine.test/live' })]
    expect(await told(member, 'ingestData', { batchData })).toBe(beyond)
    expect((await ask(member, 'ingestData', { batchData, apiCollectionId: mine })).accepted).toBe(1)
  })

  test('who was granted a group reads its members in every list, and changes none of them', async () => {
    const key = { apiCollectionId: theirs, method: 'GET', url: `${HOST}/b` }
    const { apiCollections } = await ask(server, 'addApisToCustomCollection', {
      collectionName: 'shared group',
      apiList: [key],
    })
    const group = apiCollections![0]!.id
    await filled('theirs', `${HOST}/unshared`)
    await grant([group])
    const window = { startTimestamp: 0, endTimestamp: 0 }
    const ofGroup = { apiCollectionId: group }
    const lists: [OperationName, Record<string, unknown>][] = [
      ['searchEndpoints', {}],
      ['searchEndpoints', ofGroup],
      ['loadRecentEndpoints', window],
      ['loadRecentEndpoints', { ...window, ...ofGroup }],
      ['fetchChanges', window],
      ['fetchChanges', { ...window, ...ofGroup }],
      ['fetchCollectionWiseApiEndpoints', ofGroup],
      ['fetchApiInfosForCollection', ofGroup],
      ['fetchApiInfosFromSTIs', ofGroup],
      ['getEndpointsListFromConditions', { conditions: [{ type: 'ALL', operator: 'AND', data: {} }] }],
      ['getSingleEndpoint', { ...key, ...ofGroup }],
      ['getSingleEndpoint', key],
      ['loadParamsOfEndpoint', key],
      ['fetchSampleData', key],
      ['fetchSampleData', { ...key, ...ofGroup }],
    ]
    for (const [name, body] of lists) {
      const shown = JSON.stringify(await ask(member, name, body))
      expect([name, body, shown.includes(`${HOST}/b`), shown.includes('unshared')]).toEqual([
        name,
        body,
        true,
        false,
      ])
    }
    const counted = await ask(member, 'fetchEndpointsCount', window)
    expect(counted.newCount).toBe(1)
    const trend = await ask(member, 'fetchNewEndpointsTrendForNonHostCollections', window)
    expect(trend.data.endpoints.map(({ count }) => count)).toEqual([1])
    const denied = '403 COLLECTION_DENIED'
    expect(await told(member, 'getSingleEndpoint', { ...key, url: `${HOST}/unshared` })).toBe(denied)
    expect(await told(member, 'fetchEndpointResults', { ...key, url: `${HOST}/unshared` })).toBe(denied)
    expect(await told(member, 'deleteApis', { apiList: [key] })).toBe(denied)
    expect(await told(member, 'deMergeApi', { ...key, ...ofGroup })).toBe(denied)
    await grant([mine])
  })
})

test.each(naming.map((one) => [one.name, one] as const))(
  '%s: answers ids that cannot be with codes its entry names',
  async (name, operation) => {
    const allowed = [...operation.errors, ...Object.keys(commonErrors)]
    const paused = await filled(`paused ${name}`, `${HOST}/p`)
    await ask(server, 'deactivateCollections', { apiCollections: [{ id: paused }] })
    for (const id of [UNKNOWN, -1, 0, paused]) {
      const [status, code] = (
        await told(server, name, bodyAbout(operation, id, id === paused ? `paused ${name}` : 'nowhere'))
      ).split(' ')
      if (status !== '200')
        expect([name, id, allowed.includes(code!) ? 'listed' : code]).toEqual([name, id, 'listed'])
    }
  },
)
