import { expect, test } from 'vitest'
import type { TestPerson, TestServer } from '../harness.ts'
import { adminOf, sharing } from '../shared-server.ts'
import { ask, endpointsOf, messageLines } from './ask.ts'

const HOST = 'https://why.test'

let server: TestServer
let person: TestPerson
sharing.beforeAll(async ({ shared }) => {
  server = shared
  person = await adminOf(server)
})

async function filled(name: string, paths: readonly string[]): Promise<number> {
  const content = messageLines(
    paths.map((path) => ({ path: HOST + path, responsePayload: '{"id":1,"name":"a","total":2}' })),
  )
  return (await ask(server, 'importTraffic', { content, apiCollectionName: name })).apiCollectionId
}

async function explained(apiCollectionId: number, url: string) {
  const evidence = await ask(server, 'explainTemplate', { apiCollectionId, url: HOST + url })
  for (const factor of evidence.factors) {
    expect(factor.note.length, `${factor.name} has a note`).toBeGreaterThan(10)
  }
  const notesAt = (position: number): Record<string, string> =>
    Object.fromEntries(
      evidence.factors.filter((one) => one.position === position).map(({ name, note }) => [name, note]),
    )
  return { ...evidence, notesAt }
}

test('numbers explain themselves', async () => {
  const id = await filled(
    'numbers',
    Array.from({ length: 12 }, (_, n) => `/orders/${n + 101}`),
  )
  const { decidedBy, distinctValues, notesAt } = await explained(id, '/orders/INTEGER')
  expect({ decidedBy, distinctValues }).toEqual({ decidedBy: 'ENGINE', distinctValues: 12 })
  expect(notesAt(1)).toMatchObject({
    'distinct values': '12 values were seen: 101, 102, 103, 104, 105',
    'kind of values': expect.stringContaining('all are whole numbers'),
    'shared keys': '12 of 12 paths have messages with most of the same 3 keys',
  })
})

test('every merged position says why', async () => {
  const names = [
    'fox',
    'sun',
    'ice',
    'oak',
    'elm',
    'ash',
    'fir',
    'yew',
    'bay',
    'fig',
    'ivy',
    'rye',
    'hop',
    'pea',
  ]
  const id = await filled(
    'two positions',
    names.flatMap((name, n) => [`/zoo/${name}qx${n}/items/${n + 5}`, `/zoo/${name}qx${n}`]),
  )
  const { template, notesAt } = await explained(id, '/zoo/STRING/items/INTEGER')
  expect(template).toBe(`${HOST}/zoo/STRING/items/INTEGER`)
  expect(Object.keys(notesAt(1))).toEqual(
    expect.arrayContaining(['distinct values', 'kind of values', 'shared keys', 'lexical']),
  )
  expect(Object.keys(notesAt(3))).toEqual(expect.arrayContaining(['distinct values', 'kind of values']))
})

test('a person who decided is named', async () => {
  const id = await filled('person', ['/desk/fox', '/desk/sun'])
  const template = `${HOST}/desk/STRING`
  await ask(person, 'mergeApis', { apiCollectionId: id, template })
  const { decidedBy, notesAt } = await explained(id, '/desk/STRING')
  expect(decidedBy).toBe('admin@example.org')
  expect(notesAt(1)).toMatchObject({ 'decision of a user': 'admin@example.org stated the template' })
})

test('so is a specification, before and after the first message', async () => {
  const document = {
    openapi: '3.0.3',
    info: { title: 'T', version: '1' },
    servers: [{ url: HOST }],
    paths: {
      '/pets/{pet}': {
        get: {
          parameters: [{ name: 'pet', in: 'path', required: true, schema: { type: 'string' } }],
          responses: { 200: { description: 'ok' } },
        },
      },
    },
  }
  const { apiCollectionId: id } = await ask(server, 'importTraffic', {
    content: JSON.stringify(document),
    apiCollectionName: 'specification',
  })
  const before = await explained(id, '/pets/STRING')
  expect(before).toMatchObject({ decidedBy: 'DOCUMENT', distinctValues: 0 })
  expect(before.notesAt(1)).toEqual({ 'declared route': 'an uploaded specification has a parameter here' })
  await ask(server, 'importTraffic', {
    content: messageLines([{ path: `${HOST}/pets/rex` }]),
    apiCollectionId: id,
  })
  const after = await explained(id, '/pets/STRING')
  expect(after).toMatchObject({ decidedBy: 'DOCUMENT', distinctValues: 1 })
})

test('operations behind a custom verb explain themselves, and are split with the path that they share', async () => {
  const paths = ['red', 'blue'].map((name) => `${HOST}/services/${name}:executeGraphql`)
  const content = messageLines(
    paths.map((path) => ({ path, method: 'POST', requestPayload: '{"query":"query { users { id } }"}' })),
  )
  const { apiCollectionId } = await ask(server, 'importTraffic', { content, apiCollectionName: 'operations' })
  const template = `${HOST}/services/STRING:executeGraphql`
  await ask(server, 'mergeApis', { apiCollectionId, template })
  const url = `${template}/query/users`
  expect(await endpointsOf(server, apiCollectionId)).toEqual([`POST ${url}`])
  const { distinctValues } = await ask(server, 'explainTemplate', { apiCollectionId, url })
  expect(distinctValues).toBe(2)
  await ask(server, 'deMergeApi', { apiCollectionId, method: 'POST', url })
  expect(await endpointsOf(server, apiCollectionId)).toEqual(
    paths.toSorted().map((path) => `POST ${path}/query/users`),
  )
})
