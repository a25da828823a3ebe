import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { CallError, createClient } from './client.ts'

interface Seen {
  method: string | undefined
  url: string | undefined
  headers: IncomingMessage['headers']
  body: string
}

let server: Server | undefined

afterEach(() => new Promise((resolve) => (server === undefined ? resolve(null) : server.close(resolve))))

async function serve(status: number, headers: Record<string, string>, body: string) {
  const seen: Seen[] = []
  server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += String(chunk)
    })
    request.on('end', () => {
      seen.push({ method: request.method, url: request.url, headers: request.headers, body: text })
      response.writeHead(status, headers).end(body)
    })
  })
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  return { seen, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

test('posts the body with the key and returns the answer', async () => {
  const { seen, baseUrl } = await serve(200, {}, '{"1679459648":7}')
  const client = createClient({ baseUrl, apiKey: 'k' })
  expect(await client.call('getCoverageInfoForCollections')).toEqual({ '1679459648': 7 })
  expect(await client.op.getCoverageInfoForCollections({ apiCollectionIds: [1] })).toEqual({
    '1679459648': 7,
  })
  expect(seen.map(({ method, url, body }) => [method, url, body])).toEqual([
    ['POST', '/api/getCoverageInfoForCollections', '{}'],
    ['POST', '/api/getCoverageInfoForCollections', '{"apiCollectionIds":[1]}'],
  ])
  expect(seen[0]?.headers['x-api-key']).toBe('k')
  expect(seen[0]?.headers['content-type']).toBe('application/json')
})

test('sends the present access token and hands over a renewed one', async () => {
  const { seen, baseUrl } = await serve(200, { 'access-token': 'second' }, '{}')
  let token = 'first'
  const client = createClient({
    baseUrl,
    accessToken: () => token,
    onAccessToken: (renewed) => {
      token = renewed
    },
  })
  await client.op.getAllUsersCollections()
  await client.op.getAllUsersCollections()
  expect(seen.map(({ headers }) => headers['access-token'])).toEqual(['first', 'second'])
})

test('returns undefined for an answer without content', async () => {
  const { baseUrl } = await serve(200, {}, '')
  expect(await createClient({ baseUrl }).op.logout()).toBeUndefined()
})

test('throws the sentences, the code, the wait and the request id of a refusal', async () => {
  const { baseUrl } = await serve(
    503,
    { 'x-error-code': 'OVERLOADED', 'retry-after': '2', 'x-request-id': 'a1b2c3' },
    '{"actionErrors":["The server is overloaded"]}',
  )
  const error = await createClient({ baseUrl })
    .op.logout()
    .catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(CallError)
  expect(error).toMatchObject({
    status: 503,
    messages: ['The server is overloaded'],
    code: 'OVERLOADED',
    retryAfterSeconds: 2,
    requestId: 'a1b2c3',
  })
})

test('a refusal or an answer that is not JSON is reported as such', async () => {
  const gateway = await serve(502, {}, '<html>bad gateway</html>')
  await expect(createClient({ baseUrl: gateway.baseUrl }).op.logout()).rejects.toMatchObject({
    status: 502,
    messages: ['The server answered with status 502'],
    code: null,
  })
  server?.close()
  const page = await serve(200, {}, '<html></html>')
  await expect(createClient({ baseUrl: page.baseUrl }).op.getAllCollections()).rejects.toMatchObject({
    messages: ['The answer is not JSON'],
  })
})

test('the public API for browsers reaches no package and nothing of Node', async () => {
  const reached = await importsReached(new URL('./browser.ts', import.meta.url))
  const folder = new URL('.', import.meta.url).href
  expect([...reached].filter((found) => !found.startsWith(folder))).toEqual([])
})

/** Files (and packages by name) of all imports that remain at run time, followed from one file on. */
async function importsReached(entry: URL, reached = new Set<string>()): Promise<Set<string>> {
  const { readFile } = await import('node:fs/promises')
  const source = await readFile(entry, 'utf8')
  for (const [, specifier] of source.matchAll(/^(?:import|export) (?!type)[^;]*?from '([^']+)'/gm)) {
    const isFile = specifier!.startsWith('.')
    const found = isFile ? new URL(specifier!, entry).href : specifier!
    if (reached.has(found)) continue
    reached.add(found)
    if (isFile) await importsReached(new URL(found), reached)
  }
  return reached
}
