import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKey, systemUserId } from '../../src/app/index.ts'
import { serveHttp } from '../../src/cli/mcp/serve-http.ts'
import { argumentsOf, type ToolChoice, toolsOf } from '../../src/cli/mcp/tools.ts'
import { startTestServer, type TestServer, testKey } from '../harness.ts'
import { environmentWithoutSettings } from '../start-program.ts'
import { ask } from './ask.ts'

/** `vigil mcp` with the client of the protocol's own kit. */

const PROGRAM = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
const ENDPOINTS = 80
let server: TestServer
const closers: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  server = await startTestServer()
  const paths = Array.from({ length: ENDPOINTS }, (_, at) => [`/thing${at}/list`, { get: { responses: {} } }])
  const document = {
    ...{
      openapi: '3.0.3',
      info: { title: 'agents', version: '1' },
      servers: [{ url: 'https://agent.test' }],
    },
    paths: Object.fromEntries(paths),
  }
  await ask(server, 'importTraffic', { apiCollectionName: 'agents', content: JSON.stringify(document) })
})
afterAll(async () => {
  for (const close of closers.reverse()) await close()
  await server?.close()
})

async function overHttp(key: string, choice: Partial<ToolChoice> = {}, maxTokens = 10_000): Promise<Client> {
  const tools = toolsOf({ groups: [], writes: false, ...choice })
  const served = await serveHttp({ baseUrl: server.baseUrl, tools, maxTokens, port: 0 })
  const headers = { authorization: `Bearer ${key}` }
  const transport = new StreamableHTTPClientTransport(new URL(served.address), { requestInit: { headers } })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport as Parameters<Client['connect']>[0])
  closers.push(async () => {
    await client.close()
    served.server.closeAllConnections()
    served.server.close()
  })
  return client
}

async function toolNames(client: Client): Promise<string[]> {
  const names: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await client.listTools(cursor === undefined ? {} : { cursor })
    names.push(...page.tools.map(({ name }) => name))
    cursor = page.nextCursor
    if (cursor === undefined) return names
  }
}

async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, isError } = await client.callTool({ name, arguments: args })
  return { text: (content as { text: string }[])[0]!.text, isError: isError === true }
}

test('over standard input and output an agent lists the tools and asks for the inventory', async () => {
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp', '--server', server.baseUrl, '--groups', 'collections,issues'],
    env: { ...(environmentWithoutSettings() as Record<string, string>), VIGIL_API_KEY: testKey },
  })
  closers.push(() => client.close())
  await client.connect(transport as Parameters<Client['connect']>[0])
  expect(client.getServerVersion()).toMatchObject({ name: 'vigil' })
  const names = await toolNames(client)
  expect(names).toEqual(expect.arrayContaining(['getAllCollectionsBasic', 'fetchIssueGroups']))
  expect(names).not.toContain('fetchThreatActors')
  const { text } = await call(client, 'getAllCollectionsBasic')
  expect(JSON.parse(text).apiCollections).toEqual([expect.objectContaining({ displayName: 'agents' })])
})

test('only what reads is offered unless writing was asked for, and every schema is complete', async () => {
  const reading = await overHttp(testKey)
  const names = await toolNames(reading)
  expect(names).not.toContain('startTest')
  await expect(call(reading, 'deleteCollection', { apiCollectionId: 1 })).rejects.toThrow(
    /no tool deleteCollection here\. It changes something; vigil mcp offers it with --groups collections --write\./,
  )
  await expect(call(reading, 'getThreatActivityTimeline')).rejects.toThrow(
    /vigil mcp offers it with --groups threat\./,
  )
  const writing = await overHttp(testKey, { writes: true, groups: ['collections'] })
  const { tools } = await writing.listTools()
  expect(tools.find(({ name }) => name === 'deleteCollection')).toMatchObject({
    annotations: { readOnlyHint: false },
  })
  const made = await call(writing, 'createCollection', { collectionName: 'made by an agent' })
  expect(made.isError, made.text).toBe(false)
  for (const { inputSchema } of toolsOf({ groups: ['all'], writes: true })) {
    const text = JSON.stringify(inputSchema)
    for (const [, name] of text.matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g))
      expect(inputSchema['$defs']).toHaveProperty([name!])
    expect(text).not.toContain('#/components/')
  }
})

