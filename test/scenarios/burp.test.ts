import { expect, test } from 'vitest'
import type { TestServer } from '../harness.ts'
import { sharing } from '../shared-server.ts'
import { ask, endpointsOf, message, messageLines, refusal } from './ask.ts'

let server: TestServer
sharing.beforeAll(({ shared }) => {
  server = shared
})

async function filled(name: string, messages: readonly Record<string, unknown>[]): Promise<number> {
  const body = { content: messageLines(messages), apiCollectionName: name }
  return (await ask(server, 'importTraffic', body)).apiCollectionId
}

test('endpoints go to Burp page by page', async () => {
  await filled('for burp', [
    { path: 'https://b.test/a?x=1', responsePayload: '{"n":1}' },
    { path: 'https://b.test/b' },
    { method: 'POST', path: 'https://b.test/b', requestPayload: '{"q":2}' },
    { path: 'https://b.test/c' },
  ])
  const seen: string[] = []
  let cursor: { lastUrlFetched: string | null; lastMethodFetched: string | null } | null = null
  for (let pages = 1; ; pages++) {
    const page: Awaited<ReturnType<typeof ask<'importInBurp'>>> = await ask(server, 'importInBurp', {
      collectionName: 'for burp',
      limit: 2,
      ...cursor,
    })
    seen.push(...page.importInBurpResult!.map(({ url, req }) => `${req.split(' ', 1)[0]} ${url}`))
    expect(page.actionErrors).toEqual([])
    cursor = {
      lastUrlFetched: page.lastUrlFetched ?? null,
      lastMethodFetched: page.lastMethodFetched ?? null,
    }
    if (cursor.lastUrlFetched === null) {
      expect(pages).toBe(2)
      break
    }
  }
  expect(seen).toEqual([
    'GET https://b.test/a?x=1',
    'GET https://b.test/b',
    'POST https://b.test/b',
    'GET https://b.test/c',
  ])
  const { importInBurpResult } = await ask(server, 'importInBurp', { collectionName: 'for burp', limit: 1 })
  expect(importInBurpResult![0]!.req).toMatch(/^GET https:\/\/b\.test\/a\?x=1 HTTP\/1\.1\n/)
  expect(importInBurpResult![0]!.res).toMatch(
    /^HTTP\/1\.1 200 \nContent-type: application\/json\n\n\{"n":1\}$/,
  )
  expect(await refusal(server, 'importInBurp', { collectionName: 'nowhere' })).toEqual([
    422,
    'Invalid collection',
  ])
})

test('what the extension sent last is known, and where it is described', async () => {
  const { apiToken } = await ask(server, 'fetchBurpCredentials')
  const content = JSON.stringify({ log: { version: '1.2', entries: [] } })
  const before = Math.floor(Date.now() / 1000)
  const answer = await server.post(
    '/api/uploadHar',
    { content, apiCollectionName: 'from the extension' },
    { key: apiToken!.key },
  )
  expect(answer.status).toBe(200)
  const { burpPluginInfo } = await ask(server, 'fetchBurpPluginInfo')
  expect(burpPluginInfo!.lastDataSentTimestamp).toBeGreaterThanOrEqual(before)
  const { burpGithubLink } = await ask(server, 'fetchBurpPluginDownloadLink')
  expect(burpGithubLink).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/start$/)
})

test('a sample becomes a raw request and a curl command', async () => {
  const sampleData = JSON.stringify(
    message({
      method: 'POST',
      path: 'https://api.x/api/users?x=1',
      requestHeaders: '{"host":"api.x","content-length":"9","x-a":"it\'s"}',
      requestPayload: '{"u":"a"}',
    }),
  )
  const { burpRequest } = await ask(server, 'convertSamleDataToBurpRequest', { sampleData })
  expect(burpRequest).toBe('POST /api/users?x=1 HTTP/1.1\nHost: api.x\nX-a: it\'s\n\n{"u":"a"}')
  const { curlString } = await ask(server, 'convertSampleDataToCurl', { sampleData })
  expect(curlString).toMatch(/^curl /)
  expect(curlString).toContain('https://api.x/api/users?x=1')
  const back = await ask(server, 'importTraffic', { content: curlString, apiCollectionName: 'from curl' })
  expect(await endpointsOf(server, back.apiCollectionId)).toEqual(['POST https://api.x/api/users'])
  for (const operation of ['convertSamleDataToBurpRequest', 'convertSampleDataToCurl'] as const) {
    for (const bad of [null, 'nonsense', '{}']) {
      expect(await refusal(server, operation, { sampleData: bad })).toEqual([422, 'Invalid sample data'])
    }
  }
})
