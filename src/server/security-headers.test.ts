import { afterEach, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../test/harness.ts'

let server: TestServer | null = null
afterEach(async () => {
  await server?.close()
  server = null
})

async function strictTransport(headers: Record<string, string> = {}): Promise<string | null> {
  const answer = await fetch(`${server!.baseUrl}/health?live=1`, { headers })
  return answer.headers.get('strict-transport-security')
}

test('HSTS is sent only to browsers that came over TLS, as a trusted proxy says', async () => {
  server = await startTestServer({ 'trusted-proxies': '127.0.0.1' })
  expect(await strictTransport()).toBeNull()
  expect(await strictTransport({ 'x-forwarded-proto': 'http' })).toBeNull()
  expect(await strictTransport({ 'x-forwarded-proto': 'https' })).toBe('max-age=31536000')
})

test('nobody but a trusted proxy says that a call came over TLS; the base URL does', {
  tags: ['marathon'],
}, async () => {
  server = await startTestServer()
  expect(await strictTransport({ 'x-forwarded-proto': 'https' })).toBeNull()
  await server.close()
  server = await startTestServer({ 'base-url': 'https://vigil.example' })
  expect(await strictTransport()).toBe('max-age=31536000')
})