test('a small set of tools is offered unless groups are chosen', () => {
  const names = (groups: string[], writes: boolean) => toolsOf({ groups, writes }).map(({ name }) => name)
  const everyday = names([], true)
  expect(everyday.length).toBeLessThan(40)
  expect(names([], false).length).toBeLessThan(everyday.length)
  expect(everyday).toEqual(
    expect.arrayContaining(['getAllCollectionsBasic', 'fetchIssueGroups', 'startTest', 'compareExecutions']),
  )
  expect(names(['all'], true)).toEqual(expect.arrayContaining(everyday))
  expect(names(['all'], true).length).toBeGreaterThan(150)
  expect(names(['issues', 'threat'], false)).toContain('fetchThreatActors')
})

test('a long answer is cut to the budget, and its parts are the whole', async () => {
  const client = await overHttp(testKey, {}, 500)
  const { apiCollections } = await ask(server, 'getAllCollectionsBasic')
  const { id } = apiCollections!.find(({ displayName }) => displayName === 'agents')!
  let whole = ''
  let parts = 0
  for (let offset: number | undefined = 0; offset !== undefined; parts++) {
    const { text } = await call(client, 'fetchApiInfosForCollection', {
      apiCollectionId: id,
      _offset: offset,
    })
    const cut = text.indexOf('\n\n[Cut: ')
    whole += cut < 0 ? text : text.slice(0, cut)
    expect(text.length).toBeLessThan(2_000 + 300)
    const [, next] = /"_offset": (\d+)/.exec(text.slice(cut)) ?? []
    offset = cut < 0 ? undefined : Number(next)
  }
  expect(parts).toBeGreaterThan(3)
  expect(JSON.parse(whole).apiInfoList).toHaveLength(ENDPOINTS)
})

test('a misspelt argument is refused instead of being left out, and an offset without an answer asks nothing', async () => {
  const client = await overHttp(testKey)
  expect(await call(client, 'fetchApiInfosForCollection', { apiCollectionID: 1 })).toEqual({
    isError: true,
    text: 'There is no argument apiCollectionID here; did you mean apiCollectionId?',
  })
  const writing = await overHttp(testKey, { groups: ['all'], writes: true })
  const given = { collectionName: 'not made by an offset' }
  const continued = await call(writing, 'createCollection', { ...given, _offset: 1 })
  expect(continued.text).toMatch(/^\[The earlier answer is no longer kept/)
  expect(await call(writing, 'createCollection', given)).toMatchObject({ isError: false })
})

test('the second spelling of an argument, which the description names, is taken', async () => {
  const tool = toolsOf({ groups: ['all'], writes: true }).find(({ name }) => name === 'uploadHar')
  expect(JSON.stringify(tool!.inputSchema)).toContain('Also read from harString.')
  expect(argumentsOf(tool!)).toEqual(expect.arrayContaining(['content', 'harString']))
})

test('an agent has the rights of its key and no others', async () => {
  const { access } = server.running.app
  const { key } = await createKey(access, systemUserId, 'CICD', 'agent', null)
  const client = await overHttp(key, { groups: ['all'] })
  expect(await call(client, 'getAllCollections')).toMatchObject({ isError: false })
  const refused = await call(client, 'fetchThreatActors', { skip: 0, sort: {}, startTs: 0, endTs: 0 })
  expect(refused.isError, refused.text).toBe(true)
  expect(refused.text).toContain('Use a key of kind EXTERNAL_API')
  await expect(
    overHttp('x'.repeat(40)).then((other) => call(other, 'getAllCollectionsBasic')),
  ).resolves.toMatchObject({
    isError: true,
  })
})

test('without a key, from another name and from other sites nothing is answered', async () => {
  const served = await serveHttp({ baseUrl: server.baseUrl, tools: [], maxTokens: 500, port: 0 })
  closers.push(async () => served.server.close())
  const status = async (headers: Record<string, string>) =>
    (await fetch(served.address, { method: 'POST', headers, body: '{}' })).status
  expect(await status({})).toBe(401)
  expect(await status({ authorization: `Bearer ${testKey}`, origin: 'https://evil.test' })).toBe(403)
})
